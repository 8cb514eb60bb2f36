/// A change that a program writes itself, as a closure with a name. Key: `custom(name)`.
public struct CustomTransformer: ImageTransformer {
    /// What the change is known by in cache keys; two that do something different need two names, parameters included.
    public let name: String

    private let body: @Sendable (Image, PixelBufferPool) throws(ImageError) -> Image

    /// Makes a transformer. The closure is called on any thread, on several at once.
    public init(name: String, _ body: @escaping @Sendable (Image, PixelBufferPool) throws(ImageError) -> Image) {
        self.name = name
        self.body = body
    }

    /// The name, with all bytes but letters, digits, `-`, `_` and `.` percent-encoded.
    public var key: String { TransformKey.make("custom", [TransformKey.escaped(name)]) }

    /// What the closure returns or throws.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image { try body(image, pool) }
}

extension ImageTransformer where Self == CustomTransformer {
    /// A closure with a name; see ``CustomTransformer``.
    public static func custom(
        _ name: String,
        _ body: @escaping @Sendable (Image, PixelBufferPool) throws(ImageError) -> Image
    ) -> CustomTransformer {
        CustomTransformer(name: name, body)
    }
}
