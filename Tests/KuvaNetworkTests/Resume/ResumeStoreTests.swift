import Foundation
import KuvaCore
import Testing

@testable import KuvaNetwork

@Suite("Resume store", .timeLimit(.minutes(10)))
struct ResumeStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "resume-\(UUID().uuidString)").path()

    private func store(_ change: (inout ResumeStore.Limits) -> Void = { _ in }) throws -> ResumeStore {
        var limits = ResumeStore.Limits()
        limits.minimumByteCount = 1
        change(&limits)
        return try ResumeStore(path: folder, limits: limits)
    }

    private func partial(_ count: Int, seed: Int = 0) -> PartialBody {
        PartialBody(
            origin: .init(validator: "\"\(seed)\"", totalByteCount: 1_000_000),
            bytes: pattern(count, seed: seed)
        )
    }

    private func read(_ store: ResumeStore, _ address: String) async -> PartialBody? {
        await withCheckedContinuation { continuation in store.read(address) { continuation.resume(returning: $0) } }
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    @Test func keepsAcrossRuns() async throws {
        defer { remove() }
        let first = try store()
        first.keep(partial(5000, seed: 1), of: "http://a/1")
        await first.flush()
        let second = try store()
        #expect(await read(second, "http://a/1") == partial(5000, seed: 1))
        #expect(await read(second, "http://a/2") == nil)
        #expect(second.count == 1)
        #expect(!second.mayHold("http://a/2"))
        second.remove("http://a/1")
        await second.flush()
        #expect(await read(try store(), "http://a/1") == nil)
        #expect(names.isEmpty)
    }

    @Test func theLeastRecentlyTouchedGoFirst() async throws {
        defer { remove() }
        let store = try store { $0.fileCount = 3 }
        for number in 1...3 { store.keep(partial(100, seed: number), of: "\(number)") }
        #expect(await read(store, "1") != nil)
        store.keep(partial(100, seed: 4), of: "4")
        await store.flush()
        #expect(names.count == 3)
        #expect(await read(store, "2") == nil)
        for number in [1, 3, 4] { #expect(await read(store, "\(number)") == partial(100, seed: number)) }
    }

    @Test func bytesAreBounded() async throws {
        defer { remove() }
        let store = try store { $0.totalByteCount = 10_000 }
        for number in 0..<50 { store.keep(partial(1000, seed: number), of: "\(number)") }
        // Half of the whole is the most for one.
        store.keep(partial(5001), of: "large")
        await store.flush()
        #expect(store.byteCount <= 10_000)
        let sizes = try names.map { name in
            try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int ?? 0
        }
        #expect(sizes.reduce(0, +) == store.byteCount)
        #expect(await read(store, "large") == nil)
        #expect(await read(store, "49") != nil)
        // A later run with less room makes room.
        let smaller = try self.store { $0.totalByteCount = 3000 }
        await smaller.flush()
        #expect(smaller.byteCount <= 3000)
        #expect(names.count == smaller.count)
    }

    @Test func shortBeginningsAreNotWorthAFile() async throws {
        defer { remove() }
        let store = try store { $0.minimumByteCount = 1000 }
        store.keep(partial(999), of: "a")
        await store.flush()
        #expect(names.isEmpty)
    }

    /// Every cut and every changed byte is a miss, never other bytes.
    @Test func damageIsAMiss() throws {
        let whole = PartialFile.encode(partial(300), address: "http://a/1")
        #expect(PartialFile.decode(whole, address: "http://a/1") == partial(300))
        #expect(PartialFile.decode(whole, address: "http://a/2") == nil)
        for count in 0..<whole.count { #expect(PartialFile.decode(whole.prefix(count), address: "http://a/1") == nil) }
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x10
            let read = PartialFile.decode(damaged, address: "http://a/1")
            // The length of the whole is not summed: a wrong one is found out by the server's answer.
            #expect(read == nil || read?.bytes == partial(300).bytes)
        }
        #expect(PartialFile.decode(whole + Data([0]), address: "http://a/1") == nil)
    }

    @Test func aDamagedFileIsClearedAway() async throws {
        defer { remove() }
        let first = try store()
        first.keep(partial(500), of: "a")
        await first.flush()
        let file = "\(folder)/\(try #require(names.first))"
        try Data("KUVAPART".utf8).write(to: URL(filePath: file))
        let second = try store()
        #expect(await read(second, "a") == nil)
        #expect(names.isEmpty)
    }

    @Test func whatARunDidNotFinishIsClearedAway() async throws {
        defer { remove() }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let name = PartialFile.name(of: "a")
        try Data([1]).write(to: URL(filePath: "\(folder)/\(name).new"))
        try Data([1]).write(to: URL(filePath: "\(folder)/notes.txt"))
        let store = try store()
        await store.flush()
        #expect(names == ["notes.txt"])
        #expect(store.count == 0)
    }

    @Test func aFolderThatCannotBeUsedOnlyKeepsNothing() async throws {
        let store = try ResumeStore(path: "/proc/nowhere")
        store.keep(partial(100_000), of: "a")
        await store.flush()
        #expect(await read(store, "a") == nil)
        #expect(throws: ImageError.self) { _ = try ResumeStore(path: "") }
    }

    @Test func everythingCanBeForgotten() async throws {
        defer { remove() }
        let store = try store()
        for number in 0..<5 { store.keep(partial(100), of: "\(number)") }
        store.removeAll()
        await store.flush()
        #expect(names.isEmpty)
        #expect(store.count == 0)
    }
}
