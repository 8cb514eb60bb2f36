public import FoundationEssentials
public import KuvaCore

extension AnimatedImage {
    /// The animation as a file: each frame as it is shown and for as long, and as many laps. Frames are decoded and
    /// written one after the other. Blocks the calling thread for the time it takes: call it on a thread of your own.
    ///
    /// - Parameters:
    ///   - format: GIF, APNG or WebP, or what else ``EncoderRegistry/animatedFormats`` has.
    ///   - quality: from 0, the smallest file, to 1, the best picture; for WebP that is not lossless.
    ///   - maxPixelSize: a box that the frames are scaled down to fit.
    ///   - options: what else the format may take; its quality is that of the parameter before.
    /// - Throws: ``ImageError`` with the code `unsupported-format` for a format without an encoder, `invalid-configuration`
    ///   for an animation that is still coming, and what decoding a frame or ``AnimationWriter`` throws.
    public func data(
        as format: ImageFormat,
        quality: Double = 0.85,
        maxPixelSize: PixelSize? = nil,
        options: EncodeOptions = EncodeOptions(),
        encoders: EncoderRegistry = .builtIn
    ) throws(ImageError) -> Data {
        guard let encoder = encoders[animated: format] else {
            let names = encoders.animatedFormats.map(\.name).joined(separator: ", ")
            throw ImageError(
                .unsupportedFormat,
                "no encoder writes animations as \(format)",
                advice: "register one, or write one of \(names)"
            )
        }
        let timeline = timeline
        guard timeline.isComplete else {
            throw ImageError(
                .invalidConfiguration,
                "the animation is still coming",
                advice: "write it once its timeline is complete"
            )
        }
        var options = options
        options.quality = min(1, max(0, quality))
        let size = maxPixelSize.map { TargetSize($0).outputSize(for: pixelSize) } ?? pixelSize
        let resizer = size == pixelSize ? nil : ResizeTransformer(size)
        let writer = try encoder.makeWriter(size: size, lapCount: timeline.lapCount, options: options)
        for (index, duration) in timeline.durations.enumerated() {
            try options.cancellation?.check()
            var frame = try provider.frame(at: index, pool: .shared)
            if let resizer { frame = try resizer.transform(Image(pixels: frame), pool: .shared).pixels }
            try writer.append(frame, duration: duration)
        }
        return try writer.finish()
    }
}
