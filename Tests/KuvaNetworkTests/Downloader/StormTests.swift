import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

/// Ten thousand loads that come and go at random.
@Suite("Storm", .serialized, .timeLimit(.minutes(3)))
struct StormTests {
    private static func openDescriptorCount() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    private static func residentByteCount() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private final class Tally: Sendable {
        private let ends: Lock<[UInt8]>
        let handles: Lock<[(any LoadHandle)?]>

        init(count: Int) {
            ends = Lock([UInt8](repeating: 0, count: count))
            handles = Lock([(any LoadHandle)?](repeating: nil, count: count))
        }

        func ended(_ number: Int) { ends.withLock { $0[number] += 1 } }
        var endCounts: [UInt8] { ends.withLock { $0 } }
        var isComplete: Bool { ends.withLock { $0.allSatisfy { $0 > 0 } } }
    }

    private func storm(_ downloader: Downloader, _ server: LoopbackServer, count: Int, seed: UInt64) async -> [UInt8] {
        let tally = Tally(count: count)
        var random = SeededGenerator(seed: seed)
        for number in 0..<count {
            // Some share a transfer, some are cancelled at once, some later, some from inside their own events.
            let cancelsInside = Int.random(in: 0..<10, using: &random) == 0
            let request = LoadRequest(
                url: server.url("/\(number % 5)?\(Int.random(in: 0..<2000, using: &random))"),
                priority: Priority.allCases.randomElement(using: &random) ?? .normal,
                wantsBytes: Bool.random(using: &random)
            )
            let handle = downloader.load(request) { event in
                switch event {
                case .finished(.success(let loaded)):
                    if loaded.bytes.count == 1000 * (number % 5 + 1) { tally.ended(number) }
                case .finished(.failure(let error)):
                    if error.code == .cancelled { tally.ended(number) }
                default:
                    if cancelsInside { tally.handles.withLock { $0[number] }?.cancel() }
                }
            }
            tally.handles.withLock { $0[number] = handle }
            if Int.random(in: 0..<4, using: &random) == 0 { handle.cancel() }
            if Int.random(in: 0..<4, using: &random) == 0 {
                tally.handles.withLock { $0[Int.random(in: 0...number, using: &random)] }?.cancel()
            }
            if number.isMultiple(of: 100) { await Task.yield() }
        }
        while !tally.isComplete { await Task.yield() }
        return tally.endCounts
    }

    @Test func everyLoadEndsOnceAndNothingGrows() async throws {
        let server = try LoopbackServer()
        for number in 0..<5 { server.route("/\(number)", .ok(pattern(1000 * (number + 1)))) }
        let downloader = try makeDownloader {
            $0.maximumConcurrentLoads = 16
            $0.maximumConcurrentLoadsPerHost = 16
        }
        // The first round makes what stays: connections, handles, the heap.
        let first = await storm(downloader, server, count: 2000, seed: 1)
        #expect(first.allSatisfy { $0 == 1 })
        let descriptors = Self.openDescriptorCount()
        let resident = Self.residentByteCount()
        let ends = await storm(downloader, server, count: 10_000, seed: 2)
        #expect(ends.allSatisfy { $0 == 1 })
        #expect(downloader.currentLoadCount == 0)
        // Connections broken off by cancelling are made anew; each has an end in the server, which is in this process.
        #expect(Self.openDescriptorCount() <= descriptors + 2 * 32)
        // The server's list of 10,000 requests is of the order of 10 MB.
        #expect(Self.residentByteCount() - resident < 40 << 20)
    }
}
