import Foundation
import KuvaCache
import KuvaCacheFaults
import KuvaCore
import Testing

@Suite("Faults at each file-system call")
struct DiskCacheFaultTests {
    /// What a store of this kind of fault must say.
    private static let codes: [Int32: Set<ImageError.Code>] = [
        ENOSPC: [.diskFull],
        EDQUOT: [.diskFull],
        EACCES: [.permissionDenied, .cacheUnavailable],
        EIO: [.ioFailed, .cacheUnavailable],
    ]

    /// Each call of a store in turn fails, the first store of a cache and one over an earlier entry with an eviction:
    /// the store throws the right code and leaves the earlier entry, or it succeeds; nothing else stays behind, and
    /// once the fault is gone all works.
    @Test(arguments: [ENOSPC, EDQUOT, EIO, EACCES], [false, true])
    func storesFailWholly(number: Int32, hasEntries: Bool) throws {
        for index in 0..<10_000 {
            let fixture = DiskFixture()
            if hasEntries {
                let earlier = fixture.cache(limit: 3 * 4096)
                for number in 1...3 { try earlier.store(fixture.entry(number), for: fixture.key(number)) }
            }
            let files = FaultyFileSystem { call, _ in call == index ? .fail(number) : nil }
            let cache = fixture.cache(limit: 3 * 4096, files: files) { $0.synchronizesStores = true }
            do {
                try cache.store(fixture.entry(1, version: 2, blocks: 2), for: fixture.key(1))
                #expect(try fixture.read(fixture.cache(), fixture.key(1))?.version == 2)
            } catch let error as ImageError {
                #expect(Self.codes[number]?.contains(error.code) == true, "\(error.debugDescription)")
                #expect(error.stage == .cacheWrite)
                let found = try fixture.read(fixture.cache(), fixture.key(1))
                #expect(found == nil || found?.version == 1)
            }
            if files.callCount <= index { break }
            #expect(fixture.folder.temporaries().count <= 1, "call \(index): \(fixture.folder.temporaries())")
            try cache.store(fixture.entry(4, version: 9), for: fixture.key(4))
            #expect(try fixture.read(cache, fixture.key(4))?.version == 9)
            #expect(try cache.statistics().byteCount <= 3 * 4096)
        }
    }

    /// Each call of a read in turn fails: the read throws, is a miss, or gives the whole entry.
    @Test(arguments: [EIO, EACCES, ENOENT, EMFILE])
    func readsNeverGiveAPart(number: Int32) throws {
        for index in 0..<10_000 {
            let fixture = DiskFixture()
            try fixture.cache().store(fixture.entry(1), for: fixture.key(1))
            fixture.clock.advance(3600)
            let files = FaultyFileSystem { call, _ in call == index ? .fail(number) : nil }
            let cache = fixture.cache(files: files)
            do {
                let found = try fixture.read(cache, fixture.key(1))
                #expect(found == nil || found?.version == 1)
            } catch let error as ImageError {
                #expect(error.stage == .cacheRead)
            }
            if files.callCount <= index { break }
        }
    }

    enum Operation: CaseIterable {
        case remove, removeOriginal, removePrefix, removeAll, trim, verify, statistics, list, contains, export, expire

        func run(_ cache: DiskCache, _ fixture: DiskFixture) throws {
            switch self {
            case .remove: try cache.removeData(for: fixture.key(1))
            case .removeOriginal: try cache.removeData(ofOriginal: fixture.key(1).original)
            case .removePrefix: try cache.removeData(withPrefix: "https://example.org/")
            case .removeAll: try cache.removeAll()
            case .trim: try cache.trim(count: 1)
            case .verify: _ = try cache.verify()
            case .statistics: _ = try cache.statistics()
            case .list: try cache.forEachEntry { _ in true }
            case .contains: _ = try cache.contains(fixture.key(2))
            case .export: try cache.export(fixture.key(2), to: "\(fixture.folder.path)/exported")
            case .expire:
                fixture.clock.advance(8 * 24 * 3600)
                try cache.removeExpired()
            }
        }
    }

