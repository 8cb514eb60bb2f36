import Foundation
import KuvaCache
import KuvaCacheFaults
import KuvaCore
import Testing

@Suite("Disk cache: entries and limits")
struct DiskCacheEntriesTests {
    private let fixture = DiskFixture()

    @Test func countLimitsHold() throws {
        let cache = fixture.cache { $0.countLimit = 3 }
        for number in 1...5 { try cache.store(fixture.entry(number), for: fixture.key(number)) }
        #expect(try cache.statistics().entryCount == 3)
        #expect(try (1...5).filter { try cache.contains(fixture.key($0)) } == [3, 4, 5])
        try cache.store(fixture.entry(5, version: 2), for: fixture.key(5))
        cache.countLimit = 1
        #expect(cache.countLimit == 1)
        try cache.store(fixture.entry(6), for: fixture.key(6))
        #expect(fixture.folder.entries().count == 1)
        #expect(try cache.contains(fixture.key(6)))
    }

    @Test func limitsAreLive() throws {
        var fixture = fixture
        fixture.background = { $0() }
        let cache = fixture.cache(limit: 10 * 4096)
        for number in 1...10 { try cache.store(fixture.entry(number), for: fixture.key(number)) }
        cache.byteLimit = 4 * 4096
        #expect(cache.byteLimit == 4 * 4096)
        #expect(try cache.statistics().byteCount == 4 * 4096)
        #expect(try (1...10).filter { try cache.contains(fixture.key($0)) } == [7, 8, 9, 10])
        try cache.trim(count: 2)
        #expect(fixture.folder.entries().count == 2)
        cache.byteLimit = 100 * 4096
        for number in 20..<40 { try cache.store(fixture.entry(number), for: fixture.key(number)) }
        #expect(try cache.statistics().entryCount == 22)
        #expect(try cache.statistics().evictionCount == 8)
    }

    @Test func severalCachesHoldOneLimitTogether() throws {
        let caches = (0..<4).map { _ in fixture.cache(limit: 8 * 4096) }
        for number in 0..<60 {
            let cache = caches[number % 4]
            try cache.store(fixture.entry(number), for: fixture.key(number))
            #expect(try cache.statistics().byteCount <= 8 * 4096)
            #expect(fixture.folder.entries().count == min(8, number + 1))
            for other in caches { #expect(try other.contains(fixture.key(number))) }
        }
        #expect(try caches[0].statistics().entryCount == 8)
        #expect(try (0..<60).filter { try caches[1].contains(fixture.key($0)) }.contains(0) == false)
    }

    @Test func aLostOrDamagedIndexIsMadeAgain() throws {
        let damages: [(String) throws -> Void] = [
            { try FileManager.default.removeItem(atPath: $0) },
            {
                try Data("not a database at all, but long enough to be taken for one".utf8).write(to: URL(filePath: $0))
            },
            { try Data().write(to: URL(filePath: $0)) },
            {
                try FileManager.default.removeItem(atPath: $0)
                try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: true)
            },
        ]
        for name in ["index.db", "counters"] {
            for damage in damages {
                var fixture = DiskFixture()
                fixture.background = { $0() }
                do {
                    let cache = fixture.cache(limit: 5 * 4096)
                    for number in 1...5 { try cache.store(fixture.entry(number), for: fixture.key(number)) }
                }
                let path = "\(fixture.folder.path)/kuva/default/\(name)"
                try damage(path)
                let cache = fixture.cache(limit: 5 * 4096)
                if (try? cache.store(fixture.entry(6), for: fixture.key(6))) == nil {
                    // A folder that is not empty is not removed for the user.
                    #expect(name == "counters")
                    #expect(try cache.data(for: fixture.key(3)) != nil)
                    continue
                }
                #expect(try cache.statistics().byteCount == 5 * 4096)
                #expect(fixture.folder.entries().count == 5)
                #expect(try (2...6).filter { try cache.data(for: fixture.key($0)) != nil }.count >= 4)
            }
        }
    }

