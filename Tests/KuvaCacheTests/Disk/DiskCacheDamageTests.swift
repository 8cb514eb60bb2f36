import Foundation
import KuvaCache
import KuvaCacheFaults
import KuvaCore
import Testing

@Suite("Damaged entries")
struct DiskCacheDamageTests {
    private let fixture = DiskFixture()

    /// Stores one small entry with all that an entry can have, and gives its file and bytes.
    private func storedEntry(_ cache: DiskCache) throws -> (path: String, bytes: [UInt8]) {
        let response = StoredResponse(
            url: URL(string: "https://example.org/1.jpg")!,
            status: 200,
            fields: ["ETag": "\"1\""],
            requestTime: fixture.clock.now,
            responseTime: fixture.clock.now
        )
        let body = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Specimen.body(key: 1, version: 1, length: 20)
        let entry = CachedData(bytes: body, response: response, storedAt: fixture.clock.now)
        try cache.store(entry, for: fixture.key(1, "fit1x1"))
        let path = try #require(fixture.folder.entries().first)
        return (path, Array(try Data(contentsOf: URL(filePath: path))))
    }

    @Test func everyFlippedByteIsAMissAndIsRemoved() throws {
        let cache = fixture.cache()
        let (path, bytes) = try storedEntry(cache)
        for position in bytes.indices {
            for bits in [0x01, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[position] ^= bits
                try Data(damaged).write(to: URL(filePath: path))
                #expect(try cache.data(for: fixture.key(1, "fit1x1")) == nil, "byte \(position)")
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try cache.data(for: fixture.key(1, "fit1x1")) != nil)
    }

    @Test func everyTruncationAndExtensionIsAMiss() throws {
        let cache = fixture.cache()
        let (path, bytes) = try storedEntry(cache)
        for length in bytes.indices {
            try Data(bytes[..<length]).write(to: URL(filePath: path))
            #expect(try cache.data(for: fixture.key(1, "fit1x1")) == nil, "\(length) bytes")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        try Data(bytes + [0]).write(to: URL(filePath: path))
        #expect(try cache.data(for: fixture.key(1, "fit1x1")) == nil)
        try Data(bytes + bytes).write(to: URL(filePath: path))
        #expect(try cache.data(for: fixture.key(1, "fit1x1")) == nil)
    }

    /// After a power cut the name may be on disk and some pages of the file not: they read as zeros.
    @Test func pagesThatNeverReachedTheDiskAreAMiss() throws {
        let cache = fixture.cache()
        try cache.store(fixture.entry(1, blocks: 5), for: fixture.key(1))
        let path = try #require(fixture.folder.entries().first)
        let whole = Array(try Data(contentsOf: URL(filePath: path)))
        let pages = (whole.count + 4095) / 4096
        for lost in 1..<(1 << pages) {
            var bytes = whole
            for page in 0..<pages where lost >> page & 1 == 1 {
                for position in page * 4096..<min((page + 1) * 4096, bytes.count) { bytes[position] = 0 }
            }
            try Data(bytes).write(to: URL(filePath: path))
            #expect(try cache.data(for: fixture.key(1)) == nil, "pages \(String(lost, radix: 2))")
        }
    }

    @Test func headerAndBodyOfTwoEntriesDoNotMix() throws {
        let cache = fixture.cache()
        try cache.store(fixture.entry(1, version: 1), for: fixture.key(1))
        let path = try #require(fixture.folder.entries().first)
        let first = try Data(contentsOf: URL(filePath: path))
        fixture.clock.advance(1)
        try cache.store(fixture.entry(1, version: 2), for: fixture.key(1))
        let second = try Data(contentsOf: URL(filePath: path))
        #expect(first.count == second.count)
        for cut in [200, 1000, first.count - 24, first.count - 8] {
            try (first[..<cut] + second[cut...]).write(to: URL(filePath: path))
            let found = try fixture.read(cache, fixture.key(1))
            #expect(found == nil || cut == first.count - 8, "cut at \(cut)")
        }
    }

    @Test func anotherKeysEntryUnderTheNameIsAMissAndStays() throws {
        let cache = fixture.cache()
        try cache.store(fixture.entry(1), for: fixture.key(1))
        let one = try #require(fixture.folder.entries().first)
        try cache.store(fixture.entry(2), for: fixture.key(2))
        let two = try #require(fixture.folder.entries().first { $0 != one })
        // As if both names were the same hash.
        try FileManager.default.removeItem(atPath: two)
        try FileManager.default.copyItem(atPath: one, toPath: two)
        #expect(try cache.data(for: fixture.key(2)) == nil)
        #expect(FileManager.default.fileExists(atPath: two))
    }

    @Test func foreignThingsUnderTheNameAreMissesAndGiveWay() throws {
        let cache = fixture.cache()
        try cache.store(fixture.entry(1), for: fixture.key(1))
        let path = try #require(fixture.folder.entries().first)
        let entry = try Data(contentsOf: URL(filePath: path))
        let secret = "\(fixture.folder.path)/elsewhere"
        try entry.write(to: URL(filePath: secret))
        let obstacles: [() throws -> Void] = [
            { try Data().write(to: URL(filePath: path)) },
            { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: secret) },
            { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) },
            { #expect(mkfifo(path, 0o600) == 0) },
        ]
        for makeObstacle in obstacles {
            try? FileManager.default.removeItem(atPath: path)
            try makeObstacle()
            #expect(try cache.data(for: fixture.key(1)) == nil)
            #expect((try? FileManager.default.attributesOfItem(atPath: path)) == nil)
            try makeObstacle()
            if (try? cache.store(fixture.entry(1, version: 2), for: fixture.key(1))) != nil {
                #expect(try fixture.read(cache, fixture.key(1))?.version == 2)
            }
        }
        #expect(try Data(contentsOf: URL(filePath: secret)) == entry)
    }
}
