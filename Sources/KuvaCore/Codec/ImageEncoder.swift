public import FoundationEssentials

/// How a picture is written. Each format takes what it knows and passes over the rest.
public struct EncodeOptions: Sendable {
    /// How fine colour is kept beside lightness.
    public enum ChromaSampling: Sendable {
        /// One colour for four pixels (4:2:0), as nearly all photographs on the web have it.
        case quarter
        /// A colour for each pixel (4:4:4), for text and drawings.
        case full
    }

    /// From 0, the smallest file, to 1, the best picture; 0.85 by default. For formats that lose something.
    public var quality: Double
    /// Whether WebP, AVIF and JPEG XL keep every pixel as it is; `false` by default.
    public var isLossless: Bool
    /// Whether a JPEG comes in scans that get sharper; `true` by default, since such files are smaller too.
    public var isProgressive: Bool
    /// How fine JPEG and AVIF keep colour.
    public var chroma: ChromaSampling
    /// What lies under a picture with alpha in a format without; white by default. Its own alpha does not count.
    public var background: Color
    /// Raised when nobody wants the file any more.
    public var cancellation: CancellationFlag?

    /// Makes options; everything has a default.
    public init(
        quality: Double = 0.85,
        isLossless: Bool = false,
        isProgressive: Bool = true,
        chroma: ChromaSampling = .quarter,
        background: Color = .white,
        cancellation: CancellationFlag? = nil
    ) {
        self.quality = quality
        self.isLossless = isLossless
        self.isProgressive = isProgressive
        self.chroma = chroma
        self.background = background
        self.cancellation = cancellation
    }
}

/// Writes pixels as a file of one format.
public protocol ImageEncoder: Sendable {
    /// The format that it writes.
    var format: ImageFormat { get }

    /// Whether a lower ``EncodeOptions/quality`` makes a smaller file, with these options.
    func usesQuality(_ options: EncodeOptions) -> Bool

    /// The file for a picture of RGBA8, premultiplied or opaque. Blocks the calling thread for the time it takes.
    ///
    /// - Throws: ``ImageError`` with the code `unsupported-format` for pixels of another kind; `limit-exceeded` for sides
    ///   that the format does not allow; `out-of-memory`; `cancelled`.
    func encode(_ pixels: PixelBuffer, options: EncodeOptions) throws(ImageError) -> Data
}
