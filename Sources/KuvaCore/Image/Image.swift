/// A picture ready to be shown: pixels, with their truth said once.
///
/// A value that any thread may read and keep; copies share the pixels. Orientation is already applied.
public struct Image: Sendable {
    /// The pixels of the picture, or of the first frame of an animation.
    public let pixels: PixelBuffer

    /// Pixels a point: 2 for a picture named `@2x`.
    public let scale: Double

    /// The format that the picture came in.
    public let format: ImageFormat

    /// Frames in the file: 1 for a still picture.
    public let frameCount: Int

    /// How often the animation plays: 0 for ever, `nil` for a still picture or where the file does not say.
    public let loopCount: Int?

    /// The animation that ``pixels`` is the first frame of; `nil` for a still picture, and where only that was wanted.
    public let animation: AnimatedImage?

    /// Makes a picture from finished pixels. A scale that is not a positive number counts as 1.
    public init(
        pixels: PixelBuffer,
        scale: Double = 1,
        format: ImageFormat = .unknown,
        frameCount: Int = 1,
        loopCount: Int? = nil,
        animation: AnimatedImage? = nil
    ) {
        self.pixels = pixels
        self.scale = scale > 0 && scale.isFinite ? scale : 1
        self.format = format
        self.frameCount = max(1, frameCount)
        self.loopCount = loopCount
        self.animation = animation
    }

    /// The same picture with its animation.
    public func animated(by animation: AnimatedImage?) -> Image {
        Image(
            pixels: pixels,
            scale: scale,
            format: format,
            frameCount: frameCount,
            loopCount: loopCount,
            animation: animation
        )
    }

    /// Width and height in pixels.
    public var pixelSize: PixelSize { pixels.layout.size }

    /// Width in points: pixels divided by the scale.
    public var width: Double { Double(pixelSize.width) / scale }

    /// Height in points: pixels divided by the scale.
    public var height: Double { Double(pixelSize.height) / scale }

    /// Bytes of memory that the picture holds; what a memory cache counts.
    public var cost: Int { pixels.residentByteCount + (animation?.provider.encodedByteCount ?? 0) }
}
