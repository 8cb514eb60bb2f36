public import KuvaCache
internal import KuvaCodecs
internal import KuvaNetwork
public import KuvaPipeline

extension ImageManager {
    /// The manager that most programs use: memory and disk cache, http, https and file URLs, all built-in decoders.
    ///
    /// Made at the first use, which reads no file and starts no thread. Any thread may use it.
    public static let shared = ImageManager(configuration: .standard())
}

extension ImageManager.Configuration {
    /// The parts of ``ImageManager/shared``, each with its default limits, for a manager that differs in some.
    ///
    /// - Parameter diskCache: where files are kept; `$XDG_CACHE_HOME/kuva` by default.
    public static func standard(diskCache: DiskCache? = DiskCache()) -> ImageManager.Configuration {
        ImageManager.Configuration(
            memoryCache: MemoryCache(),
            diskCache: diskCache,
            loaders: [FileLoader(), Downloader()],
            decoders: CodecRegistry.builtIn
        )
    }
}
