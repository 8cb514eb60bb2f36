public import FoundationEssentials
internal import Glibc
public import KuvaCore

/// A scripted HTTP/1.1 server on 127.0.0.1, for tests: it answers as told, right or wrong, and counts.
///
/// The kernel chooses the port, so any number of servers run side by side. Every connection has a thread of its own.
/// The server stops when the last reference to it is gone. Any thread may call every method.
///
///     let server = try LoopbackServer()
///     server.route("/a.jpg", .ok(jpeg))
///     let gate = Gate()
///     server.route("/slow.jpg", .ok(jpeg).held(by: gate))
///     … load server.url("/slow.jpg") …
///     try await server.until { $0.count("/slow.jpg") == 1 }
///     gate.open()
public final class LoopbackServer: Sendable {
    /// Decides on an answer when a request comes, on the thread of its connection; may block.
    public typealias Handler = @Sendable (ReceivedRequest) -> ScriptedResponse

    /// The port that the kernel chose.
    public let port: UInt16

    private let core: ServerCore

    /// Starts a server.
    ///
    /// - Throws: ``ImageError`` with the code `io-failed` if the system gives no socket or thread.
    public init() throws(ImageError) {
        let listener = try Socket.listening()
        port = listener.port
        core = ServerCore()
        core.listens(on: listener.socket)
        let core = core
        guard OwnThread.start(name: "loopback", { core.accept(on: listener.socket) }) else {
            throw ImageError(.ioFailed, "the system gave no thread for a server")
        }
    }

    deinit { stop() }

    /// The URL of a path, which may have a query, on this server.
    public func url(_ path: String) -> URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        components.port = Int(port)
        let parts = path.split(separator: "?", maxSplits: 1)
        components.percentEncodedPath = parts.first.map(String.init) ?? "/"
        if parts.count > 1 { components.percentEncodedQuery = String(parts[1]) }
        // 127.0.0.1 with a port and a path is always a URL.
        return components.url!
    }

    /// Answers every request for the path in the same way. A path without a route gets 404.
    public func route(_ path: String, _ response: ScriptedResponse) {
        route(path) { _ in response }
    }

    /// Answers the first request for the path with the first response, and so on; the last one repeats.
    public func route(_ path: String, _ responses: [ScriptedResponse]) {
        let rest = Lock(responses[...])
        route(path) { _ in
            rest.withLock { rest in
                (rest.count > 1 ? rest.popFirst() : rest.first) ?? .status(500)
            }
        }
    }

    /// Answers requests for the path as `handler` says.
    public func route(_ path: String, handler: @escaping Handler) { core.setRoute(path, handler) }

    /// Sends bytes on every later connection before a request has come, as a server of another protocol would.
    public func greet(with bytes: Data) { core.setGreeting(bytes) }

    /// What the server has seen so far.
    public var ledger: ServerLedger { core.ledger }

    /// How many requests named this path, whatever their query.
    public func requestCount(_ path: String) -> Int { ledger.count(path) }

    /// Returns as soon as what the server has seen meets a condition.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled, by the time limit of a test, say.
    public func until(_ condition: @escaping @Sendable (ServerLedger) -> Bool) async throws {
        try await core.until(condition)
    }

    /// Stops listening and ends all connections, in the middle of a response if need be. Later connections are
    /// refused.
    public func stop() { core.stop() }

    /// The URL of a path on a port of this machine on which nobody listens.
    public static func urlOfClosedPort(_ path: String = "/") throws(ImageError) -> URL {
        let server = try LoopbackServer()
        server.stop()
        return server.url(path)
    }
}
