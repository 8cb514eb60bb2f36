import Foundation
import KuvaCore
import KuvaTesting
import Testing

/// The server is judged by a client that is not ours: the `curl` command.
@Suite("Loopback server", .timeLimit(.minutes(10)), .enabled(if: Curl.isInstalled))
struct LoopbackServerTests {
    private let server: LoopbackServer
    private let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    init() throws { server = try LoopbackServer() }

    @Test func servesBodiesOnOneConnectionAndCounts() async throws {
        server.route("/a", .ok(body))
        server.route("/b", .chunked([body.prefix(10), body.dropFirst(10)]))
        let result = try await Curl.run(["-s", "-H", "X-Test: 1", server.url("/a?q=1").absoluteString])
        #expect(result.output == body)
        let both = try await Curl.run(["-s", server.url("/a").absoluteString, server.url("/b").absoluteString])
        #expect(both.output == body + body)
        let ledger = server.ledger
        #expect(ledger.count("/a") == 2)
        #expect(ledger.requests.map(\.target) == ["/a?q=1", "/a", "/b"])
        #expect(ledger.requests[0].fields["x-test"] == "1")
        #expect(ledger.connectionCount == 2)
        #expect(ledger.activeCount == 0)
    }

    @Test func failsAsTold() async throws {
        let gate = Gate()
        server.route("/cut", .truncated(body, to: 10))
        server.route("/cutchunks", .chunked([body], isComplete: false))
        server.route("/reset", .reset(body, after: 0, at: gate))
        server.route("/open", .withoutLength(body))
        gate.open()
        #expect(try await Curl.run(["-s", server.url("/cut").absoluteString]).status == 18)
        #expect(try await Curl.run(["-s", server.url("/cutchunks").absoluteString]).status == 18)
        #expect(try await Curl.run(["-s", server.url("/reset").absoluteString]).status == 56)
        #expect(try await Curl.run(["-s", server.url("/open").absoluteString]).output == body)
        #expect(try await Curl.run(["-s", "-f", server.url("/nothing").absoluteString]).status == 22)
        let closed = try LoopbackServer.urlOfClosedPort()
        #expect(try await Curl.run(["-s", closed.absoluteString]).status == 7)
    }

    @Test func responsesFollowOneAnother() async throws {
        server.route("/s", [.status(503), .ok(Data("2".utf8)), .ok(Data("3".utf8))])
        let url = server.url("/s").absoluteString
        #expect(try await Curl.run(["-s", url, url, url, url]).output == Data("233".utf8))
    }

    @Test func holdsUntilTheGateOpensAndStopsWhileHolding() async throws {
        let gate = Gate()
        server.route("/held", .ok(body).held(by: gate))
        async let held = Curl.run(["-s", server.url("/held").absoluteString])
        try await server.until { $0.activeCount == 1 }
        gate.admit()
        #expect(try await held.output == body)

        async let lost = Curl.run(["-s", server.url("/held").absoluteString])
        try await server.until { $0.activeCount == 1 }
        server.stop()
        #expect(try await lost.status != 0)
        try await server.until { $0.abandonedCount("/held") == 1 }
    }

    @Test func noticesThatTheClientWentAway() async throws {
        let gate = Gate()
        server.route("/drip", .dripping([body], through: gate))
        let result = try await Curl.run(["-s", "--max-filesize", "1", server.url("/drip").absoluteString])
        #expect(result.status == 63)
        try await server.until { $0.abandonedCount("/drip") == 1 && $0.activeCount == 0 }
    }
}

/// The `curl` command.
enum Curl {
    struct Result: Sendable {
        var status: Int32
        var output: Data
    }

    static let path = "/usr/bin/curl"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    static func run(_ arguments: [String]) async throws -> Result {
        let outcome = try await ExternalProgram(path: path).run(["--noproxy", "*"] + arguments)
        return Result(status: outcome.status, output: outcome.output)
    }
}
