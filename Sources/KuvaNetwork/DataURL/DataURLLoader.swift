public import FoundationEssentials
public import KuvaCore

/// Loads `data:` URLs (RFC 2397), whose bytes stand in the address itself.
///
/// What it delivers is marked as not cacheable. Any thread may call every method; handlers are called on a thread of
/// the loader's.
public final class DataURLLoader: ImageLoading {
    private let maximumByteCount: Int64
    private let pool = WorkPool(name: "kuva-data", threads: 1)

    /// Makes a loader.
    ///
    /// - Parameter maximumByteCount: the longest body; the same as that of a downloader by default, and at least 1.
    public init(maximumByteCount: Int64 = Downloader.Configuration().maximumBodyByteCount) {
        self.maximumByteCount = max(1, maximumByteCount)
    }

    /// Whether the URL's scheme is `data`.
    public func canLoad(_ url: URL) -> Bool { url.scheme?.lowercased() == "data" }

    /// Starts a load; see ``ImageLoading``.
    ///
    /// The end is one of: the bytes; `cancelled`; `invalid-url`; `body-too-large`; `empty-body`.
    public func load(
        _ request: LoadRequest,
        handler: @escaping @Sendable (LoadEvent) -> Void
    ) -> any LoadHandle {
        let ticket = LoadTicket(request, handler: handler)
        let limit = maximumByteCount
        let work = pool.submit(priority: request.priority) {
            let result = Result { () throws(ImageError) -> LoadedData in
                LoadedData(bytes: try DataURL.bytes(of: request.url, limit: limit), isCacheable: false)
            }
            if case .success(let loaded) = result {
                let count = Int64(loaded.bytes.count)
                ticket.report(LoadProgress(receivedByteCount: count, expectedByteCount: count))
                ticket.pass(loaded.bytes)
            }
            ticket.finish(result)
        }
        return PoolLoadHandle(ticket: ticket, pool: pool, work: work)
    }
}
