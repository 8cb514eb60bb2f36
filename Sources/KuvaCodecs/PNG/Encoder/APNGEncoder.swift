public import KuvaCore

/// Writes animations as APNG (W3C PNG, third edition, §4.9): 8 bits a channel with alpha, sRGB, every pixel of every frame
/// kept. The first frame is the picture that viewers without animation show.
///
/// Only the rectangle that changes is written; where that is shorter, pixels in it that stay are left transparent and
/// the frame is drawn over the one before. Times are the nearest fraction of 16 bits, at most 65,535 seconds.
public struct APNGEncoder: AnimationEncoder {
    /// zlib's effort, from 0 (none) to 9; 6 by default. Numbers outside count as the nearest inside.
    public var compressionLevel: Int

    /// Makes an encoder.
    public init(compressionLevel: Int = 6) { self.compressionLevel = compressionLevel }

    /// APNG.
    public var format: ImageFormat { .apng }

    /// See ``AnimationEncoder``; of the options it takes the cancellation flag, which it looks at between rows.
    public func makeWriter(
        size: PixelSize,
        lapCount: Int?,
        options: EncodeOptions
    ) throws(ImageError) -> any AnimationWriter {
        // Makes nothing but sure that PNG allows the size.
        _ = try PNGRowDeflater(size: size, hasAlpha: true, level: 0)
        let file = APNGFile(
            size: size,
            lapCount: lapCount,
            level: min(9, max(0, compressionLevel)),
            cancellation: options.cancellation
        )
        return AnimationSession(file, format: .apng, size: size, options: options)
    }
}
