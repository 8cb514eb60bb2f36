public import FoundationEssentials

/// Makes an animation of a file that is still coming. One thread at a time, one of your own: frames are decoded on it.
public struct GrowingAnimation: Sendable {
    private let decoders: any ImageDecoderProvider
    private let options: DecodeOptions
    private let scale: Double
    private let rule: FrameDelayRule
    private let pool: PixelBufferPool

    private var prefix = Data()
    private var frames: DecodedAnimation?

    /// The animation, once its first frame is there; from then on it grows by itself with each ``append(_:isLast:)``.
    public private(set) var image: AnimatedImage?

    /// Whether the file turned out to be no animation.
    public private(set) var isStill = false

    /// Makes one for a file of which nothing has come.
    public init(
        decoders: any ImageDecoderProvider,
        options: DecodeOptions = DecodeOptions(),
        scale: Double = 1,
        rule: FrameDelayRule = .browsers,
        pool: PixelBufferPool = .shared
    ) {
        self.decoders = decoders
        self.options = options
        self.scale = scale
        self.rule = rule
        self.pool = pool
    }

    /// Adds the next bytes of the file.
    ///
    /// - Parameter file: all of the file, if these are its last bytes and the caller has it.
    /// - Throws: ``ImageError`` if there will never be a first frame.
    public mutating func append(_ bytes: Data, isLast: Bool, file: Data? = nil) throws(ImageError) {
        guard !isStill else { return }
        if let frames {
            frames.append(bytes, isLast: isLast, file: file)
        } else {
            prefix.append(bytes)
            let opened = try DecodedAnimation.open(
                prefix,
                isWhole: isLast,
                decoders: decoders,
                options: options,
                rule: rule
            )
            guard let opened else {
                isStill = isLast
                return
            }
            frames = opened
            prefix = Data()
        }
        guard image == nil, let frames else { return }
        let timeline = frames.timeline
        if timeline.isComplete, timeline.frameCount < 2 {
            isStill = true
        } else if timeline.frameCount > 0 {
            image = try AnimatedImage(firstOf: frames, scale: scale, pool: pool)
        }
    }
}
