public import KuvaCore

/// A cache of pictures and their files, with levels. ``ImageCache`` is the usual one, ``ImageCaches`` makes one of
/// several, and a program may put its own in place.
///
/// All methods but ``imageInMemory(for:)`` block on I/O and decoding: call them on a thread of your own, or use the forms
/// with a completion and the asynchronous ones, which every cache gets. Any number of threads may call at once.
public protocol TieredImageCaching: Sendable {
    /// The picture, if it is in memory. Never waits for I/O.
    func imageInMemory(for key: CacheKey) -> Image?

    /// Looks for a picture, its file, or both; `nil` if they are not there.
    ///
    /// - Throws: ``ImageError`` if the cache cannot be read or the file cannot be decoded, and with the code `cancelled`.
    func query(_ key: CacheKey, _ options: CacheQueryOptions) throws(ImageError) -> CacheHit?

    /// Keeps a picture, its file, or both.
    ///
    /// - Throws: ``ImageError`` if the file cannot be written; the levels above it have the picture all the same.
    func store(_ image: Image?, data: CachedData?, for key: CacheKey, in tiers: CacheTiers) throws(ImageError)

    /// Removes a picture from some levels.
    func remove(_ removal: CacheRemoval, from tiers: CacheTiers) throws(ImageError)

    /// Which of the levels asked for have a picture.
    func contains(_ key: CacheKey, in tiers: CacheTiers) throws(ImageError) -> CacheTiers

    /// Empties some levels.
    func clear(_ tiers: CacheTiers) throws(ImageError)
}

/// What to remove.
public enum CacheRemoval: Hashable, Sendable {
    /// One picture.
    case key(CacheKey)
    /// An original and everything made from it.
    case original(String)
    /// Everything whose original starts with a text.
    case prefix(String)
}

/// What is wanted from a query.
public struct CacheQueryOptions: Sendable {
    /// Where to look.
    public var tiers = CacheTiers.all
    /// Whether the picture is wanted; `true` by default. Without it, only the file is read and nothing decoded.
    public var wantsImage = true
    /// Whether the file is wanted, too; `false` by default. A hit in memory then reads the disk as well, if that is asked.
    public var wantsData = false
    /// Whether an animation is wanted as a still picture of its first frame; `false` by default.
    public var firstFrameOnly = false
    /// Whether a still picture counts as missing; `false` by default.
    public var animatedOnly = false
    /// The size in which the picture is wanted. It is known by a key of its own then; see ``CacheKey/sized(_:)``.
    public var targetSize: TargetSize?
    /// Whether what is found on disk is kept in memory; `true` by default.
    public var promotes = true
    /// How much decoding may take.
    public var limits = DecodeLimits()
    /// Pixels a point of a picture that is decoded.
    public var scale = 1.0
    /// Ends the query when it is raised.
    public var cancellation: CancellationFlag?

    /// Makes the default options.
    public init() {}
}

/// What a query found.
public struct CacheHit: Sendable {
    /// The picture; `nil` if only the file was wanted.
    public var image: Image?
    /// The file; `nil` unless it was wanted and is there.
    public var data: CachedData?
    /// Where the picture was found, or the file if only that was wanted.
    public var tier: CacheTiers

    /// Makes a hit.
    public init(image: Image?, data: CachedData? = nil, tier: CacheTiers) {
        self.image = image
        self.data = data
        self.tier = tier
    }
}

extension CacheKey {
    /// The key of this picture in another size.
    public func sized(_ size: TargetSize) -> CacheKey {
        CacheKey(original: original, variant: variant.isEmpty ? size.description : "\(size) \(variant)")
    }
}
