public import FoundationEssentials

/// What a file says beside its pixels. Blocks are given as they are in the file, each no longer than
/// ``DecodeLimits/maximumMetadataBytes``.
public struct ImageMetadata: Sendable {
    /// A text with the name of what it says, such as `Author`.
    public struct Text: Hashable, Sendable {
        /// The name, such as `Author`; `Comment` where the format has none.
        public var keyword: String
        /// The text.
        public var text: String

        /// Makes a text.
        public init(keyword: String, text: String) {
            self.keyword = keyword
            self.text = text
        }
    }

    /// Pixels an inch.
    public struct Density: Hashable, Sendable {
        /// From left to right.
        public var horizontal: Double
        /// From top to bottom.
        public var vertical: Double

        /// Makes a density.
        public init(horizontal: Double, vertical: Double) {
            self.horizontal = horizontal
            self.vertical = vertical
        }
    }

    /// The EXIF block: a TIFF header and what follows it (CIPA DC-008).
    public var exif: Data?
    /// The XMP packet: an XML document (ISO 16684-1).
    public var xmp: Data?
    /// The ICC profile.
    public var iccProfile: Data?
    /// The IPTC-IIM records, as Adobe's programs write them into JPEG.
    public var iptc: Data?
    /// Pixels an inch; `nil` where the file does not say, or says only proportions.
    public var density: Density?
    /// Texts and comments, in the order of the file.
    public var texts: [Text]
    /// The small picture in the EXIF block: a JPEG file, stored as the picture itself is, not turned.
    public var thumbnail: Data?
    /// Whether the file also has a gain map (ISO 21496-1, and Ultra HDR before it), by which screens of high dynamic range
    /// make the picture brighter. The picture that is decoded is the base, for all other screens.
    public var hasGainMap = false

    /// Metadata of a file that says nothing.
    public init() { texts = [] }
}

/// A decoder that tells what a file says beside its pixels.
public protocol ImageMetadataReading: ImageDecoder {
    /// Reads what stands in the file before its pixels, and behind them as far as it has come. Costs no pixel work.
    ///
    /// - Returns: `needsMoreBytes` until ``ImageDecoder/readInfo()`` is done.
    /// - Throws: ``ImageError`` as ``ImageDecoder/readInfo()``.
    func readMetadata() throws(ImageError) -> DecoderStep<ImageMetadata>
}

extension ImageDecoderProvider {
    /// Reads what a whole file says beside its pixels; nothing for a format whose decoder does not tell.
    ///
    /// - Throws: ``ImageError`` at the stage `decode`.
    public func metadata(of data: Data, options: DecodeOptions = DecodeOptions()) throws(ImageError) -> ImageMetadata {
        do throws(ImageError) {
            let decoder = try open(data, options: options).decoder as? any ImageMetadataReading
            guard let decoder, case .done(let metadata) = try decoder.readMetadata() else { return ImageMetadata() }
            return metadata
        } catch {
            throw error.locating(stage: .decode)
        }
    }
}
