/// How much a decoder may take, checked before any memory is allocated for a picture.
///
/// Bytes from outside are hostile: a file of 40 bytes can claim a picture of 16 gigabytes.
public struct DecodeLimits: Hashable, Sendable {
    /// Pixels of one decoded frame, after scaling to the target; 64 megapixels by default, 256 MiB of RGBA.
    public var maximumOutputPixels: Int = 64 << 20

    /// Pixels of one frame in the file, for decoders that stream rows into a smaller output; 1 gigapixel by default.
    public var maximumSourcePixels: Int = 1 << 30

    /// Pixels of width or height; 65,535 by default.
    public var maximumSide: Int = 65_535

    /// Bytes of one piece of metadata (EXIF, ICC profile, text); 8 MiB by default.
    public var maximumMetadataBytes: Int = 8 << 20

    /// Bytes of an ICC profile; 4 MiB by default. Profiles of printing presses have up to 3.
    public var maximumProfileBytes: Int = 4 << 20

    /// Frames of an animation; 65,535 by default.
    public var maximumFrameCount: Int = 65_535

    /// Pixels of all frames together where one after the other is decoded in one go, to hash or convert them; 2
    /// gigapixels by default. Playing decodes a frame when it is due, and needs no such limit.
    public var maximumTotalPixels: Int = 2 << 30

    /// Scans of a progressive JPEG; 500 by default. Each scan costs a pass over the picture.
    public var maximumScanCount: Int = 500

    /// How long a decoder may work on one frame, its waiting for bytes not counted; 60 seconds by default, which is some
    /// hundred times what the largest picture within the other limits takes. It is looked at between rows, bands and
    /// scans, and between pieces of a JPEG XL. AVIF, HEIF and SVG are decoded by their libraries in one go, which these
    /// give no way to break off: it is looked at between frames, and between decoding and scaling.
    public var maximumDuration: Duration = .seconds(60)

    /// The default limits.
    public init() {}

    /// Checks a frame of `source` pixels in the file.
    ///
    /// - Throws: ``ImageError`` with the code `corrupt-image` for an empty size and `limit-exceeded` for a large one;
    ///   its advice names the limit to raise.
    public func check(source: PixelSize) throws(ImageError) {
        guard !source.isEmpty else {
            throw ImageError(.corruptImage, "the file says that its picture is \(source) pixels", advice: Self.replace)
        }
        guard source.width <= maximumSide, source.height <= maximumSide else {
            throw Self.exceeded("a picture of \(source) pixels is longer than \(maximumSide) on a side", "maximumSide")
        }
        guard let count = source.pixelCount, count <= maximumSourcePixels else {
            throw Self.exceeded(
                "a picture of \(source) pixels has more than \(maximumSourcePixels) pixels",
                "maximumSourcePixels"
            )
        }
    }

    /// Checks a decoded frame of `output` pixels.
    ///
    /// - Throws: ``ImageError`` with the code `limit-exceeded`; its advice names the limit to raise.
    public func check(output: PixelSize) throws(ImageError) {
        guard let count = output.pixelCount, count <= maximumOutputPixels else {
            throw Self.exceeded(
                "a decoded picture of \(output) pixels has more than \(maximumOutputPixels) pixels",
                "maximumOutputPixels",
                orElse: "ask for a smaller target size or "
            )
        }
    }

    /// Checks how many frames of `output` pixels are decoded in one go.
    ///
    /// - Throws: ``ImageError`` with the code `limit-exceeded`; its advice names the limit to raise.
    public func check(frameCount: Int, of output: PixelSize) throws(ImageError) {
        let (total, overflows) = frameCount.multipliedReportingOverflow(by: output.pixelCount ?? .max)
        guard !overflows, total <= maximumTotalPixels else {
            throw Self.exceeded(
                "\(frameCount) frames of \(output) pixels are more than \(maximumTotalPixels) pixels",
                "maximumTotalPixels"
            )
        }
    }

    /// Checks the size of an ICC profile, before any memory is taken for it.
    ///
    /// - Throws: ``ImageError`` with the code `limit-exceeded`; its advice names the limit to raise.
    public func check(profileByteCount count: Int) throws(ImageError) {
        guard count <= maximumProfileBytes else {
            throw Self.exceeded(
                "an ICC profile of \(count) bytes has more than \(maximumProfileBytes)",
                "maximumProfileBytes"
            )
        }
    }

    /// The error for a limit, naming the property that raises it.
    public static func exceeded(_ message: String, _ property: String, orElse: String = "") -> ImageError {
        ImageError(
            .limitExceeded,
            message,
            advice: "\(orElse)raise DecodeLimits.\(property) if you trust the file"
        )
    }

    static let replace = "the file is broken; get it again from its source"
}
