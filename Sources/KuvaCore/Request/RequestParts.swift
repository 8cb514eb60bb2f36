/// Caches, loaders and decoders for some requests only, in place of the manager's.
///
/// Make one and give it to all requests that are to use it: requests share work only if they share the same parts.
/// To use no cache at all, say so in the request's ``CachePolicy``.
public final class RequestParts: Sendable {
    /// Where decoded pictures are kept; `nil` for the manager's.
    public let memoryCache: (any ImageCaching)?
    /// Where files are kept; `nil` for the manager's.
    public let diskCache: (any DataCaching)?
    /// Who fetches; the last that can load a URL is asked, then the manager's.
    public let loaders: [any ImageLoading]
    /// Who decodes; `nil` for the manager's.
    public let decoders: (any ImageDecoderProvider)?

    /// Makes parts; what is not given is the manager's.
    public init(
        memoryCache: (any ImageCaching)? = nil,
        diskCache: (any DataCaching)? = nil,
        loaders: [any ImageLoading] = [],
        decoders: (any ImageDecoderProvider)? = nil
    ) {
        self.memoryCache = memoryCache
        self.diskCache = diskCache
        self.loaders = loaders
        self.decoders = decoders
    }
}
