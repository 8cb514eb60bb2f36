public import FoundationEssentials
public import KuvaCore

/// Loads `file:` URLs on a bounded set of threads.
///
/// What it delivers is marked as not cacheable: a copy of a file on this machine would only take room. Any thread may
/// call every method; handlers are called on the loader's threads.
public final class FileLoader: ImageLoading {
    /// How a loader works.
    public struct Configuration: Sendable {
        /// Files that are read at once; 2 by default.
        public var maximumConcurrentLoads = 2
        /// The longest file in bytes; the same as that of a downloader by default.
        public var maximumByteCount = Downloader.Configuration().maximumBodyByteCount

        /// The defaults.
        public init() {}
    }

    private let configuration: Configuration
    private let pool: WorkPool

    /// Makes a loader with the default configuration.
    public init() {
        configuration = Configuration()
        pool = WorkPool(name: "kuva-files", threads: configuration.maximumConcurrentLoads)
    }

    /// Makes a loader.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` for a limit below 1.
    public init(configuration: Configuration) throws(ImageError) {
        guard configuration.maximumConcurrentLoads > 0, configuration.maximumByteCount > 0 else {
            throw ImageError(
                .invalidConfiguration,
                "a limit of the file loader is below 1",
                advice: "maximumConcurrentLoads and maximumByteCount must be at least 1",
                stage: .request
            )
        }
        self.configuration = configuration
        pool = WorkPool(name: "kuva-files", threads: configuration.maximumConcurrentLoads)
    }

    /// Whether the URL's scheme is `file`.
    public func canLoad(_ url: URL) -> Bool { url.scheme?.lowercased() == "file" }

    /// Starts a load; see ``ImageLoading``.
    ///
    /// The end is one of: the whole file; `cancelled`; `invalid-url` for a URL of another machine; `file-not-found`;
    /// `permission-denied`; `not-an-image` for a folder or a device; `body-too-large`; `empty-body`; `io-failed`; and
    /// `out-of-memory`.
    public func load(
        _ request: LoadRequest,
        handler: @escaping @Sendable (LoadEvent) -> Void
    ) -> any LoadHandle {
        let ticket = LoadTicket(request, handler: handler)
        let limit = configuration.maximumByteCount
        let work = pool.submit(priority: request.priority) { ticket.finish(FileReading.read(ticket, limit: limit)) }
        return PoolLoadHandle(ticket: ticket, pool: pool, work: work)
    }
}
