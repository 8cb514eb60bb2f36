public import KuvaCore

/// Writes animations as WebP (RFC 9649, §2.7.1), lossy or lossless, through libwebpmux, which finds what changes from
/// frame to frame. A frame equal to the one before it is not written: that one is shown longer.
///
/// Times are milliseconds, at most 16,777.215 seconds a frame and 24 days in all. Laps are at most 65,535.
public struct WebPAnimationEncoder: AnimationEncoder {
    /// Makes an encoder.
    public init() {}

    /// WebP.
    public var format: ImageFormat { .webp }

    /// See ``AnimationEncoder``.
    public func makeWriter(
        size: PixelSize,
        lapCount: Int?,
        options: EncodeOptions
    ) throws(ImageError) -> any AnimationWriter {
        try size.check(for: .webp, maximumSide: 16_383)
        let file = try WebPAnimationFile(size: size, lapCount: lapCount, options: options)
        return AnimationSession(file, format: .webp, size: size, options: options)
    }
}
