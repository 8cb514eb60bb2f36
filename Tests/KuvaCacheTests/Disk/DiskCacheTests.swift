import Foundation
import KuvaCache
import KuvaCacheFaults
import KuvaCore
import Testing

@Suite("Disk cache")
struct DiskCacheTests {
    private let fixture = DiskFixture()

    /// With and without request fields that `Vary` named (RFC 9111 §4.1).
    @Test(arguments: [[:], ["accept": "image/webp", "x-size": ""]] as [HTTPFields])
    func givesBackBytesAndWhatTheServerSaid(_ selectingFields: HTTPFields) throws {
        let response = StoredResponse(
            url: URL(string: "https://cdn.example.org/a%20b.jpg?x=1")!,
            status: 200,
            fields: ["Content-Type": "image/jpeg", "ETag": "\"ä\"", "Set-Cookie": "a", "set-cookie": "b"],
            selectingFields: selectingFields,
            requestTime: Date(timeIntervalSinceReferenceDate: 799_999_999.123456789),
            responseTime: Date(timeIntervalSinceReferenceDate: 0.1)
        )
        let entry = CachedData(
            bytes: Data("\u{FF}\0 picture".utf8),
            response: response,
            storedAt: Date(timeIntervalSinceReferenceDate: 799_999_999.7)
        )
        let key = fixture.key(1, "fit300x200")
        let cache = fixture.cache()
        #expect(try cache.data(for: key) == nil)
        try cache.store(entry, for: key)
        for cache in [cache, fixture.cache()] {
            let found = try #require(try cache.data(for: key))
            #expect(found.bytes == entry.bytes)
            #expect(found.bytes.startIndex == 0)
            #expect(found.response == response)
            #expect(found.storedAt == entry.storedAt)
        }
        #expect(try cache.data(for: fixture.key(1)) == nil)
    }

    @Test(arguments: [0, 1, 14, 15, 4096, 300_000])
    func bodiesOfAnyLengthComeBack(length: Int) throws {
        let cache = fixture.cache()
        let bytes = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try cache.store(CachedData(bytes: bytes, storedAt: fixture.clock.now), for: fixture.key(1))
        let found = try #require(try cache.data(for: fixture.key(1)))
        #expect(found.bytes == bytes)
        #expect(found.response == nil)
    }

    @Test func aStoreReplacesAnEarlierOne() throws {
        let cache = fixture.cache()
        try cache.store(fixture.entry(1, version: 1, blocks: 3), for: fixture.key(1))
        try cache.store(fixture.entry(1, version: 2), for: fixture.key(1))
        #expect(try fixture.read(cache, fixture.key(1))?.version == 2)
        let statistics = try cache.statistics()
        #expect(statistics.entryCount == 1)
        #expect(statistics.byteCount == 4096)
        #expect(statistics.byteLimit == 1 << 20)
        #expect(statistics.path == "\(fixture.folder.path)/kuva")
        #expect(fixture.folder.entries().count == 1)
    }

    @Test func namesAreTheHashesOfOriginalAndVariant() throws {
        // XXH3-128 of "abc" and of nothing, as xxhsum -H2 prints them.
        let cache = fixture.cache()
        try cache.store(fixture.entry(1), for: CacheKey(original: "abc"))
        try cache.store(fixture.entry(1), for: CacheKey(original: "", variant: "abc"))
        let (abc, nothing) = ("06b05ab6733a618578af5f94892f3950", "99aa06d3014798d86001c324468d497f")
        let expected = ["default/06/\(abc)-\(nothing)", "default/99/\(nothing)-\(abc)"]
        #expect(fixture.folder.entries() == expected.map { "\(fixture.folder.path)/kuva/\($0)" })
    }

