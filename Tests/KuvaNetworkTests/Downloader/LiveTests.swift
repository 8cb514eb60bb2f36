import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("Changes while loads run", .timeLimit(.minutes(10)))
struct LiveTests {
    private let server: LoopbackServer
    private let gate = Gate()
    private let body = pattern(5000)

    init() throws {
        server = try LoopbackServer()
        server.route("/a", .ok(body).held(by: gate))
    }

    private func start(_ count: Int, on downloader: Downloader) -> [LoadProbe] {
        (0..<count).map { LoadProbe(downloader, server.url("/a?\($0)")) }
    }

    @Test func moreAtOnce() async throws {
        let downloader = try makeDownloader { $0.maximumConcurrentLoads = 1 }
        let probes = start(8, on: downloader)
        try await server.until { $0.activeCount == 1 }
        try downloader.update {
            $0.maximumConcurrentLoads = 7
            $0.maximumConcurrentLoadsPerHost = 4
        }
        try await server.until { $0.activeCount == 4 }
        try downloader.update { $0.maximumConcurrentLoadsPerHost = 7 }
        try await server.until { $0.activeCount == 7 }
        gate.open()
        for probe in probes { _ = try await probe.result.get() }
        #expect(server.ledger.peakActiveCount == 7)
    }

    @Test func headersAndLimitsOfLaterRequests() async throws {
        gate.open()
        let downloader = try makeDownloader()
        _ = try await LoadProbe(downloader, server.url("/a")).result.get()
        try downloader.update {
            $0.headers["X-New"] = "1"
            $0.headers["Accept"] = nil
            $0.maximumBodyByteCount = 10
        }
        #expect(await LoadProbe(downloader, server.url("/a")).error?.code == .bodyTooLarge)
        #expect(server.ledger.requests.map { $0.fields["X-New"] } == [nil, "1"])
        #expect(downloader.configuration.headers["X-New"] == "1")
    }

    @Test func aMistakeChangesNothing() throws {
        let downloader = try makeDownloader()
        #expect(throws: ImageError.self) { try downloader.update { $0.maximumConcurrentLoads = 0 } }
        #expect(downloader.configuration.maximumConcurrentLoads == 6)
    }

    @Test func orderOfWhatWaits() async throws {
        let downloader = try makeDownloader { $0.maximumConcurrentLoads = 1 }
        let probes = start(5, on: downloader)
        try await server.until { $0.activeCount == 1 }
        try downloader.update { $0.order = .lastInFirstOut }
        gate.open()
        for probe in probes { _ = try await probe.result.get() }
        #expect(server.ledger.requests.map(\.target) == ["/a?0", "/a?4", "/a?3", "/a?2", "/a?1"])
    }

    @Test func suspending() async throws {
        let downloader = try makeDownloader { $0.maximumConcurrentLoads = 1 }
        let first = start(1, on: downloader)
        try await server.until { $0.activeCount == 1 }
        downloader.isSuspended = true
        let second = LoadProbe(downloader, server.url("/a?second"))
        gate.open()
        // What runs goes on.
        _ = try await first[0].result.get()
        #expect(downloader.isSuspended)
        #expect(downloader.currentLoadCount == 1)
        #expect(server.ledger.requests.count == 1)
        downloader.isSuspended = false
        _ = try await second.result.get()
    }

    @Test func suspendedFromTheStart() async throws {
        gate.open()
        let downloader = try makeDownloader()
        downloader.isSuspended = true
        let probe = LoadProbe(downloader, server.url("/a"))
        let cancelled = LoadProbe(downloader, server.url("/a?b"))
        cancelled.cancel()
        #expect(await cancelled.error?.code == .cancelled)
        #expect(server.ledger.requests.isEmpty)
        downloader.isSuspended = false
        _ = try await probe.result.get()
    }

    @Test func cancellingAll() async throws {
        let downloader = try makeDownloader { $0.maximumConcurrentLoads = 2 }
        let probes = start(10, on: downloader) + start(10, on: downloader)
        try await server.until { $0.activeCount == 2 }
        downloader.cancelAll()
        for probe in probes { #expect(await probe.error?.code == .cancelled) }
        #expect(downloader.currentLoadCount == 0)
        gate.open()
        #expect(try await LoadProbe(downloader, server.url("/a")).result.get().bytes == body)
        for probe in probes { #expect(probe.finishCount == 1) }
    }

    @Test func statusesAndTypesThatAreAccepted() async throws {
        server.route("/png", .ok(body, type: "image/png; x=1"))
        server.route("/teapot", .status(418, body, fields: ["Content-Type": "image/png"]))
        server.route("/untyped", .status(200, body))
        let downloader = try makeDownloader {
            $0.acceptableContentTypes = ["image/png"]
            $0.acceptableStatuses = [418]
        }
        #expect(try await LoadProbe(downloader, server.url("/teapot")).result.get().bytes == body)
        let refused = try #require(await LoadProbe(downloader, server.url("/png")).error)
        #expect(refused.code == .httpStatus)
        #expect(refused.httpStatus == 200)
        try downloader.update {
            $0.acceptableStatuses = nil
            $0.acceptableContentTypes = ["image/webp"]
        }
        let type = try #require(await LoadProbe(downloader, server.url("/png")).error)
        #expect(type.code == .contentType)
        #expect(type.contentType == "image/png")
        #expect(type.httpStatus == 200)
        #expect(await LoadProbe(downloader, server.url("/untyped")).error?.code == .contentType)
    }

    @Test func eventsAndMetrics() async throws {
        gate.open()
        server.route("/from", .redirect(to: "/a?to"))
        let events = Journal<DownloadEvent>()
        let downloader = try makeDownloader { $0.onEvent = { events.append($0) } }
        let loaded = try await LoadProbe(downloader, server.url("/from")).result.get()
        let metrics = try #require(loaded.metrics)
        #expect(metrics.protocolName == "HTTP/1.1")
        #expect(metrics.redirectCount == 1)
        #expect(metrics.transferredByteCount == 5000)
        #expect(metrics.queue >= .zero && metrics.firstByte > .zero)
        #expect(metrics.isConnectionReused)
        #expect(!metrics.isResumed)
        _ = await LoadProbe(downloader, server.url("/missing")).result
        let names = events.entries.map { event in
            switch event {
            case .queued: "queued"
            case .joined: "joined"
            case .started: "started"
            case .redirected(_, let url): "redirected \(url.query() ?? "")"
            case .retrying: "retrying"
            case .finished: "finished"
            case .failed(_, let error): "failed \(error.code)"
            case .cancelled: "cancelled"
            }
        }
        #expect(names.prefix(4) == ["queued", "started", "redirected to", "finished"])
        while events.entries.count < 7, !Task.isCancelled { await Task.yield() }
        #expect(events.entries.count == 7)
        #expect(downloader.counters.failed == 1)
        #expect(downloader.counters.receivedByteCount == 5000)
    }
}
