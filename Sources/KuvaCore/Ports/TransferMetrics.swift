/// Where the time and the bytes of one transfer went.
public struct TransferMetrics: Hashable, Sendable {
    /// From the call to the first request: waiting for its turn, modifiers included.
    public var queue = Duration.zero
    /// Finding the address of the host; zero on a connection that stood already, as the next two.
    public var nameLookup = Duration.zero
    /// Making the connection.
    public var connect = Duration.zero
    /// The TLS handshake; zero without TLS.
    public var tls = Duration.zero
    /// From the request to the first byte of the answer.
    public var firstByte = Duration.zero
    /// From the first byte of the answer to the last.
    public var body = Duration.zero
    /// Bytes of the body as they were transferred, compressed ones included.
    public var transferredByteCount: Int64 = 0
    /// `HTTP/1.1`, `HTTP/2` and the like; empty if no server was asked.
    public var protocolName = ""
    /// Whether the connection stood already.
    public var isConnectionReused = false
    /// Bytes of the body that an earlier transfer had brought; 0 if it was not resumed.
    public var resumedByteCount: Int64 = 0
    /// Whether the server said that what the caller has is still good.
    public var isNotModified = false
    /// Further attempts after failures.
    public var retryCount = 0
    /// Redirects followed in the last attempt.
    public var redirectCount = 0

    /// Makes empty metrics.
    public init() {}

    /// Whether an earlier transfer was continued.
    public var isResumed: Bool { resumedByteCount > 0 }
}
