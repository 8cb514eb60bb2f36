/// A change of colours, by the formulas of Filter Effects Module Level 1 (§8 and §9.6) where it has them, on the sRGB
/// numbers as its shorthand functions do. Numbers are rounded to a thousandth and cut to the ranges below.
public struct ColorFilter: Hashable, Sendable {
    private enum Kind: String, Hashable {
        case greyscale
        case sepia
        case invert
        case brightness
        case contrast
        case saturation
        case gamma
    }

    private let kind: Kind
    private let number: TransformNumber

    private init(_ kind: Kind, _ value: Double, _ range: ClosedRange<Double>) {
        self.kind = kind
        number = TransformNumber(value, in: range)
    }

    /// Towards grey: 0 changes nothing, 1 leaves no colour; 0...1.
    public static func greyscale(_ amount: Double = 1) -> ColorFilter { ColorFilter(.greyscale, amount, 0...1) }
    /// Towards the brown of old photographs: 0 changes nothing, 1 is all brown; 0...1.
    public static func sepia(_ amount: Double = 1) -> ColorFilter { ColorFilter(.sepia, amount, 0...1) }
    /// Towards the negative: 0 changes nothing, 1 is the negative; 0...1.
    public static func invert(_ amount: Double = 1) -> ColorFilter { ColorFilter(.invert, amount, 0...1) }
    /// Colour times a factor: 0 is black, 1 changes nothing; 0...10.
    public static func brightness(_ factor: Double) -> ColorFilter { ColorFilter(.brightness, factor, 0...10) }
    /// The distance from middle grey times a factor: 0 is grey, 1 changes nothing; 0...10.
    public static func contrast(_ factor: Double) -> ColorFilter { ColorFilter(.contrast, factor, 0...10) }
    /// The distance from grey of the same luma times a factor: 0 is grey, 1 changes nothing; 0...10.
    public static func saturation(_ factor: Double) -> ColorFilter { ColorFilter(.saturation, factor, 0...10) }
    /// Colour to a power: below 1 lightens, 1 changes nothing, above 1 darkens; 0.01...100.
    public static func gamma(_ exponent: Double) -> ColorFilter { ColorFilter(.gamma, exponent, 0.01...100) }

    /// Such as `sepia(0.5)`; all numbers are written.
    var key: String { TransformKey.make(kind.rawValue, [number.text]) }

    /// What does the work; `nil` where nothing changes.
    func change() throws(ImageError) -> ColorChange? {
        let amount = try number.checked(kind.rawValue)
        let isIdle =
            switch kind {
            case .greyscale, .sepia, .invert: amount == 0
            case .brightness, .contrast, .saturation, .gamma: amount == 1
            }
        return isIdle ? nil : change(amount)
    }

    private func change(_ amount: Double) -> ColorChange {
        switch kind {
        case .greyscale: .matrix(Self.towardsGrey(1 - amount, red: 0.2126, green: 0.7152, blue: 0.0722))
        case .saturation: .matrix(Self.towardsGrey(amount, red: 0.213, green: 0.715, blue: 0.072))
        case .sepia: .matrix(Self.sepia(1 - amount))
        case .invert: .matrix(ColorMatrix(factor: 1 - 2 * amount, offset: amount))
        case .brightness: .matrix(ColorMatrix(factor: amount))
        case .contrast: .matrix(ColorMatrix(factor: amount, offset: 0.5 - 0.5 * amount))
        case .gamma: .table(ColorTable { _, value in value.power(amount) })
        }
    }

    private static func towardsGrey(_ rest: Double, red: Double, green: Double, blue: Double) -> ColorMatrix {
        let grey = [red, green, blue].map { $0 * (1 - rest) }
        return ColorMatrix(
            colors: (0..<3).map { row in (0..<3).map { column in grey[column] + (row == column ? rest : 0) } }
        )
    }

    private static func sepia(_ rest: Double) -> ColorMatrix {
        let full = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
        return ColorMatrix(
            colors: (0..<3).map { row in
                (0..<3).map { column in full[row][column] * (1 - rest) + (row == column ? rest : 0) }
            }
        )
    }
}

/// One of the ways in which kernels change colours.
enum ColorChange {
    case matrix(ColorMatrix)
    case table(ColorTable)

    func apply(to image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        switch self {
        case .matrix(let matrix): try matrix.apply(to: image, pool: pool)
        case .table(let table): try table.apply(to: image, pool: pool)
        }
    }
}
