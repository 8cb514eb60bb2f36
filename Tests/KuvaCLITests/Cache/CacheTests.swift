import Foundation
import Kuva
import KuvaTesting
import Testing

@testable import KuvaCLI

@Suite("kuva cache", .timeLimit(.minutes(10)))
struct CacheTests {
    let kuva: KuvaRun
    let cache: DiskCache
    private let jpeg =
        Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0]) + Data(repeating: 7, count: 989)

    init() throws {
        kuva = try KuvaRun()
        let folder = kuva.root.appendingPathComponent("cache/kuva").path
        cache = DiskCache(configuration: DiskCache.Configuration(directory: folder))
        for (url, variant) in [
            ("https://a.example/1.jpg", ""), ("https://a.example/1.jpg", "fit40x40"), ("https://b.example/2.jpg", ""),
        ] {
            try cache.store(CachedData(bytes: jpeg, storedAt: Date()), for: CacheKey(original: url, variant: variant))
        }
    }

    @Test func statisticsCountEntriesBytesAndHosts() async throws {
        let outcome = try await kuva("cache", "stats")
        let lines = outcome.outputText.split(separator: "\n")
        #expect(lines.contains("entries  3"))
        #expect(lines.contains("bytes    12288 (12 KB)"))
        #expect(lines.contains("host     a.example: 2, 8192 (8.2 KB)"))
        #expect(lines.contains("host     b.example: 1, 4096 (4.1 KB)"))
        let json = try await kuva("cache", "stats", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        #expect(object["entries"] as? Int == 3)
        #expect(object["usedToday"] as? Int == 3)
    }

    @Test func listsWithFilters() async throws {
        let all = try await kuva("cache", "list")
        #expect(
            Set(all.outputText.split(separator: "\n")) == [
                "jpeg  1000  0.0  https://a.example/1.jpg", "jpeg  1000  0.0  https://a.example/1.jpg  fit40x40",
                "jpeg  1000  0.0  https://b.example/2.jpg",
            ]
        )
        let some = try await kuva("cache", "list", "--host", "B.example", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: some.output) as? [String: Any])
        #expect(object["url"] as? String == "https://b.example/2.jpg")
        #expect(object["bytes"] as? Int == 1000)
        #expect(try await kuva("cache", "list", "--format", "png").outputText.isEmpty)
        #expect(try await kuva("cache", "list", "--unused", "1").outputText.isEmpty)
        #expect(try await kuva("cache", "list", "--unused", "soon").status == 2)
    }

    @Test func showsAndRemoves() async throws {
        let shown = try await kuva("cache", "show", "https://a.example/1.jpg")
        #expect(shown.status == 0)
        #expect(shown.outputText.contains("variant  fit40x40\n"))
        #expect(shown.outputText.contains("bytes    1000\n"))
        #expect(try await kuva("cache", "show", "https://none.example/").status == 1)
        #expect(try await kuva("cache", "remove", "https://a.example/1.jpg").status == 0)
        #expect(try cache.statistics().entryCount == 1)
        #expect(try await kuva("cache", "remove", "--prefix", "https://b.").status == 0)
        #expect(try cache.statistics().entryCount == 0)
        #expect(try await kuva("cache", "remove").status == 2)
    }

    @Test func trimsVerifiesAndClears() async throws {
        #expect(try await kuva("cache", "trim", "9KB").status == 0)
        #expect(try cache.statistics().byteCount == 8192)
        #expect(try await kuva("cache", "trim", "much").status == 2)
        let whole = try await kuva("cache", "verify")
        #expect(whole.status == 0)
        #expect(whole.outputText.hasSuffix("read, 0 damaged\n"))
        var paths: [String] = []
        try cache.forEachEntry {
            paths.append($0.path)
            return true
        }
        let path = try #require(paths.first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[200] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let damaged = try await kuva("cache", "verify")
        #expect(damaged.status == 1)
        #expect(damaged.errorText.contains("damaged; removed"))
        #expect(try await kuva("cache", "clear").status == 0)
        #expect(try cache.statistics().entryCount == 0)
    }

    @Test(arguments: [
        ("4096", 4096), ("100MB", 100_000_000), ("2g", 2_000_000_000), ("5 K", 5000), ("", nil), ("MB", nil),
        ("1XB", nil),
        ("-1", nil), ("99999999999999T", nil),
    ])
    func sizesAreRead(text: String, count: Int?) {
        #expect(ByteText.count(text) == count)
    }
}
