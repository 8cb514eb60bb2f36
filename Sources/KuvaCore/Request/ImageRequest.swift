public import FoundationEssentials

/// A wish for a picture: where it is, in which size it is wanted and how it may be got.
///
/// A value; change a copy as you like. Two requests with the same ``cacheKey`` give the same picture.
public struct ImageRequest: Sendable {
    /// Where the picture is: `http`, `https`, `file`, or a scheme that a loader of yours knows.
    public var url: URL

    /// The size in which the picture is wanted; `nil` for the size it has.
    public var targetSize: TargetSize?

    /// How many bytes of pixels the picture may take; a larger one is scaled down until it fits. `nil`, the default, for
    /// no such limit; ``DecodeOptions/largeImageBytes`` is a good one.
    public var maximumFrameBytes: Int?

    /// How much may be saved on a picture that is wanted small.
    public var scalingQuality: ScalingQuality

    /// What is done to the picture after it is decoded, in this order.
    public var transformers: [any ImageTransformer]

    /// Pixels a point; the number in a name such as `face@2x.png` unless set.
    public var scale: Double

    /// How soon it is wanted; can change later through ``ImageTask``.
    public var priority: Priority

    /// Which caches may be used.
    public var cachePolicy: CachePolicy

    /// What is kept on disk, if the cache policy lets something be kept there; ``DiskContent/original`` by default.
    public var diskContent: DiskContent

    /// Whether a picture that is in memory already may be given although it is larger than ``targetSize``, and was not
    /// changed; `false` by default. For views, which scale anyway: it spares a decode. ``transformers`` see sizes, so
    /// requests with some get theirs.
    public var acceptsLarger: Bool

    /// How much decoding may take. Limits refuse a picture and never change it, so they are no part of ``cacheKey``: a
    /// picture that is in memory already has taken what it takes.
    public var limits: DecodeLimits {
        get { boxedLimits?.value ?? DecodeLimits() }
        set { boxedLimits = newValue == DecodeLimits() ? nil : Boxed(newValue) }
    }

    /// `nil` for the default: most requests have that, and it is a third of all the rest.
    private var boxedLimits: Boxed<DecodeLimits>?

    /// What the picture is known by in the caches instead of its URL; for signed URLs, say, whose query changes.
    public var cacheName: String?

    /// Whether the load ends only when its file is in the disk cache, or could not be put there; `false` by default.
    /// For programs that read the cache next, or that end.
    public var waitsForStore: Bool

    /// Whether the load is tried although the same URL failed a short while ago; `false` by default.
    public var retriesFailed: Bool

    /// Whether the answer also carries the file as its source sent it, for programs that keep or pass on the bytes;
    /// `false` by default. Such a request is not served from memory, where there are only pixels.
    public var wantsData: Bool

    /// Whether pictures of what has come so far are wanted while the file is still coming; `false` by default.
    public var wantsPreviews: Bool

    /// Whether the picture also carries the animation that it is the first frame of, if there is one; `false` by default.
    /// Such pictures are kept in memory apart from those without.
    public var wantsAnimation: Bool

    /// Caches, loaders and decoders for this request, in place of the manager's; `nil` by default.
    public var parts: RequestParts?

    /// How the file is fetched: method, header fields, credential, cookies, modifiers and how far servers' caching rules
    /// are followed. `nil`, the default, for a plain GET. Its URL, priority, `wantsBytes` and `known` are set by the
    /// manager.
    public var transfer: LoadRequest? {
        get { boxedTransfer?.value }
        set { boxedTransfer = newValue.map { Boxed($0) } }
    }

    /// Most requests have none, and it is as large as all the rest.
    package private(set) var boxedTransfer: Boxed<LoadRequest>?

    /// How far the load follows what servers say about caching; a short way to ``transfer``'s.
    public var httpCachePolicy: HTTPCachePolicy {
        get { boxedTransfer?.value.cachePolicy ?? .cached }
        set {
            guard newValue != httpCachePolicy else { return }
            var transfer = transfer ?? LoadRequest(url: url)
            transfer.cachePolicy = newValue
            self.transfer = transfer
        }
    }

    /// Makes a request; everything but the URL has a default.
    public init(
        url: URL,
        targetSize: TargetSize? = nil,
        maximumFrameBytes: Int? = nil,
        scalingQuality: ScalingQuality = .standard,
        transformers: [any ImageTransformer] = [],
        scale: Double? = nil,
        priority: Priority = .normal,
        cachePolicy: CachePolicy = .standard,
        diskContent: DiskContent = .original,
        acceptsLarger: Bool = false,
        limits: DecodeLimits = DecodeLimits(),
        cacheName: String? = nil,
        waitsForStore: Bool = false,
        retriesFailed: Bool = false,
        wantsData: Bool = false,
        wantsPreviews: Bool = false,
        wantsAnimation: Bool = false,
        parts: RequestParts? = nil
    ) {
        self.url = url
        self.targetSize = targetSize
        self.maximumFrameBytes = maximumFrameBytes
        self.scalingQuality = scalingQuality
        self.transformers = transformers
        self.scale = scale ?? ImageScale.inName(of: url)
        self.priority = priority
        self.cachePolicy = cachePolicy
        self.diskContent = diskContent
        self.acceptsLarger = acceptsLarger
        boxedLimits = limits == DecodeLimits() ? nil : Boxed(limits)
        self.cacheName = cacheName
        self.waitsForStore = waitsForStore
        self.retriesFailed = retriesFailed
        self.wantsData = wantsData
        self.wantsPreviews = wantsPreviews
        self.wantsAnimation = wantsAnimation
        self.parts = parts
    }

    /// Makes a request from the text of a URL.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-url` if the text is no absolute URL, or one of a scheme with
    ///   hosts that names none.
    public init(string: String, targetSize: TargetSize? = nil) throws(ImageError) {
        guard let url = URL(string: string), let scheme = url.scheme?.lowercased(), !scheme.isEmpty else {
            throw ImageError(
                .invalidURL,
                "“\(string)” is not a URL",
                advice: "write it with its scheme, such as https://example.org/a.jpg or file:///home/me/a.jpg",
                stage: .request
            )
        }
        if scheme == "http" || scheme == "https", url.host()?.isEmpty ?? true {
            throw ImageError(
                .invalidURL,
                "“\(string)” names no host",
                advice: "write it as \(scheme)://host/path",
                stage: .request,
                url: url
            )
        }
        self.init(url: url, targetSize: targetSize)
    }

    /// The key of the bytes as the source sent them.
    public var originalKey: CacheKey { CacheKey(original: cacheName ?? url.absoluteString) }

    /// The key of the picture that this request gives.
    public var cacheKey: CacheKey {
        let original = cacheName ?? url.absoluteString
        // What nearly all requests are like; lists ask for hundreds of keys in a frame.
        if maximumFrameBytes == nil, scalingQuality == .standard, scale == 1, !wantsAnimation, transformers.isEmpty {
            return CacheKey(original: original, variant: targetSize?.description ?? "")
        }
        var parts: [String] = []
        if let targetSize { parts.append(targetSize.description) }
        if let maximumFrameBytes { parts.append("max\(maximumFrameBytes)") }
        if scalingQuality == .best { parts.append("best") }
        if scale != 1 { parts.append(CacheKey.scaleText(scale)) }
        if wantsAnimation { parts.append("animated") }
        parts.append(contentsOf: transformers.map(\.key))
        return CacheKey(original: original, variant: parts.joined(separator: " "))
    }
}
