import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

/// Time limits, by a clock that the tests move.
@Suite("Time limits", .timeLimit(.minutes(10)))
struct TimeoutTests {
    private let server: LoopbackServer
    private let time = ManualTime()
    private let gate = Gate()
    private let body = pattern(1000)

    init() throws { server = try LoopbackServer() }

    /// Moves the clock on until the load ends, waking the downloader after each step.
    private func pass(_ step: Duration, until probe: LoadProbe) async throws -> ImageError {
        while !probe.isFinished {
            time.advance(by: step)
            probe.setPriority(.high)
            await Task.yield()
        }
        return try #require(await probe.error)
    }

    @Test func noConnection() async throws {
        // Connecting includes the TLS handshake, which this server never answers.
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/a"))
        let probe = LoadProbe(try makeDownloader(time: time.source), url)
        try await server.until { $0.connectionCount == 1 }
        let error = try await pass(.seconds(15), until: probe)
        #expect(error.code == .timedOut)
        #expect(error.message.contains("no connection"))
    }

    @Test func noFirstByte() async throws {
        server.route("/a", .ok(body).held(by: gate))
        let probe = LoadProbe(try makeDownloader(time: time.source), server.url("/a"))
        try await server.until { $0.count("/a") == 1 }
        let error = try await pass(.seconds(15), until: probe)
        #expect(error.code == .timedOut)
        #expect(error.message.contains("sent nothing"))
        #expect(error.stage == .download)
        try await server.until { $0.abandonedCount("/a") == 1 }
    }

    /// Nothing else happens that could make the downloader look at what waits.
    @Test func theRoomOfWhatTookTooLongIsGivenOn() async throws {
        server.route("/a", .ok(body).held(by: gate))
        server.route("/b", .ok(body))
        let downloader = try makeDownloader(time: time.source) { $0.maximumConcurrentLoads = 1 }
        let probe = LoadProbe(downloader, server.url("/a"))
        try await server.until { $0.count("/a") == 1 }
        let next = LoadProbe(downloader, server.url("/b"))
        time.advance(by: .seconds(15))
        probe.setPriority(.high)
        #expect(await probe.error?.code == .timedOut)
        #expect(try await next.result.get().bytes == body)
    }

    @Test func silenceInTheMiddle() async throws {
        server.route("/a", .dripping([body.prefix(500), body.dropFirst(500)], through: gate))
        let probe = LoadProbe(try makeDownloader(time: time.source), server.url("/a"))
        gate.admit()
        while probe.progress.isEmpty, !Task.isCancelled { await Task.yield() }
        let error = try await pass(.seconds(15), until: probe)
        #expect(error.code == .timedOut)
        #expect(error.message.contains("after 500 bytes"))
    }

    @Test func theWholeTakesTooLong() async throws {
        server.route("/a", .dripping([body.prefix(500), body.dropFirst(500)], through: gate))
        let downloader = try makeDownloader(time: time.source) {
            $0.idleTimeout = .seconds(1_000_000)
            $0.totalTimeout = .seconds(60)
        }
        let probe = LoadProbe(downloader, server.url("/a"))
        try await server.until { $0.count("/a") == 1 }
        let error = try await pass(.seconds(60), until: probe)
        #expect(error.code == .timedOut)
        #expect(error.message.contains("whole body"))
    }

    @Test func responseTimesComeFromTheClock() async throws {
        server.route("/a", .ok(body).held(by: gate))
        let probe = LoadProbe(try makeDownloader(time: time.source), server.url("/a"))
        let start = time.wall
        try await server.until { $0.count("/a") == 1 }
        time.advance(by: .seconds(5))
        gate.open()
        let response = try #require(try await probe.result.get().response)
        #expect(response.requestTime == start)
        #expect(response.responseTime == start.addingTimeInterval(5))
    }

    /// A byte every 14 seconds never lets the connection idle for 15, and is cut off all the same.
    @Test func aDripIsCutOff() async throws {
        let pieces = (0..<100).map { body[$0..<($0 + 1)] }
        server.route("/a", .dripping(pieces, through: gate))
        let probe = LoadProbe(try makeDownloader(time: time.source), server.url("/a"))
        var drops = 0
        while !probe.isFinished, drops < 50 {
            drops += 1
            gate.admit()
            while probe.progress.count < drops, !probe.isFinished, !Task.isCancelled { await Task.yield() }
            time.advance(by: .seconds(14))
            probe.setPriority(.high)
        }
        let error = try #require(await probe.error)
        #expect(error.code == .tooSlow)
        // The first 30 seconds without 3,000 bytes: after the third drop.
        #expect((3...4).contains(drops))
    }

    @Test func aSteadyFlowIsNotCutOff() async throws {
        server.route("/a", .dripping((0..<10).map { _ in pattern(3000) }, through: gate))
        let probe = LoadProbe(try makeDownloader(time: time.source), server.url("/a"))
        for number in 1...10 {
            gate.admit()
            while probe.progress.last?.receivedByteCount != Int64(number * 3000), !probe.isFinished {
                await Task.yield()
            }
            time.advance(by: .seconds(14))
            if number < 10 { probe.setPriority(.high) }
        }
        #expect(try await probe.result.get().bytes.count == 30_000)
    }

    /// The head of an answer that comes a line at a time, for ever.
    @Test func aHeadThatNeverEnds() async throws {
        let lines = (0..<100).flatMap { [ScriptedResponse.Step.wait(gate), .send(Data("X-\($0): 1\r\n".utf8))] }
        server.route("/a", ScriptedResponse([.send(Data("HTTP/1.1 200 OK\r\n".utf8))] + lines))
        let probe = LoadProbe(try makeDownloader(time: time.source), server.url("/a"))
        try await server.until { $0.count("/a") == 1 }
        var rounds = 0
        while !probe.isFinished, rounds < 90 {
            rounds += 1
            gate.admit()
            time.advance(by: .seconds(5))
            probe.setPriority(.high)
            await Task.yield()
        }
        #expect(await probe.error?.code == .timedOut)
    }
}
