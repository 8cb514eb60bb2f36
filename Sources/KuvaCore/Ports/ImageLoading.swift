public import FoundationEssentials

/// How much of a transfer has come.
public struct LoadProgress: Hashable, Sendable {
    /// Bytes received so far.
    public var receivedByteCount: Int64
    /// Bytes of the whole body; `nil` while, or if, it is not known.
    public var expectedByteCount: Int64?

    /// Makes a progress.
    public init(receivedByteCount: Int64, expectedByteCount: Int64?) {
        self.receivedByteCount = receivedByteCount
        self.expectedByteCount = expectedByteCount
    }

    /// From 0 to 1; `nil` if the length is not known or zero.
    public var fraction: Double? {
        guard let expectedByteCount, expectedByteCount > 0 else { return nil }
        return min(1, Double(receivedByteCount) / Double(expectedByteCount))
    }
}

/// A whole body that a loader has fetched, or the news that the caller's is still good.
public struct LoadedData: Sendable {
    /// The body, never partial; empty if ``isNotModified``.
    public var bytes: Data
    /// What the server said; `nil` if no server was asked. After ``isNotModified`` it is ``LoadRequest/known`` brought
    /// up to date (RFC 9111 §4.3.4), ready to be kept in its place.
    public var response: StoredResponse?
    /// Whether a disk cache may keep the bytes; `false` for files that are on this machine already, and for what the
    /// request's policy forbids to keep.
    public var isCacheable: Bool
    /// Whether the server said that what the caller has is still good; only if the request named that.
    public var isNotModified: Bool
    /// Where the time went; `nil` if no server was asked.
    public var metrics: TransferMetrics?

    /// Makes a result.
    public init(
        bytes: Data,
        response: StoredResponse? = nil,
        isCacheable: Bool = true,
        isNotModified: Bool = false,
        metrics: TransferMetrics? = nil
    ) {
        self.bytes = bytes
        self.response = response
        self.isCacheable = isCacheable
        self.isNotModified = isNotModified
        self.metrics = metrics
    }
}

/// What a loader reports while it works.
public enum LoadEvent: Sendable {
    /// More bytes have come. Never after `finished`; counts never fall.
    case progress(LoadProgress)
    /// The next bytes of the body, in order and without gaps from its start, if the request wanted them. A load that
    /// starts over after bytes have gone out sends no more of them.
    case bytes(Data)
    /// The end, exactly once for each load, cancelled ones included.
    case finished(Result<LoadedData, ImageError>)
}

/// Fetches bytes. Several loaders stand side by side; the first that says it can takes a URL.
public protocol ImageLoading: Sendable {
    /// Whether this loader takes the URL; looks at the scheme and decides at once.
    func canLoad(_ url: URL) -> Bool

    /// Starts a load and returns at once.
    ///
    /// - Parameter handler: called in order, one call at a time, on a thread of the loader's choosing; it must not
    ///   block. The first call may come before this method returns.
    func load(_ request: LoadRequest, handler: @escaping @Sendable (LoadEvent) -> Void) -> any LoadHandle
}

/// A running load. Any thread may call its methods; after the end they do nothing.
public protocol LoadHandle: Sendable {
    /// Ends the load; its handler gets `finished` with the code `cancelled`, unless it has finished already.
    func cancel()

    /// Changes how soon the load is wanted, while it waits.
    func setPriority(_ priority: Priority)
}