    /// Each call of removing, looking around and tidying up in turn fails: with an `ImageError` or not at all. What is
    /// left is whole and counted, and once the fault is gone all of it can be removed.
    @Test(arguments: [EIO, EACCES, ENOSPC], Operation.allCases)
    func otherOperationsFailTyped(number: Int32, operation: Operation) throws {
        for index in 0..<10_000 {
            let fixture = DiskFixture()
            let earlier = fixture.cache()
            for number in 1...3 { try earlier.store(fixture.entry(number), for: fixture.key(number)) }
            let files = FaultyFileSystem { call, _ in call == index ? .fail(number) : nil }
            let cache = fixture.cache(files: files)
            do {
                try operation.run(cache, fixture)
            } catch let error as ImageError {
                #expect(!error.message.isEmpty)
            }
            if files.callCount <= index { break }
            let left = fixture.folder.entries().count
            let counted = try fixture.cache().statistics()
            #expect(counted.entryCount >= left && counted.byteCount >= left * 4096, "call \(index)")
            for number in 1...3 { _ = try fixture.read(fixture.cache(), fixture.key(number)) }
            try cache.removeAll()
            #expect(fixture.folder.entries().isEmpty)
        }
    }

    /// Whatever the disk says, the picture is in memory, and the caller learns why it is not on disk.
    @Test(arguments: [(ENOSPC, ImageError.Code.diskFull), (EROFS, .cacheUnavailable), (EACCES, .cacheUnavailable)])
    func memoryGoesOnWithoutTheDisk(number: Int32, code: ImageError.Code) async throws {
        let fixture = DiskFixture()
        let writes: Set = ["mkdir", "writev", "rename"]
        let files = FaultyFileSystem { _, call in writes.contains(call) ? .fail(number) : nil }
        let codec = TextCodec()
        let cache = ImageCache(
            memory: MemoryCache(byteLimit: 1 << 20),
            disk: fixture.cache(files: files),
            decoders: codec,
            encoders: codec
        )
        let image = try TextCodec.picture()
        let error = await #expect(throws: ImageError.self) { try await cache.store(image, for: fixture.key(1)) }
        #expect(error?.code == code)
        #expect(try await cache.query(fixture.key(1))?.image?.pixels === image.pixels)
        #expect(try await cache.query(fixture.key(2)) == nil)
    }

    @Test(arguments: [1, 7, 100, 4000])
    func shortWritesAreContinued(step: Int) throws {
        let fixture = DiskFixture()
        let cache = fixture.cache(files: FaultyFileSystem { _, _ in .shortWrite(step) })
        try cache.store(fixture.entry(1), for: fixture.key(1))
        #expect(try fixture.read(cache, fixture.key(1))?.version == 1)
    }

    /// The disk fills in the middle of the entry, at each byte of a small one.
    @Test func aDiskThatFillsMidwayLeavesNothing() throws {
        let fixture = DiskFixture()
        try fixture.cache().store(fixture.entry(9), for: fixture.key(9))
        for room in 0..<250 {
            let writes = Lock<Int?>(nil)
            let files = FaultyFileSystem { _, call in
                guard call == "writev" else { return nil }
                return writes.withLock { writes in
                    guard let count = writes else { return nil }
                    writes = count + 1
                    return count == 0 && room > 0 ? .shortWrite(room) : .fail(ENOSPC)
                }
            }
            let cache = fixture.cache(files: files)
            try cache.store(fixture.entry(9), for: fixture.key(9))
            writes.withLock { $0 = 0 }
            let small = CachedData(bytes: Data(repeating: 1, count: 200), storedAt: fixture.clock.now)
            let error = #expect(throws: ImageError.self) { try cache.store(small, for: fixture.key(1)) }
            #expect(error?.code == .diskFull)
            #expect(fixture.folder.entries().count == 1)
            #expect(fixture.folder.temporaries().count == 1)
        }
    }
}
