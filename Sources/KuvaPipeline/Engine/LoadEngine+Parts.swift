internal import FoundationEssentials
internal import KuvaCore

/// Which cache, loader and decoder a load uses: the request's own, or else the manager's.
extension ImageManager.Configuration {
    func memoryCache(for parts: RequestParts?) -> (any ImageCaching)? { parts?.memoryCache ?? memoryCache }

    func diskCache(for parts: RequestParts?) -> (any DataCaching)? { parts?.diskCache ?? diskCache }

    func decoders(for parts: RequestParts?) -> any ImageDecoderProvider { parts?.decoders ?? decoders }

    func loader(for url: URL, parts: RequestParts?) -> (any ImageLoading)? {
        parts?.loaders.last { $0.canLoad(url) } ?? loaders.last { $0.canLoad(url) }
    }
}
