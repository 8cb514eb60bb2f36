/// What a file says about the meaning of its colours.
enum ColourDescription: Hashable, Sendable {
    /// What the rows of a decoder hold.
    enum Pixels: Hashable, Sendable {
        /// Straight RGBA.
        case rgb
        /// RGBA of which red, green and blue are equal.
        case grey
        /// Four inks, 255 for all of an ink.
        case cmyk
        /// Four inks, 0 for all of an ink, as Adobe's programs write them.
        case invertedCMYK
    }

    /// Nothing, which means sRGB, or that they are sRGB.
    case sRGB
    /// An ICC profile.
    case profile([UInt8], Pixels)
    /// Primaries and a curve.
    case space(RGBSpace)
    /// Primaries and a curve of high dynamic range.
    case highRange(HDRSpace)
    /// Something that is not understood.
    case isUnknown
}

/// A colour space of three primaries and one curve.
struct RGBSpace: Hashable, Sendable {
    /// A colour without its lightness (CIE 1931).
    struct Chromaticity: Hashable, Sendable {
        var x: Double
        var y: Double

        init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// What makes light of a number X between 0 and 1: (aX + b)^g from d on, below it cX.
    struct Curve: Hashable, Sendable {
        var g: Double
        var a = 1.0
        var b = 0.0
        var c = 0.0
        var d = 0.0

        /// IEC 61966-2-1.
        static let sRGB = Curve(g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045)
        /// The inverse of the camera's curve of ITU-R BT.709 and BT.2020.
        static let bt709 = Curve(g: 1 / 0.45, a: 1 / 1.099, b: 0.099 / 1.099, c: 1 / 4.5, d: 0.081)

        static func gamma(_ exponent: Double) -> Curve { Curve(g: exponent) }
    }

    var white: Chromaticity
    var red: Chromaticity
    var green: Chromaticity
    var blue: Chromaticity
    var curve: Curve

    /// IEC 61966-2-1, which has the primaries of ITU-R BT.709.
    static let sRGB = RGBSpace(
        white: Chromaticity(0.3127, 0.3290),
        red: Chromaticity(0.64, 0.33),
        green: Chromaticity(0.30, 0.60),
        blue: Chromaticity(0.15, 0.06),
        curve: .sRGB
    )

    /// Whether the numbers describe something: white has a lightness, the primaries span a triangle, the curve rises.
    var isValid: Bool {
        let all = [white, red, green, blue]
        let area = (green.x - red.x) * (blue.y - red.y) - (blue.x - red.x) * (green.y - red.y)
        return all.allSatisfy { $0.x >= 0 && $0.y > 0 && $0.x + $0.y <= 1 } && abs(area) > 1e-4
            && (0.1...10).contains(curve.g)
    }
}
