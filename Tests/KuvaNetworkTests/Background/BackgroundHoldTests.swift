import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

/// Counts what a program is asked to do.
private final class CountingHold: BackgroundHold {
    struct State: Sendable {
        var beginCount = 0
        var releaseCount = 0
        var expiries: [@Sendable () -> Void] = []
    }

    let state = Lock(State())

    private struct Token: BackgroundHoldToken {
        let hold: CountingHold
        func release() { hold.state.withLock { $0.releaseCount += 1 } }
    }

    func begin(onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundHoldToken)? {
        state.withLock { state in
            state.beginCount += 1
            state.expiries.append(onExpiry)
        }
        return Token(hold: self)
    }

    var counts: [Int] { state.withLock { [$0.beginCount, $0.releaseCount] } }
}

@Suite("Background", .timeLimit(.minutes(10)))
struct BackgroundHoldTests {
    private let server: LoopbackServer
    private let hold = CountingHold()
    private let gate = Gate()
    private let body = pattern(5000)

    init() throws {
        server = try LoopbackServer()
        server.route("/a", .ok(body).held(by: gate))
    }

    private func downloader() throws -> Downloader { try makeDownloader { [hold] in $0.backgroundHold = hold } }

    private func start(_ downloader: Downloader, _ path: String = "/a") -> LoadProbe {
        LoadProbe(downloader, server.url(path)) { $0.continuesInBackground = true }
    }

    /// Released once on every end, and after the end has been told.
    private func released(_ count: Int) async {
        while hold.counts[1] < count, !Task.isCancelled { await Task.yield() }
        #expect(hold.counts == [count, count])
    }

    @Test func success() async throws {
        let probe = start(try downloader())
        try await server.until { $0.count("/a") == 1 }
        #expect(hold.counts == [1, 0])
        gate.open()
        _ = try await probe.result.get()
        await released(1)
    }

    @Test func failureAndCancelling() async throws {
        let downloader = try downloader()
        #expect(await start(downloader, "/missing").error?.httpStatus == 404)
        await released(1)
        let probe = start(downloader)
        probe.cancel()
        #expect(await probe.error?.code == .cancelled)
        await released(2)
    }

    @Test func theEndOfItsTime() async throws {
        let probe = start(try downloader())
        try await server.until { $0.count("/a") == 1 }
        for expiry in hold.state.withLock({ $0.expiries }) { expiry() }
        let error = try #require(await probe.error)
        #expect(error.code == .networkCancelled)
        #expect(!error.isCancellation)
        #expect(error.outlook == .canHeal)
        try await server.until { $0.abandonedCount("/a") == 1 }
        await released(1)
        for expiry in hold.state.withLock({ $0.expiries }) { expiry() }
        #expect(probe.finishCount == 1)
        await released(1)
    }

    @Test func othersHoldNothing() async throws {
        gate.open()
        _ = try await LoadProbe(try downloader(), server.url("/a")).result.get()
        #expect(hold.counts == [0, 0])
    }

    @Test func aCommandLineWaits() async throws {
        let waiting = WaitingHold()
        let downloader = try makeDownloader { $0.backgroundHold = waiting }
        await waiting.untilReleased()
        let probe = start(downloader)
        #expect(waiting.count == 1)
        gate.open()
        await waiting.untilReleased()
        #expect(probe.isFinished)
        server.route("/b", .ok(body).held(by: Gate()))
        let late = start(downloader, "/b")
        waiting.expire()
        #expect(await late.error?.code == .networkCancelled)
        await waiting.untilReleased()
    }
}
