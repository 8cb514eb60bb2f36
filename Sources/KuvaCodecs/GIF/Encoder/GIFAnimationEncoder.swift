public import KuvaCore

/// Writes animations as GIF89a. Each frame has a colour table of its own and the colours that ``GIFEncoder`` would give
/// it; only the rectangle that changes is written, and in it only the pixels that do.
///
/// Times are hundredths of a second, at most 655.35 seconds. One over 10 ms becomes at least 20, since viewers show
/// anything shorter for a tenth of a second; the frames behind make up for it where they can. Laps are at most 65,536.
public struct GIFAnimationEncoder: AnimationEncoder {
    /// Sides have 16 bits.
    static let maximumSide = 65_535

    /// Makes an encoder.
    public init() {}

    /// GIF.
    public var format: ImageFormat { .gif }

    /// See ``AnimationEncoder``; of the options it takes the cancellation flag.
    public func makeWriter(
        size: PixelSize,
        lapCount: Int?,
        options: EncodeOptions
    ) throws(ImageError) -> any AnimationWriter {
        try size.check(for: .gif, maximumSide: Self.maximumSide)
        return AnimationSession(
            GIFAnimationFile(size: size, lapCount: lapCount, cancellation: options.cancellation),
            format: .gif,
            size: size,
            options: options
        )
    }
}
