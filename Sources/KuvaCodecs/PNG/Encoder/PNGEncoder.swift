public import FoundationEssentials
public import KuvaCore

/// Writes pixels as PNG (W3C PNG, third edition): 8 bits a channel, not interlaced, with alpha only where the pixels
/// have it, and marked as sRGB where they are.
public struct PNGEncoder: ImageEncoder {
    /// zlib's effort, from 0 (none) to 9; 6 by default. Numbers outside count as the nearest inside.
    public var compressionLevel: Int

    /// Makes an encoder.
    public init(compressionLevel: Int = 6) { self.compressionLevel = compressionLevel }

    /// PNG.
    public var format: ImageFormat { .png }

    /// Never: every pixel is kept.
    public func usesQuality(_ options: EncodeOptions) -> Bool { false }

    /// See ``ImageEncoder``; of the options it takes the cancellation flag.
    public func encode(_ pixels: PixelBuffer, options: EncodeOptions) throws(ImageError) -> Data {
        try encode(pixels, cancellation: options.cancellation)
    }

    /// The file for a picture. Alpha becomes straight, as PNG wants it; what is fully transparent becomes black.
    ///
    /// Blocks the calling thread for the time it takes: call it on a thread of your own.
    /// - Throws: ``ImageError`` with the code `unsupported-format` for pixels that are not RGBA8, premultiplied or
    ///   opaque; `limit-exceeded` for sides that PNG does not allow; `out-of-memory`; `cancelled`.
    public func encode(_ pixels: PixelBuffer, cancellation: CancellationFlag? = nil) throws(ImageError) -> Data {
        let layout = pixels.layout
        guard layout.format == .rgba8, layout.alpha != .straight else {
            throw ImageError(
                .unsupportedFormat,
                "the PNG encoder does not take \(layout.format) pixels with \(layout.alpha) alpha",
                advice: "give it premultiplied or opaque RGBA8"
            )
        }
        let hasAlpha = layout.alpha != .opaque
        let deflater = try PNGRowDeflater(
            size: layout.size,
            hasAlpha: hasAlpha,
            level: min(9, max(0, compressionLevel))
        )
        var file = Data(PNGFileChunk.signature)
        PNGFileChunk.append("IHDR", PNGFileChunk.header(layout.size, hasAlpha: hasAlpha), to: &file)
        // Rendering intent 0, perceptual (§11.3.2.5).
        if layout.colorSpace == .sRGB { PNGFileChunk.append("sRGB", [0], to: &file) }
        try deflater.deflate(pixels, cancellation: cancellation) { PNGFileChunk.append("IDAT", $0, to: &file) }
        PNGFileChunk.append("IEND", [], to: &file)
        return file
    }
}
