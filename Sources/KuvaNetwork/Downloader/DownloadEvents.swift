public import FoundationEssentials
public import KuvaCore

/// What a downloader does, for logs and status lines.
public enum DownloadEvent: Sendable {
    /// A load came.
    case queued(URL)
    /// A load shares the transfer of an earlier one.
    case joined(URL)
    /// A request goes out.
    case started(URL)
    /// The load goes on at another address: a redirect, or another place of the request.
    case redirected(from: URL, to: URL)
    /// The load failed in a way that can heal, and is tried again after a time.
    case retrying(URL, after: Duration, ImageError)
    /// The whole has come.
    case finished(URL, TransferMetrics)
    /// The load failed for good.
    case failed(URL, ImageError)
    /// A caller left.
    case cancelled(URL)
}

/// How much a downloader has done so far.
public struct DownloadCounters: Hashable, Sendable {
    /// Transfers that brought a body, or the news that there is none.
    public var succeeded = 0
    /// Transfers that failed for good.
    public var failed = 0
    /// Callers who left.
    public var cancelled = 0
    /// Loads that shared the transfer of an earlier one.
    public var joined = 0
    /// Further attempts.
    public var retried = 0
    /// Transfers that went on where an earlier one had ended.
    public var resumed = 0
    /// Transfers after which the caller's bytes were still good.
    public var notModified = 0
    /// Bytes of bodies, as they were transferred.
    public var receivedByteCount: Int64 = 0

    /// All zero.
    public init() {}
}
