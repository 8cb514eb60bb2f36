import Foundation
import KuvaCache
import KuvaCacheFaults
import KuvaCore
import KuvaTesting
import Testing

@Suite("Killed processes", .serialized)
struct DiskCacheKillTests {
    private let program = ExternalProgram(built: "KuvaCacheTorture")
    /// What a shell says of a program that SIGKILL has ended. Any other signal would be a crash.
    private let killed = 128 + SIGKILL

    /// The keys of the helper process.
    private func key(_ number: Int) -> CacheKey {
        CacheKey(original: "https://example.org/\(number / 2).jpg", variant: number % 2 == 0 ? "" : "fit64x64")
    }

    /// Every key gives a whole entry of that key or a miss, and the temporary files of the dead go.
    private func check(_ fixture: DiskFixture, _ limit: Int) throws {
        let cache = fixture.cache(limit: limit) { $0.maximumAge = .seconds(-1) }
        for number in 0..<16 {
            let found = try fixture.read(cache, key(number))
            #expect(found == nil || found?.key == number)
        }
        try cache.store(fixture.entry(99), for: fixture.key(99))
        #expect(fixture.folder.temporaries().count == 1)
        #expect(try cache.statistics().byteCount <= limit)
        #expect(fixture.folder.entries().count == (try cache.statistics().entryCount))
    }

    /// `kill -9` at random moments; `KUVA_CACHE_KILL_ROUNDS` asks for more rounds.
    @Test func aKillAtAnyMomentLeavesWholeEntries() async throws {
        let rounds = ProcessInfo.processInfo.environment["KUVA_CACHE_KILL_ROUNDS"].flatMap { Int($0) } ?? 50
        var fixture = DiskFixture()
        fixture.background = { $0() }
        let limit = 12 * 4096
        for round in 0..<rounds {
            let arguments = ["churn", "\(fixture.folder.path)/kuva", "\(round + 1)", "\(limit)", "1000000000"]
            let process = try program.start(arguments)
            // Not until it has written: the start of a process takes longer than its first stores.
            while fixture.folder.temporaries().isEmpty, process.isRunning { await Task.yield() }
            // The moment of the kill is what is random here; nothing waits for anything.
            try await Task.sleep(for: .microseconds(Int.random(in: 0..<3000)))
            process.kill()
            let outcome = try await process.outcome
            try #require(outcome.status == killed, "\(outcome.errorText)")
            try check(fixture, limit)
        }
    }

    /// The process dies before each file-system call of a script in turn.
    @Test func aKillAtEachCallLeavesWholeEntries() async throws {
        for index in 0..<10_000 {
            var fixture = DiskFixture()
            fixture.background = { $0() }
            let outcome = try await program.run(["die", "\(fixture.folder.path)/kuva", "\(index)"])
            try check(fixture, 10 * 4096)
            if outcome.status == 4 { return }
            try #require(outcome.status == killed, "\(outcome.errorText)")
        }
        Issue.record("the script has no end")
    }

    /// And after so many bytes of each of its writes.
    @Test(arguments: [1, 200, 4096])
    func aKillInTheMiddleOfAWriteLeavesWholeEntries(byteCount: Int) async throws {
        for index in 0..<10_000 {
            var fixture = DiskFixture()
            fixture.background = { $0() }
            let outcome = try await program.run(["die", "\(fixture.folder.path)/kuva", "\(index)", "\(byteCount)"])
            try check(fixture, 10 * 4096)
            if outcome.status == 4 {
                #expect(index > 7, "each store writes")
                return
            }
            try #require(outcome.status == killed, "\(outcome.errorText)")
        }
        Issue.record("the script has no end")
    }

    /// Four processes that store, read, evict, remove and clear on one folder never read what is not whole, and hold one
    /// limit together.
    @Test func processesShareAFolder() async throws {
        var fixture = DiskFixture()
        fixture.background = { $0() }
        let processes = try (1...4).map { seed in
            try program.start(["churn", "\(fixture.folder.path)/kuva", "\(seed)", "\(12 * 4096)", "3000"])
        }
        for process in processes { #expect(try await process.outcome.status == 0) }
        #expect(fixture.folder.temporaries().isEmpty)
        try check(fixture, 12 * 4096)
    }
}
