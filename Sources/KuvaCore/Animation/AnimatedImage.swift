public import FoundationEssentials

/// An animation: its poster, when its frames are shown, and where they come from.
///
/// An object that any number of views share; two variables show the same animation if they are the same object.
/// It holds one decoded frame, the poster; who plays it holds more (`FrameBuffer` in KuvaUI).
public final class AnimatedImage: Sendable {
    /// The first frame, kept as long as the animation.
    public let poster: Image

    /// Where frames come from.
    public let provider: any AnimatedImageProvider

    /// Bytes of decoded frames that players hold besides the poster; a memory cache counts them as the picture's.
    public let frameBytes = HeldBytes()

    private struct Variant: Sendable {
        weak var image: AnimatedImage?
    }
    private let variants = Lock<[String: Variant]>([:])

    /// Makes an animation.
    ///
    /// - Parameter poster: its first frame, in the provider's layout.
    public init(poster: Image, provider: any AnimatedImageProvider) {
        self.poster = poster
        self.provider = provider
    }

    /// Makes an animation from a whole file. Decodes its first frame on the calling thread.
    ///
    /// - Returns: `nil` for a still picture.
    /// - Throws: ``ImageError`` at the stage `decode`.
    public static func decode(
        _ data: Data,
        decoders: any ImageDecoderProvider,
        options: DecodeOptions = DecodeOptions(),
        scale: Double = 1,
        rule: FrameDelayRule = .browsers,
        pool: PixelBufferPool = .shared
    ) throws(ImageError) -> AnimatedImage? {
        do throws(ImageError) {
            guard let frames = try DecodedAnimation.open(data, decoders: decoders, options: options, rule: rule) else {
                return nil
            }
            return try AnimatedImage(firstOf: frames, scale: scale, pool: pool)
        } catch {
            throw error.locating(stage: .decode)
        }
    }

    /// Makes an animation of what a provider has, and decodes its first frame on the calling thread.
    ///
    /// - Throws: ``ImageError``, also if there is no frame yet.
    public convenience init(
        firstOf provider: any AnimatedImageProvider,
        scale: Double = 1,
        pool: PixelBufferPool = .shared
    ) throws(ImageError) {
        let pixels = try provider.frame(at: 0, pool: pool)
        let timeline = provider.timeline
        let poster = Image(pixels: pixels, scale: scale, format: provider.format, frameCount: timeline.frameCount)
        self.init(poster: poster, provider: provider)
    }

    /// When frames are shown, as far as they are known; grows while the file comes.
    public var timeline: AnimationTimeline { provider.timeline }

    /// Frames known so far.
    public var frameCount: Int { timeline.frameCount }

    /// Laps in all; `nil` for ever.
    public var lapCount: Int? { timeline.lapCount }

    /// Width and height of each frame.
    public var pixelSize: PixelSize { poster.pixelSize }

    /// Bytes that one decoded frame takes.
    public var bytesPerFrame: Int { poster.pixels.residentByteCount }

    /// The animation with a transformer applied to each frame. The same object for as long as someone holds it, so that
    /// all who ask for the same change share its frames. Changes the poster on the calling thread.
    ///
    /// - Throws: what the transformer throws for the poster.
    public func applying(
        _ transformer: any ImageTransformer,
        pool: PixelBufferPool = .shared
    ) throws(ImageError) -> AnimatedImage {
        if let known = variants.withLock({ $0[transformer.key]?.image }) { return known }
        let changed = try transformer.transform(poster, pool: pool)
        let provider = TransformedAnimation(provider, transformer: transformer, scale: poster.scale, poster: changed)
        let made = AnimatedImage(poster: changed, provider: provider)
        return variants.withLock { variants in
            if let known = variants[transformer.key]?.image { return known }
            variants[transformer.key] = Variant(image: made)
            return made
        }
    }
}

/// Frames that go through a transformer.
private final class TransformedAnimation: AnimatedImageProvider {
    private let base: any AnimatedImageProvider
    private let transformer: any ImageTransformer
    private let scale: Double
    let layout: PixelLayout

    init(_ base: any AnimatedImageProvider, transformer: any ImageTransformer, scale: Double, poster: Image) {
        self.base = base
        self.transformer = transformer
        self.scale = scale
        layout = poster.pixels.layout
    }

    var format: ImageFormat { base.format }
    var timeline: AnimationTimeline { base.timeline }
    var encodedByteCount: Int { base.encodedByteCount }

    func frame(at index: Int, pool: PixelBufferPool) throws(ImageError) -> PixelBuffer {
        let image = Image(pixels: try base.frame(at: index, pool: pool), scale: scale, format: base.format)
        return try transformer.transform(image, pool: pool).pixels
    }
}
