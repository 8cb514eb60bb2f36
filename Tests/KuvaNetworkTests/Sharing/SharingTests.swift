import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("Loads that share a transfer", .timeLimit(.minutes(10)))
struct SharingTests {
    private let server: LoopbackServer
    private let gate = Gate()
    private let body = pattern(40_000)

    init() throws { server = try LoopbackServer() }

    @Test func oneTransferForAll() async throws {
        server.route("/a", .ok(body).held(by: gate))
        let downloader = try makeDownloader()
        let probes = (0..<10).map { _ in LoadProbe(downloader, server.url("/a")) }
        try await server.until { $0.count("/a") == 1 }
        gate.open()
        for probe in probes { #expect(try await probe.result.get().bytes == body) }
        #expect(server.requestCount("/a") == 1)
        #expect(downloader.counters.joined == 9)
        #expect(downloader.counters.succeeded == 1)
    }

    /// The fragment is for the client (RFC 3986 §3.5).
    @Test func fragmentsDoNotMatter() async throws {
        server.route("/a", .ok(body).held(by: gate))
        let downloader = try makeDownloader()
        let plain = server.url("/a")
        let probes = [LoadProbe(downloader, plain), LoadProbe(downloader, plain.appending(path: "").standardized)]
        let marked = LoadProbe(downloader, try #require(URL(string: plain.absoluteString + "#x")))
        try await server.until { $0.count("/a") >= 1 }
        gate.open()
        _ = try await probes[0].result.get()
        _ = try await marked.result.get()
        _ = await probes[1].result
        #expect(server.requestCount("/a") == 1)
    }

    @Test func oneLeavesAndTheOthersStay() async throws {
        server.route("/a", .ok(body).held(by: gate))
        let downloader = try makeDownloader()
        let first = LoadProbe(downloader, server.url("/a"))
        let second = LoadProbe(downloader, server.url("/a"))
        try await server.until { $0.count("/a") == 1 }
        first.cancel()
        #expect(await first.error?.code == .cancelled)
        #expect(!second.isFinished)
        gate.open()
        #expect(try await second.result.get().bytes == body)
        #expect(server.requestCount("/a") == 1)
    }

    @Test func theTransferEndsWithTheLast() async throws {
        server.route("/a", .ok(body).held(by: gate))
        let downloader = try makeDownloader()
        let probes = (0..<3).map { _ in LoadProbe(downloader, server.url("/a")) }
        try await server.until { $0.count("/a") == 1 }
        for probe in probes { probe.cancel() }
        try await server.until { $0.abandonedCount("/a") == 1 }
        for probe in probes { #expect(await probe.error?.code == .cancelled) }
    }

    @Test func whoAsksMatters() async throws {
        server.route("/a") { request in .ok(Data((request.fields["Authorization"] ?? "nobody").utf8)) }
        let downloader = try makeDownloader()
        downloader.isSuspended = true
        let probes = ["Bearer 1", "Bearer 2", nil, "Bearer 1"].map { token in
            LoadProbe(downloader, server.url("/a")) { $0.headers["Authorization"] = token }
        }
        downloader.isSuspended = false
        var bodies: [String] = []
        for probe in probes { bodies.append(String(decoding: try await probe.result.get().bytes, as: UTF8.self)) }
        #expect(bodies == ["Bearer 1", "Bearer 2", "nobody", "Bearer 1"])
        #expect(server.requestCount("/a") == 3)
    }

    @Test func otherHeadersDoNotMatterUnlessVaryNamesThem() async throws {
        server.route("/a", .ok(body).held(by: gate))
        server.route("/vary") { request in
            .ok(Data((request.fields["X-Size"] ?? "none").utf8), fields: ["Vary": "X-Size"])
        }
        let downloader = try makeDownloader()
        downloader.isSuspended = true
        let same = (0..<2).map { number in
            LoadProbe(downloader, server.url("/a")) { $0.headers["X-Trace"] = "\(number)" }
        }
        let other = ["1", "2", "1"].map { size in
            LoadProbe(downloader, server.url("/vary")) { $0.headers["X-Size"] = size }
        }
        downloader.isSuspended = false
        gate.open()
        for probe in same { #expect(try await probe.result.get().bytes == body) }
        #expect(server.requestCount("/a") == 1)
        var sizes: [String] = []
        for probe in other {
            let loaded = try await probe.result.get()
            sizes.append(String(decoding: loaded.bytes, as: UTF8.self))
            #expect(loaded.response?.selectingFields["X-Size"] == sizes.last)
            #expect(probe.finishCount == 1)
        }
        #expect(sizes == ["1", "2", "1"])
        #expect(server.requestCount("/vary") == 2)
    }

    /// SDWebImage's test of 200 joiners, some before, some during, some after the end of a transfer.
    @Test func twoHundredStaggeredJoinersAllGetAnAnswerInTheirOrder() async throws {
        server.route("/a", .dripping((0..<10).map { body[($0 * 4000)..<(($0 + 1) * 4000)] }, through: gate))
        let downloader = try makeDownloader()
        let finished = Journal<Int>()
        var probes: [LoadProbe] = []
        for number in 0..<200 {
            let request = LoadRequest(url: server.url("/a"))
            probes.append(LoadProbe(downloader, request) { finished.append(number) })
            if number.isMultiple(of: 12) { gate.admit() }
            if number.isMultiple(of: 50) { await Task.yield() }
        }
        gate.open()
        for probe in probes { #expect(try await probe.result.get().bytes == body) }
        for probe in probes { #expect(probe.finishCount == 1) }
        // Each transfer answers its callers in the order in which they joined, and the transfers follow each other.
        #expect(finished.entries == Array(0..<200))
    }

    @Test func whoJoinsLateGetsAllBytesAndWhereItStands() async throws {
        server.route("/a", .dripping([body.prefix(1000), body.dropFirst(1000)], through: gate))
        let downloader = try makeDownloader()
        let first = LoadProbe(downloader, server.url("/a"))
        gate.admit()
        while first.progress.isEmpty, !Task.isCancelled { await Task.yield() }
        let late = LoadProbe(downloader, server.url("/a"), wantsBytes: true)
        while late.progress.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(late.progress.first == LoadProgress(receivedByteCount: 1000, expectedByteCount: 40_000))
        gate.open()
        #expect(try await late.result.get().bytes == body)
        #expect(late.bytes == body)
        #expect(server.requestCount("/a") == 1)
    }

    /// The highest priority of those who still want it counts.
    @Test func priorityFallsWhenTheMostUrgentLeaves() async throws {
        for path in ["/first", "/shared", "/other"] { server.route(path, .ok(body).held(by: gate)) }
        let downloader = try makeDownloader { $0.maximumConcurrentLoads = 1 }
        var probes = [LoadProbe(downloader, server.url("/first"))]
        try await server.until { $0.count("/first") == 1 }
        probes.append(LoadProbe(downloader, server.url("/shared"), priority: .low))
        probes.append(LoadProbe(downloader, server.url("/other"), priority: .normal))
        let urgent = LoadProbe(downloader, server.url("/shared"), priority: .veryHigh)
        urgent.cancel()
        #expect(await urgent.error?.code == .cancelled)
        gate.open()
        for probe in probes { _ = try await probe.result.get() }
        #expect(server.ledger.requests.map(\.path) == ["/first", "/other", "/shared"])
    }

    @Test func priorityRisesWhenAnUrgentOneJoins() async throws {
        for path in ["/first", "/shared", "/other"] { server.route(path, .ok(body).held(by: gate)) }
        let downloader = try makeDownloader { $0.maximumConcurrentLoads = 1 }
        var probes = [LoadProbe(downloader, server.url("/first"))]
        try await server.until { $0.count("/first") == 1 }
        probes.append(LoadProbe(downloader, server.url("/other"), priority: .normal))
        probes.append(LoadProbe(downloader, server.url("/shared"), priority: .low))
        probes.append(LoadProbe(downloader, server.url("/shared"), priority: .high))
        gate.open()
        for probe in probes { _ = try await probe.result.get() }
        #expect(server.ledger.requests.map(\.path) == ["/first", "/shared", "/other"])
    }

    @Test func anErrorIsForAll() async throws {
        server.route("/empty", .ok(Data()).held(by: gate))
        let downloader = try makeDownloader()
        let probes = (0..<20).map { _ in LoadProbe(downloader, server.url("/empty")) }
        gate.open()
        for probe in probes { #expect(await probe.error?.code == .emptyBody) }
    }

    /// Callers who come while the body is being transformed join, and are answered after the others.
    @Test func joinersDuringTheTransformAreNotLost() async throws {
        server.route("/a", .ok(body))
        let downloader = try makeDownloader { [gate] in
            $0.bodyTransformer = BodyTransformer(name: "held") { data, _ in
                gate.wait()
                return data
            }
        }
        let finished = Journal<Int>()
        var probes = [LoadProbe(downloader, LoadRequest(url: server.url("/a"))) { finished.append(0) }]
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [gate] in
                gate.waitForArrivals(1)
                continuation.resume()
            }
        }
        for number in 1..<20 {
            probes.append(LoadProbe(downloader, LoadRequest(url: server.url("/a"))) { finished.append(number) })
        }
        // Once this one, which takes another way, has ended, the others have joined.
        _ = await LoadProbe(downloader, try #require(URL(string: "http:///x"))).result
        gate.open()
        for probe in probes { #expect(try await probe.result.get().bytes == body) }
        #expect(finished.entries == Array(0..<20))
        #expect(server.requestCount("/a") == 1)
    }
}