    /// The peer's 34 to 37 and 49, whose names are made from URLs.
    @Test(arguments: [
        "", "/", "..", "../../../outside", "https://example.org/a%00b.png", "a\0b", "a\nb", "-", "😀", "e\u{301}",
        "https://example.org/?a.b.c", String(repeating: "long", count: 25_000),
    ])
    func anyTextIsAKey(text: String) throws {
        let cache = fixture.cache()
        for key in [CacheKey(original: text), CacheKey(original: "https://example.org/", variant: text)] {
            try cache.store(fixture.entry(1), for: key)
            #expect(try fixture.read(cache, key)?.key == 1)
            #expect(try cache.entry(for: key)?.key == key)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["kuva"])
        #expect(fixture.folder.entries().count == 2)
    }

    /// The peer's 20 and 21.
    @Test func countsFromNothing() throws {
        let cache = fixture.cache()
        #expect(try cache.statistics().entryCount == 0 && cache.statistics().byteCount == 0)
        #expect(fixture.folder.entries().isEmpty, "asking makes no folder")
        try cache.store(fixture.entry(1), for: fixture.key(1))
        #expect(try cache.statistics().entryCount == 1 && cache.statistics().byteCount == 4096)
    }

    @Test func removes() throws {
        let cache = fixture.cache()
        let variants = ["", "fit1x1", "fit2x2"]
        for number in 1...3 {
            for variant in variants { try cache.store(fixture.entry(number), for: fixture.key(number, variant)) }
        }
        try cache.removeData(for: fixture.key(1, "fit1x1"))
        try cache.removeData(for: fixture.key(9))
        #expect(try cache.data(for: fixture.key(1, "fit1x1")) == nil)
        #expect(try cache.data(for: fixture.key(1)) != nil)
        try cache.removeData(ofOriginal: fixture.key(2).original)
        for variant in variants { #expect(try cache.data(for: fixture.key(2, variant)) == nil) }
        #expect(try cache.statistics().entryCount == 5)
        // Another cache, which knows nothing of these entries, removes them all.
        try fixture.cache().removeAll()
        #expect(fixture.folder.entries().isEmpty)
        try cache.removeAll()
        #expect(try cache.statistics().entryCount == 0)
        #expect(try cache.statistics().byteCount == 0)
    }

    @Test func storesCanWaitForTheDisk() throws {
        let calls = Lock<[String]>([])
        let files = FaultyFileSystem { _, call in
            calls.withLock { $0.append(call) }
            return nil
        }
        let cache = fixture.cache(files: files) { $0.synchronizesStores = true }
        try cache.store(fixture.entry(1), for: fixture.key(1))
        let made = calls.withLock { $0 }
        let rename = try #require(made.lastIndex(of: "rename"))
        #expect(made[..<rename].last { $0 == "fsync" } != nil, "the bytes before the name")
        #expect(made[rename...].contains("fsync"), "the name after it")
        #expect(try fixture.read(cache, fixture.key(1))?.version == 1)
    }

    @Test func makesItsFolderForTheUserAlone() throws {
        let cache = fixture.cache()
        #expect(try cache.data(for: fixture.key(1)) == nil)
        #expect(try cache.statistics().entryCount == 0)
        #expect(fixture.folder.files().isEmpty, "looking makes nothing")
        try cache.store(fixture.entry(1), for: fixture.key(1))
        for folder in ["kuva", "kuva/default", "kuva/default/tmp"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(fixture.folder.path)/\(folder)")
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
        let tag = try String(contentsOfFile: "\(fixture.folder.path)/kuva/CACHEDIR.TAG", encoding: .utf8)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    }

    @Test func namespacesAreApart() throws {
        let (one, two) = (fixture.cache(), fixture.cache { $0.namespace = "../two" })
        try one.store(fixture.entry(1), for: fixture.key(1))
        try two.store(fixture.entry(2), for: fixture.key(1))
        #expect(try fixture.read(one, fixture.key(1))?.key == 1)
        #expect(try fixture.read(two, fixture.key(1))?.key == 2)
        try two.removeAll()
        #expect(try fixture.read(one, fixture.key(1))?.key == 1)
        #expect(fixture.folder.files().allSatisfy { $0.hasPrefix("kuva/") })
    }
}
