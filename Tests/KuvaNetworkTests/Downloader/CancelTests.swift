import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("Cancelling loads", .timeLimit(.minutes(10)))
struct CancelTests {
    private let server: LoopbackServer
    private let gate = Gate()
    private let body = pattern(40_000)

    init() throws { server = try LoopbackServer() }

    private func expectCancelled(_ probe: LoadProbe) async throws {
        let error = try #require(await probe.error)
        #expect(error.code == .cancelled)
        #expect(error.isCancellation)
        #expect(error.stage == .download)
        #expect(error.url != nil)
    }

    @Test func whileWaiting() async throws {
        server.route("/first", .ok(body).held(by: gate))
        server.route("/second", .ok(body))
        let downloader = try makeDownloader { $0.maximumConcurrentLoads = 1 }
        let first = LoadProbe(downloader, server.url("/first"))
        let second = LoadProbe(downloader, server.url("/second"))
        second.cancel()
        try await expectCancelled(second)
        gate.open()
        #expect(try await first.result.get().bytes == body)
        #expect(server.requestCount("/second") == 0)
    }

    @Test func whileConnecting() async throws {
        // The server takes the connection but never answers the TLS handshake.
        let downloader = try makeDownloader()
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/a"))
        let probe = LoadProbe(downloader, url)
        try await server.until { $0.connectionCount == 1 }
        probe.cancel()
        try await expectCancelled(probe)
        #expect(server.ledger.requests.isEmpty)
    }

    @Test func whileTheServerThinks() async throws {
        server.route("/slow", .ok(body).held(by: gate))
        let downloader = try makeDownloader()
        let probe = LoadProbe(downloader, server.url("/slow"))
        try await server.until { $0.count("/slow") == 1 }
        probe.cancel()
        try await expectCancelled(probe)
        try await server.until { $0.abandonedCount("/slow") == 1 }
    }

    @Test func whileReceiving() async throws {
        server.route("/drip", .dripping([body.prefix(1000), body.dropFirst(1000)], through: gate))
        let downloader = try makeDownloader()
        let probe = LoadProbe(downloader, server.url("/drip"), cancelsAtProgress: true)
        gate.admit()
        try await expectCancelled(probe)
        #expect(probe.progress.map(\.receivedByteCount) == [1000])
        try await server.until { $0.abandonedCount("/drip") == 1 }
    }

    @Test func afterTheEndChangesNothing() async throws {
        server.route("/a", .ok(body))
        let downloader = try makeDownloader()
        let probe = LoadProbe(downloader, server.url("/a"))
        #expect(try await probe.result.get().bytes == body)
        probe.cancel()
        probe.cancel()
        probe.setPriority(.high)
        _ = try await LoadProbe(downloader, server.url("/a")).result.get()
        #expect(probe.finishCount == 1)
        #expect(probe.eventsAfterEnd == 0)
    }

    @Test func aRequestRightAfterACancelledOneIsAFreshOne() async throws {
        server.route("/a", [.ok(body).held(by: gate), .ok(body)])
        let downloader = try makeDownloader()
        let first = LoadProbe(downloader, server.url("/a"))
        try await server.until { $0.count("/a") == 1 }
        first.cancel()
        let second = LoadProbe(downloader, server.url("/a"))
        try await expectCancelled(first)
        #expect(try await second.result.get().bytes == body)
        #expect(server.requestCount("/a") == 2)
    }

    @Test func slotsOfCancelledLoadsAreFreeAgain() async throws {
        server.route("/held", .ok(body).held(by: gate))
        server.route("/a", .ok(body))
        let downloader = try makeDownloader()
        let held = (0..<6).map { LoadProbe(downloader, server.url("/held?\($0)")) }
        try await server.until { $0.activeCount == 6 }
        let next = LoadProbe(downloader, server.url("/a"))
        for probe in held { probe.cancel() }
        #expect(try await next.result.get().bytes == body)
        for probe in held { try await expectCancelled(probe) }
        #expect(downloader.currentLoadCount == 0)
    }

    /// Every load ends exactly once and last, whole or cancelled, whenever it is cancelled.
    @Test(arguments: [1, 2, 3] as [UInt64]) func exactlyOnceInAStorm(_ seed: UInt64) async throws {
        for number in 0..<10 { server.route("/\(number)", .ok(pattern(3000 * number + 1, seed: number))) }
        let downloader = try makeDownloader()
        var random = SeededGenerator(seed: seed)
        var probes: [(number: Int, probe: LoadProbe)] = []
        for _ in 0..<1000 {
            let number = Int.random(in: 0..<10, using: &random)
            let atProgress = Int.random(in: 0..<4, using: &random) == 0
            let url = server.url("/\(number)")
            probes.append((number, LoadProbe(downloader, url, cancelsAtProgress: atProgress)))
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: probes[Int.random(in: 0..<probes.count, using: &random)].probe.cancel()
            case 2: probes[probes.count - 1].probe.cancel()
            case 3: probes[Int.random(in: 0..<probes.count, using: &random)].probe.setPriority(.high)
            case 4: _ = await probes[Int.random(in: 0..<probes.count, using: &random)].probe.result
            default: break
            }
        }
        var wholeCount = 0
        for (number, probe) in probes {
            switch await probe.result {
            case .success(let loaded):
                wholeCount += 1
                #expect(loaded.bytes == pattern(3000 * number + 1, seed: number))
            case .failure(let error):
                #expect(error.code == .cancelled)
            }
        }
        // The thread is done with everything once a load that came last is.
        _ = await LoadProbe(downloader, server.url("/1")).result
        for (_, probe) in probes {
            #expect(probe.finishCount == 1)
            #expect(probe.eventsAfterEnd == 0)
        }
        #expect((1..<1000).contains(wholeCount))
        #expect(downloader.currentLoadCount == 0)
    }
}
