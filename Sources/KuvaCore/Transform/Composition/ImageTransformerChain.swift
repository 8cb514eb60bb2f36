/// Several transformers as one, applied in order.
///
/// Its key is the keys of its members, with a space between: the same as that of a request that lists them one by one,
/// so that both share what is cached. (A request that lists them also shares the results between.)
public struct ImageTransformerChain: ImageTransformer {
    /// What is done, first to last.
    public let transformers: [any ImageTransformer]

    /// Makes a chain; an empty one changes nothing.
    public init(_ transformers: [any ImageTransformer]) { self.transformers = transformers }

    /// The members' keys, joined by spaces; `none` for an empty chain.
    public var key: String {
        transformers.isEmpty ? "none" : transformers.map(\.key).joined(separator: " ")
    }

    /// The picture after all members.
    ///
    /// - Throws: the first error of a member.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        var image = image
        for transformer in transformers { image = try transformer.transform(image, pool: pool) }
        return image
    }
}

extension ImageTransformer where Self == ImageTransformerChain {
    /// Several transformers as one; see ``ImageTransformerChain``.
    public static func chain(_ transformers: [any ImageTransformer]) -> ImageTransformerChain {
        ImageTransformerChain(transformers)
    }
}
