import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("Retries and other places", .timeLimit(.minutes(10)))
struct RetryTests {
    private let server: LoopbackServer
    private let time = ManualTime()
    private let events = Journal<DownloadEvent>()
    private let body = pattern(20_000)

    init() throws { server = try LoopbackServer() }

    /// A downloader that tries three times, with delays of 1 and 2 seconds, by a clock that the test moves.
    private func downloader(_ change: (inout Downloader.Configuration) -> Void = { _ in }) throws -> Downloader {
        try makeDownloader(time: time.source) { [events] in
            $0.retry = RetryPolicy()
            $0.retry.firstDelay = .seconds(1)
            $0.retry.jitter = 0
            $0.connectTimeout = .seconds(1_000_000)
            $0.firstByteTimeout = .seconds(1_000_000)
            $0.idleTimeout = .seconds(1_000_000)
            $0.minimumSpeed = nil
            $0.onEvent = { events.append($0) }
            change(&$0)
        }
    }

    /// Moves the clock on as far as each retry waits, until the load ends.
    private func pass(_ probe: LoadProbe) async {
        var passed = 0
        while !probe.isFinished {
            let delays = events.delays
            if delays.count > passed {
                time.advance(by: delays[passed])
                passed += 1
                probe.setPriority(.normal)
            }
            await Task.yield()
        }
    }

    @Test func whatHealsIsTriedAgain() async throws {
        server.route("/a", [.status(503), .truncated(body, to: 100), .ok(body)])
        let downloader = try downloader()
        let probe = LoadProbe(downloader, server.url("/a"))
        await pass(probe)
        let loaded = try await probe.result.get()
        #expect(loaded.bytes == body)
        #expect(loaded.metrics?.retryCount == 2)
        #expect(events.delays == [.seconds(1), .seconds(2)])
        #expect(downloader.counters.retried == 2)
        #expect(probe.finishCount == 1)
    }

    @Test func notBeforeItsTime() async throws {
        server.route("/a", [.status(503), .ok(body)])
        server.route("/other", .ok(body))
        let downloader = try downloader()
        let probe = LoadProbe(downloader, server.url("/a"))
        while events.delays.isEmpty, !Task.isCancelled { await Task.yield() }
        time.advance(by: .milliseconds(999))
        _ = try await LoadProbe(downloader, server.url("/other")).result.get()
        #expect(server.requestCount("/a") == 1)
        time.advance(by: .milliseconds(1))
        probe.setPriority(.high)
        #expect(try await probe.result.get().bytes == body)
    }

    @Test func inTheEndItFails() async throws {
        server.route("/a", .status(503))
        let probe = LoadProbe(try downloader(), server.url("/a"))
        await pass(probe)
        #expect(await probe.error?.httpStatus == 503)
        #expect(server.requestCount("/a") == 3)
    }

    @Test func whatDoesNotHealIsNotTriedAgain() async throws {
        server.route("/a", .status(404))
        #expect(await LoadProbe(try downloader(), server.url("/a")).error?.httpStatus == 404)
        #expect(server.requestCount("/a") == 1)
    }

    /// What is not safe to do twice (RFC 9110 §9.2.2).
    @Test func aPostIsNotSentAgain() async throws {
        server.route("/a", .status(503))
        let probe = LoadProbe(try downloader(), server.url("/a")) {
            $0.method = "POST"
            $0.body = Data([1])
        }
        #expect(await probe.error?.httpStatus == 503)
        #expect(server.requestCount("/a") == 1)
    }

    /// Both forms of RFC 9110 §10.2.3.
    @Test func retryAfter() async throws {
        let later = HTTPDate.format(time.wall.addingTimeInterval(7))
        server.route(
            "/a",
            [
                .status(429, fields: ["Retry-After": "5"]),
                .status(503, fields: ["Retry-After": HTTPDate.format(time.wall.addingTimeInterval(12))]), .ok(body),
            ]
        )
        server.route("/b", [.status(503, fields: ["Retry-After": later]), .ok(body)])
        server.route("/c", .status(503, fields: ["Retry-After": "3600"]))
        let downloader = try downloader()
        let probe = LoadProbe(downloader, server.url("/a"))
        await pass(probe)
        _ = try await probe.result.get()
        // The clock stood at 5 seconds when the second answer came.
        #expect(events.delays == [.seconds(5), .seconds(7)])
        #expect(await LoadProbe(downloader, server.url("/c")).error?.httpStatus == 503)
        #expect(server.requestCount("/c") == 1)
    }

    @Test func cancelledWhileItWaits() async throws {
        server.route("/a", .status(503))
        let downloader = try downloader()
        let probe = LoadProbe(downloader, server.url("/a"))
        while events.delays.isEmpty, !Task.isCancelled { await Task.yield() }
        probe.cancel()
        #expect(await probe.error?.code == .cancelled)
        time.advance(by: .seconds(10))
        server.route("/other", .ok(body))
        _ = try await LoadProbe(downloader, server.url("/other")).result.get()
        #expect(server.requestCount("/a") == 1)
        #expect(downloader.currentLoadCount == 0)
    }

    /// A load that waits for its next attempt keeps nobody else waiting.
    @Test func aPauseHoldsNoPlace() async throws {
        server.route("/a", [.status(503), .ok(body)])
        server.route("/b", .ok(body))
        let downloader = try downloader { $0.maximumConcurrentLoads = 1 }
        let probe = LoadProbe(downloader, server.url("/a"))
        while events.delays.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(try await LoadProbe(downloader, server.url("/b")).result.get().bytes == body)
        await pass(probe)
        #expect(try await probe.result.get().bytes == body)
    }

    @Test func otherPlacesAreAskedInOrder() async throws {
        let other = try LoopbackServer()
        server.route("/a", .status(404))
        server.route("/b", .status(410))
        other.route("/c") { request in .ok(Data("\(request.fields["Authorization"] == nil)".utf8)) }
        let probe = LoadProbe(try downloader(), server.url("/a")) {
            $0.alternatives = [server.url("/b"), other.url("/c"), other.url("/d")]
            $0.headers["Authorization"] = "Bearer x"
        }
        // The secret is for the first host only.
        #expect(try await probe.result.get().bytes == Data("true".utf8))
        #expect(server.ledger.requests.map(\.path) == ["/a", "/b"])
        #expect(other.ledger.requests.map(\.path) == ["/c"])
    }

    @Test func whenNoPlaceHasItAllErrorsAreTold() async throws {
        server.route("/a", .status(404))
        server.route("/b", .status(410))
        let probe = LoadProbe(try downloader(), server.url("/a")) { $0.alternatives = [server.url("/b")] }
        let error = try #require(await probe.error)
        #expect(error.httpStatus == 410)
        let all = try #require(error.cause as? FailedAlternatives)
        #expect(all.errors.map(\.httpStatus) == [404, 410])
        #expect(all.errors.map(\.url) == [server.url("/a"), server.url("/b")])
    }

    @Test func cancellingAsksNoOtherPlace() async throws {
        let gate = Gate()
        server.route("/a", .ok(body).held(by: gate))
        let probe = LoadProbe(try downloader(), server.url("/a")) { $0.alternatives = [server.url("/b")] }
        try await server.until { $0.count("/a") == 1 }
        probe.cancel()
        #expect(await probe.error?.code == .cancelled)
        #expect(server.requestCount("/b") == 0)
    }
}
