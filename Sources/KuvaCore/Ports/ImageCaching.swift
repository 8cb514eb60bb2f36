/// Keeps decoded pictures in memory. Every method may be called on any thread and never waits for I/O.
public protocol ImageCaching: Sendable {
    /// The picture kept under a key. Synchronous, so that a view can show it in the same turn of its loop.
    func image(for key: CacheKey) -> Image?

    /// The pictures of an original that are kept, of whatever size. The default tells of the original itself only.
    func images(ofOriginal original: String) -> [CacheKey: Image]

    /// Keeps a picture under a key, in place of an earlier one, evicting others to stay within the budget.
    func store(_ image: Image, for key: CacheKey)

    /// Forgets one picture.
    func removeImage(for key: CacheKey)

    /// Forgets an original and everything made from it.
    func removeImages(ofOriginal original: String)

    /// Forgets everything whose original starts with a text. A cache that cannot tell, forgets everything; that is what
    /// the default does.
    func removeImages(withPrefix prefix: String)

    /// Forgets everything.
    func removeAll()
}

extension ImageCaching {
    /// The original itself.
    public func images(ofOriginal original: String) -> [CacheKey: Image] {
        let key = CacheKey(original: original)
        return image(for: key).map { [key: $0] } ?? [:]
    }

    /// Forgets everything.
    public func removeImages(withPrefix prefix: String) { removeAll() }
}
