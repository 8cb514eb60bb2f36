public import FoundationEssentials

extension ImageDecoderProvider {
    /// Decodes a whole file to the picture that is kept and shown: its first frame, and the animation if it is one.
    /// Blocks the calling thread for the time it takes: call it on a thread of your own, never on the main thread or
    /// Swift's cooperative pool.
    ///
    /// - Parameters:
    ///   - data: the whole file.
    ///   - options: the size wanted and the limits. The cancellation ends this call, and not the decoding of later
    ///     frames.
    ///   - scale: pixels a point of the result.
    ///   - mediaType: what the server called the file, for the words of an error; bytes alone decide.
    ///   - wantsAnimation: whether the picture of a file with several frames has its ``Image/animation``.
    ///   - pool: where the memory of the pixels comes from.
    /// - Throws: ``ImageError`` at the stage `decode`, also if a part of the picture is missing.
    public func decodePicture(
        _ data: Data,
        options: DecodeOptions = DecodeOptions(),
        scale: Double = 1,
        mediaType: String? = nil,
        wantsAnimation: Bool = true,
        pool: PixelBufferPool = .shared
    ) throws(ImageError) -> Image {
        let decoded = try decode(data, options: options, scale: scale, mediaType: mediaType, pool: pool)
        if let damage = decoded.damage { throw damage.locating(stage: .decode) }
        guard wantsAnimation, decoded.info.frameCount > 1 else { return decoded.image }
        // Frames are decoded long after this call, whose flag may be raised at any time.
        var frameOptions = options
        frameOptions.cancellation = nil
        guard let frames = try DecodedAnimation.open(data, decoders: self, options: frameOptions) else {
            return decoded.image
        }
        return decoded.image.animated(by: AnimatedImage(poster: decoded.image, provider: frames))
    }
}
