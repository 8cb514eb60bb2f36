public import FoundationEssentials
public import KuvaCore

/// Writes pixels as PNG (W3C PNG, third edition): 8 bits a channel, not interlaced, with alpha only where the pixels
/// have it, and marked as sRGB where they are.
public struct PNGEncoder: Sendable {
    /// zlib's effort, from 0 (none) to 9; 6 by default. Numbers outside count as the nearest inside.
    public var compressionLevel: Int

    /// Makes an encoder.
    public init(compressionLevel: Int = 6) { self.compressionLevel = compressionLevel }

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
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        Self.append("IHDR", Self.header(layout.size, hasAlpha: hasAlpha), to: &file)
        // Rendering intent 0, perceptual (§11.3.2.5).
        if layout.colorSpace == .sRGB { Self.append("sRGB", [0], to: &file) }
        try deflater.deflate(pixels, cancellation: cancellation) { Self.append("IDAT", $0, to: &file) }
        Self.append("IEND", [], to: &file)
        return file
    }

    /// §11.2.1: width, height, bit depth, colour type, compression, filter and interlace method.
    private static func header(_ size: PixelSize, hasAlpha: Bool) -> [UInt8] {
        bigEndian(UInt32(size.width)) + bigEndian(UInt32(size.height)) + [8, hasAlpha ? 6 : 2, 0, 0, 0]
    }

    private static func append(_ type: String, _ content: [UInt8], to file: inout Data) {
        content.withUnsafeBytes { append(type, $0, to: &file) }
    }

    /// §5.3: length, type, content, CRC of type and content.
    private static func append(_ type: String, _ content: UnsafeRawBufferPointer, to file: inout Data) {
        file.append(contentsOf: bigEndian(UInt32(content.count)))
        file.append(contentsOf: type.utf8)
        file.append(contentsOf: content)
        file.append(contentsOf: bigEndian(PNGRowDeflater.checksum(type.utf8, content)))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [
            UInt8(value >> 24), UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
            UInt8(truncatingIfNeeded: value),
        ]
    }
}
