public import KuvaCache
internal import KuvaCodecs
internal import KuvaNetwork
public import KuvaPipeline

extension ImageManager {
    /// The manager that most programs use: memory and disk cache, http, https, file and `data:` URLs, all built-in
    /// decoders.
    ///
    /// Made at the first use, which reads no file and starts no thread. Any thread may use it.
    public static let shared = ImageManager(configuration: .standard())
}

extension ImageManager.Configuration {
    /// The parts of ``ImageManager/shared``, each with its default limits, for a manager that differs in some.
    ///
    /// Loads http, https, file and `data:` URLs. Transfers that break go on where they ended, in a later run of the
    /// program too, if there is a disk cache: their beginnings are kept in a folder beside its entries.
    ///
    /// - Parameter diskCache: where files are kept; `$XDG_CACHE_HOME/kuva` by default.
    public static func standard(diskCache: DiskCache? = DiskCache()) -> ImageManager.Configuration {
        ImageManager.Configuration(
            memoryCache: MemoryCache(),
            diskCache: diskCache,
            loaders: [FileLoader(), DataURLLoader(), downloader(beside: diskCache)],
            decoders: CodecRegistry.builtIn,
            encoders: EncoderRegistry.builtIn
        )
    }

    private static func downloader(beside diskCache: DiskCache?) -> Downloader {
        var configuration = Downloader.Configuration()
        configuration.resumeStore = diskCache.flatMap { cache in
            try? ResumeStore(path: "\(cache.configuration.directory)/transfers")
        }
        // The defaults are valid.
        return (try? Downloader(configuration: configuration)) ?? Downloader()
    }
}
