import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("Order of loads", .timeLimit(.minutes(10)))
struct OrderTests {
    private let server: LoopbackServer
    private let gate = Gate()

    init() throws {
        server = try LoopbackServer()
        for number in 0..<100 { server.route("/\(number)", .ok(pattern(2000)).held(by: gate)) }
    }

    private func oneAtATime(_ order: Downloader.Order) throws -> Downloader {
        try makeDownloader {
            $0.maximumConcurrentLoads = 1
            $0.order = order
        }
    }

    private func start(_ numbers: some Sequence<Int>, on downloader: Downloader) -> [LoadProbe] {
        numbers.map { LoadProbe(downloader, server.url("/\($0)")) }
    }

    private func served() -> [Int] { server.ledger.requests.compactMap { Int($0.path.dropFirst()) } }

    @Test func firstInFirstOut() async throws {
        let downloader = try oneAtATime(.firstInFirstOut)
        let probes = start(1...10, on: downloader)
        gate.open()
        for probe in probes { _ = try await probe.result.get() }
        #expect(served() == Array(1...10))
    }

    /// The order that SDWebImage's test of its LIFO mode asks for: 8 to 14 arrive as 7 starts.
    @Test func lastInFirstOut() async throws {
        let downloader = try oneAtATime(.lastInFirstOut)
        var probes = start(1...1, on: downloader)
        try await server.until { $0.count("/1") == 1 }
        probes += start(2...7, on: downloader)
        gate.admit()
        try await server.until { $0.count("/7") == 1 }
        probes += start(8...14, on: downloader)
        gate.open()
        for probe in probes { _ = try await probe.result.get() }
        #expect(served() == [1, 7] + (8...14).reversed() + (2...6).reversed())
    }

    @Test func priorityFirstAndChangedWhileWaiting() async throws {
        let downloader = try oneAtATime(.firstInFirstOut)
        var probes = start(0...0, on: downloader)
        try await server.until { $0.count("/0") == 1 }
        for (number, priority) in [(1, Priority.low), (2, .normal), (3, .veryHigh), (4, .normal), (5, .veryLow)] {
            probes.append(LoadProbe(downloader, server.url("/\(number)"), priority: priority))
        }
        probes[5].setPriority(.high)
        probes[2].setPriority(.veryLow)
        gate.open()
        for probe in probes { _ = try await probe.result.get() }
        #expect(served() == [0, 3, 5, 4, 1, 2])
    }

    @Test func sixAtOnceAndNeverMore() async throws {
        let downloader = try makeDownloader()
        let probes = start(0..<60, on: downloader)
        try await server.until { $0.activeCount == 6 }
        #expect(downloader.currentLoadCount == 60)
        gate.open()
        for probe in probes { _ = try await probe.result.get() }
        #expect(server.ledger.peakActiveCount == 6)
        #expect(server.ledger.requests.count == 60)
        #expect(server.ledger.connectionCount <= 6)
    }

    @Test func eachHostHasItsOwnLimit() async throws {
        let other = try LoopbackServer()
        let otherGate = Gate()
        other.route("/x", .ok(pattern(10)).held(by: otherGate))
        let downloader = try makeDownloader {
            $0.maximumConcurrentLoads = 5
            $0.maximumConcurrentLoadsPerHost = 2
        }
        let probes = start(0..<8, on: downloader)
        try await server.until { $0.activeCount == 2 }
        let others = (0..<3).map { LoadProbe(downloader, other.url("/x?\($0)")) }
        try await other.until { $0.activeCount == 2 }
        otherGate.open()
        for probe in others { _ = try await probe.result.get() }
        gate.open()
        for probe in probes { _ = try await probe.result.get() }
        #expect(server.ledger.peakActiveCount == 2)
        #expect(other.ledger.peakActiveCount == 2)
        #expect(served() == Array(0..<8) || Set(served()) == Set(0..<8))
    }
}
