internal import FoundationEssentials
internal import Kuva

/// A file that is opened for its frames.
struct AnimationConversion {
    private let decoder: any AnimationDecoder
    private let info: ImageInfo
    private let options: DecodeOptions

    /// - Returns: `nil` for a still picture.
    init?(_ data: Data, by decoders: any ImageDecoderProvider, options: DecodeOptions) throws(ImageError) {
        guard let decoder = decoders.makeDecoder(forPrefix: data, options: options) as? any AnimationDecoder else {
            return nil
        }
        decoder.append(data, isLast: true)
        guard case .done(let info) = try decoder.readInfo(), decoder.frameCount > 1 else { return nil }
        (self.decoder, self.info, self.options) = (decoder, info, options)
    }

    var frameCount: Int { decoder.frameCount }

    /// The frame at `index` as it is shown.
    func image(at index: Int) throws(ImageError) -> Image {
        guard (0..<frameCount).contains(index) else { throw Self.noFrame(index, among: frameCount) }
        decoder.seek(toFrame: index)
        return Image(pixels: try nextFrame(), format: info.format)
    }

    static func noFrame(_ index: Int, among count: Int) -> ImageError {
        ImageError(
            .invalidConfiguration,
            "there is no frame \(index) among \(count)",
            advice: "frames are numbered from 0; kuva info lists them",
            stage: .decode
        )
    }

    /// All frames, with the times and laps that the file stores.
    func file(by encoder: any AnimationEncoder, options encoding: EncodeOptions) throws(ImageError) -> Data {
        try options.limits.check(frameCount: frameCount, of: info.outputLayout.size)
        decoder.seek(toFrame: 0)
        let laps = info.format.lapCount(forStored: info.loopCount)
        let writer = try encoder.makeWriter(size: info.outputLayout.size, lapCount: laps, options: encoding)
        for index in 0..<frameCount {
            try writer.append(try nextFrame(), duration: decoder.frame(at: index).duration ?? .zero)
        }
        return try writer.finish()
    }

    private func nextFrame() throws(ImageError) -> PixelBuffer {
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        guard case .done(let frame) = try decoder.decodeFrame(into: &canvas) else {
            throw ImageError(
                .truncatedImage,
                "the file ends before a frame does",
                advice: "get it again",
                stage: .decode
            )
        }
        if let damage = frame.damage { throw damage.locating(stage: .decode) }
        return canvas.freeze(alpha: frame.alpha)
    }
}