    @Test func entriesCanBeListed() throws {
        let cache = fixture.cache()
        let response = StoredResponse(
            url: URL(string: "https://example.org/1.jpg")!,
            status: 200,
            fields: ["ETag": "\"1\""],
            requestTime: fixture.clock.now,
            responseTime: fixture.clock.now
        )
        let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0]) + Data(repeating: 7, count: 5000)
        try cache.store(
            CachedData(bytes: jpeg, response: response, storedAt: fixture.clock.now),
            for: fixture.key(1, "fit1x1")
        )
        for number in 2...4 { try cache.store(fixture.entry(number), for: fixture.key(number)) }
        let long = CacheKey(original: "https://example.org/" + String(repeating: "x", count: 9000))
        try cache.store(fixture.entry(5), for: long)
        var entries: [DiskCache.Entry] = []
        try cache.forEachEntry {
            entries.append($0)
            return true
        }
        #expect(Set(entries.map(\.key)) == Set((2...4).map { fixture.key($0) } + [fixture.key(1, "fit1x1"), long]))
        let entry = try #require(try cache.entry(for: fixture.key(1, "fit1x1")))
        #expect(entry.byteCount == 5011)
        #expect(entry.diskByteCount == 8192)
        #expect(entry.formatName == "jpeg")
        #expect(entry.response == response)
        #expect(entry.storedAt == fixture.clock.now)
        #expect(abs(entry.usedAt.timeIntervalSince(fixture.clock.now)) < 1)
        #expect(try cache.entry(for: fixture.key(9)) == nil)
        var count = 0
        try cache.forEachEntry { _ in
            count += 1
            return count < 2
        }
        #expect(count == 2)
    }

    @Test func verifyingDropsWhatIsDamaged() throws {
        let cache = fixture.cache()
        for number in 0..<10 { try cache.store(fixture.entry(number), for: fixture.key(number)) }
        let paths = fixture.folder.entries()
        var bytes = try Data(contentsOf: URL(filePath: paths[3]))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: paths[3]))
        try Data().write(to: URL(filePath: paths[7]))
        let report = try cache.verify()
        #expect(report.entryCount == 10)
        #expect(Set(report.damagedPaths) == [paths[3], paths[7]])
        #expect(fixture.folder.entries().count == 8)
        #expect(try cache.statistics().entryCount == 8)
        #expect(try cache.verify().damagedPaths.isEmpty)
        var seen = 0
        _ = try cache.verify {
            seen = $0.entryCount; return seen < 3
        }
        #expect(seen == 3)
    }

    @Test func exportsWholeFiles() throws {
        let cache = fixture.cache()
        let entry = fixture.entry(1)
        try cache.store(entry, for: fixture.key(1))
        let path = "\(fixture.folder.path)/out.jpg"
        try Data("old".utf8).write(to: URL(filePath: path))
        try cache.export(fixture.key(1), to: path)
        #expect(try Data(contentsOf: URL(filePath: path)) == entry.bytes)
        let missing = #expect(throws: ImageError.self) { try cache.export(fixture.key(2), to: path) }
        #expect(missing?.code == .notInCache)
        let error = #expect(throws: ImageError.self) { try cache.export(fixture.key(1), to: "/proc/none/x") }
        #expect(error?.stage == .cacheWrite)
        #expect(fixture.folder.files().filter { !$0.hasPrefix("kuva/") } == ["out.jpg"])
    }

    @Test func removesByPrefix() throws {
        let cache = fixture.cache()
        for host in ["a", "b"] {
            for number in 0..<5 {
                try cache.store(
                    fixture.entry(number),
                    for: CacheKey(original: "https://\(host).org/\(number)", variant: "v")
                )
            }
        }
        try cache.removeData(withPrefix: "https://a.org/")
        #expect(try cache.statistics().entryCount == 5)
        #expect(try cache.contains(CacheKey(original: "https://b.org/1", variant: "v")))
    }

    @Test func readOnlyFoldersAndBundledFilesFillIn() throws {
        let bundle = fixture.cache { $0.namespace = "bundle" }
        try bundle.store(fixture.entry(1), for: fixture.key(1))
        let plain = "\(fixture.folder.path)/plain.png"
        try Data("a plain file".utf8).write(to: URL(filePath: plain))
        let wanted = fixture.key(2)
        let cache = fixture.cache {
            $0.readOnlyFolders = ["\(fixture.folder.path)/none", "\(fixture.folder.path)/kuva/bundle"]
            $0.bundledFile = { $0 == wanted ? plain : nil }
        }
        #expect(try fixture.read(cache, fixture.key(1))?.key == 1)
        #expect(try cache.contains(fixture.key(1)))
        #expect(try cache.data(for: wanted)?.bytes == Data("a plain file".utf8))
        #expect(try cache.data(for: fixture.key(3)) == nil)
        try cache.removeData(for: fixture.key(1))
        try cache.removeAll()
        fixture.clock.advance(100 * 24 * 3600)
        #expect(try fixture.read(cache, fixture.key(1))?.key == 1, "never changed, never too old")
        try cache.store(fixture.entry(1, version: 2), for: fixture.key(1))
        #expect(try fixture.read(cache, fixture.key(1))?.version == 2, "the cache's own comes first")
    }

    private struct Masking: CacheSerializing {
        let mask: UInt8
        func serialize(_ bytes: Data, for key: CacheKey) throws -> Data {
            if bytes.isEmpty { throw CocoaError(.fileWriteUnknown) }
            return Data([mask]) + bytes.map { $0 ^ mask }
        }
        func deserialize(_ bytes: Data, for key: CacheKey) -> Data? {
            bytes.first == mask ? Data(bytes.dropFirst().map { $0 ^ mask }) : nil
        }
    }

    @Test func serializersChangeBytesBothWays() throws {
        let cache = fixture.cache { $0.serializer = Masking(mask: 0x5A) }
        let text = Data("a secret that must not lie on disk as it is".utf8)
        try cache.store(CachedData(bytes: text, storedAt: fixture.clock.now), for: fixture.key(1))
        let path = try #require(fixture.folder.entries().first)
        #expect(try Data(contentsOf: URL(filePath: path)).range(of: text) == nil)
        #expect(try cache.data(for: fixture.key(1))?.bytes == text)
        let error = #expect(throws: ImageError.self) {
            try cache.store(CachedData(bytes: Data(), storedAt: fixture.clock.now), for: fixture.key(2))
        }
        #expect(error?.cause is CocoaError)
        let other = fixture.cache { $0.serializer = Masking(mask: 1) }
        #expect(try other.data(for: fixture.key(1)) == nil)
        #expect(fixture.folder.entries().isEmpty, "nobody can read it any more")
    }

    @Test func largeFilesCanBeMapped() throws {
        let cache = fixture.cache(limit: 100 << 20) { $0.mapsLargeFiles = true }
        let body = Specimen.body(key: 1, version: 1, length: 3 << 20)
        try cache.store(CachedData(bytes: body, storedAt: fixture.clock.now), for: fixture.key(1))
        let found = try #require(try cache.data(for: fixture.key(1)))
        try cache.store(fixture.entry(1, version: 2), for: fixture.key(1))
        #expect(found.bytes == body, "what was read stays what it was")
        #expect(try fixture.read(cache, fixture.key(1))?.version == 2)
    }

    @Test func aFolderOfAnotherOwnerIsRefused() throws {
        guard getuid() == 0 else { return }
        try FileManager.default.createDirectory(
            atPath: "\(fixture.folder.path)/kuva/default",
            withIntermediateDirectories: true
        )
        #expect(chown("\(fixture.folder.path)/kuva/default", 12345, 12345) == 0)
        let error = #expect(throws: ImageError.self) {
            try fixture.cache().store(fixture.entry(1), for: fixture.key(1))
        }
        #expect(error?.code == .cacheUnavailable)
    }
}
