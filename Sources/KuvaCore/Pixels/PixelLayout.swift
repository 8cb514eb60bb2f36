/// How one pixel lies in memory.
public struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
    // Copied with every picture, so it is a number and holds no reference.
    private enum Kind: UInt8 {
        case rgba8
    }

    private let kind: Kind

    /// A short name such as `rgba8`.
    public var description: String {
        switch kind {
        case .rgba8: "rgba8"
        }
    }

    /// Bytes that one pixel takes.
    public var bytesPerPixel: Int {
        switch kind {
        case .rgba8: 4
        }
    }

    /// Red, green, blue, alpha: one byte each, in this order in memory.
    public static let rgba8 = PixelFormat(kind: .rgba8)
}

/// What the alpha bytes of a picture mean.
public enum AlphaMode: Hashable, Sendable {
    /// Every alpha byte is 255; readers may ignore it.
    case opaque
    /// Colour is already multiplied by alpha, as screens and blending want it.
    case premultiplied
    /// Colour is independent of alpha, as most files have it.
    case straight
}

/// What the colour numbers of a picture mean.
public struct ColorSpace: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: UInt8 {
        case sRGB, unconverted
    }

    private let kind: Kind

    /// A short name such as `sRGB`.
    public var description: String {
        switch kind {
        case .sRGB: "sRGB"
        case .unconverted: "unconverted"
        }
    }

    /// IEC 61966-2-1, the web's default; what every decoder delivers unless asked otherwise.
    public static let sRGB = ColorSpace(kind: .sRGB)
    /// The file carries a profile that has not been applied to the pixels.
    public static let unconverted = ColorSpace(kind: .unconverted)
}

/// The truth about a block of pixels, said once: size, format, alpha, colour space and stride.
///
/// Row 0 is the top row as a viewer sees it, orientation already applied.
public struct PixelLayout: Hashable, Sendable {
    /// Width and height in pixels.
    public let size: PixelSize
    /// Bytes from the start of one row to the start of the next; at least `width × bytesPerPixel`.
    public let bytesPerRow: Int
    /// How a pixel lies in memory.
    public let format: PixelFormat
    /// What alpha means.
    public var alpha: AlphaMode
    /// What the colour numbers mean.
    public var colorSpace: ColorSpace

    /// Width in pixels.
    public var width: Int { size.width }
    /// Height in pixels.
    public var height: Int { size.height }
    /// Bytes that the whole block takes.
    public var byteCount: Int { bytesPerRow * height }

    /// A layout with rows packed tightly.
    ///
    /// - Throws: ``ImageError`` with the code `limit-exceeded` if a side is not positive or the byte count does not
    ///   fit in an `Int`.
    public init(
        size: PixelSize,
        format: PixelFormat = .rgba8,
        alpha: AlphaMode = .premultiplied,
        colorSpace: ColorSpace = .sRGB
    ) throws(ImageError) {
        let (rowBytes, rowOverflow) = size.width.multipliedReportingOverflow(by: format.bytesPerPixel)
        let (_, overflow) = rowBytes.multipliedReportingOverflow(by: size.height)
        guard !size.isEmpty, !rowOverflow, !overflow else {
            throw ImageError(
                .limitExceeded,
                "a picture of \(size) pixels cannot be held in memory",
                advice: "ask for a smaller size"
            )
        }
        self.size = size
        bytesPerRow = rowBytes
        self.format = format
        self.alpha = alpha
        self.colorSpace = colorSpace
    }
}
