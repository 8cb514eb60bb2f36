import BenchmarkKit
import Foundation
import KuvaCache
import KuvaCore

/// The index at a million entries (a quick run: a hundred thousand), each in a process of its own.
///
/// The entries are hard links to one small file under names of the cache's form: opening and evicting look at names and
/// sizes only.
enum MillionEntries {
    private static func count(_ options: Options) -> Int { options.isQuick ? 100_000 : 1_000_000 }

    static func open(_ options: Options) throws -> Contest {
        let folder = try filled(count(options))
        return Contest(
            "open-1m",
            metric: "wall",
            unit: "ms",
            ours: .init("kuva") { try helper(folder, "open") },
            rivals: [.init("goal") { 50 }]
        )
    }

    /// A store that evicts, at the limit; the other side is 1.3 times what it costs at 1,000 entries.
    static func evict(_ options: Options) throws -> Contest {
        let (large, small) = (try filled(count(options)), try filled(1000))
        return Contest(
            "evict-1m",
            metric: "cpu",
            unit: "ns",
            ours: .init("kuva") { try helper(large, "evict") },
            rivals: [.init("goal") { 1.3 * (try helper(small, "evict")) }]
        )
    }

    static func memory(_ options: Options) throws -> Contest {
        let folder = try filled(count(options))
        return Contest(
            "rss-1m",
            metric: "rss",
            unit: "MB",
            ours: .init("kuva") { try helper(folder, "memory") },
            rivals: [.init("goal") { 64 }]
        )
    }

    private static func helper(_ folder: Scratch, _ operation: String) throws -> Double {
        let output = try run("/proc/self/exe", ["million", operation, folder.path])
        guard let value = Double(output) else { throw Failure("the helper said \(output)") }
        return value
    }

    /// Made once for all cases.
    nonisolated(unsafe) private static var folders: [Int: Scratch] = [:]  // The suites run on the main thread only.

    /// Nothing static ever goes by itself.
    static func removeFolders() { folders = [:] }

    private static func filled(_ count: Int) throws -> Scratch {
        if let folder = folders[count] { return folder }
        let folder = try make(count)
        folders[count] = folder
        return folder
    }

    private static func make(_ count: Int) throws -> Scratch {
        let folder = try Scratch(on: "/dev/shm")
        let namespace = "\(folder.path)/default"
        let shards = (0..<256).map { "\(namespace)/\(String(format: "%02x", $0))" }
        for shard in shards {
            try FileManager.default.createDirectory(atPath: shard, withIntermediateDirectories: true)
        }
        let first = "\(folder.path)/first"
        try Data(repeating: 1, count: 300).write(to: URL(fileURLWithPath: first))
        var generator = SystemRandomNumberGenerator()
        for number in 0..<count {
            let shard = number & 255
            let words = (0..<4).map { _ in String(format: "%016lx", generator.next() as UInt64) }
            let original = String(format: "%02x", shard) + (words[0] + words[1]).dropFirst(2)
            guard link(first, "\(shards[shard])/\(original)-\(words[2])\(words[3])") == 0 else {
                throw Failure("the system does not link")
            }
        }
        // Counts the entries once and puts them into the queue.
        _ = try helper(folder, "open")
        return folder
    }

    /// What the helper process does.
    static func main(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw Failure("million OPERATION FOLDER") }
        let start = (wall: Clock.wall, cpu: Clock.cpu)
        var configuration = DiskCache.Configuration(directory: arguments[1])
        configuration.byteLimit = 1 << 40
        configuration.maximumAge = .seconds(-1)
        let cache = DiskCache(configuration: configuration)
        let statistics = try cache.statistics()
        switch arguments[0] {
        case "open":
            print((Clock.wall - start.wall) * 1000)
        case "evict":
            try stores(cache, statistics.entryCount, 2000)
            let begun = Clock.cpu
            try stores(cache, statistics.entryCount, 4000)
            print((Clock.cpu - begun) * 1e9 / 4000)
        default:
            try stores(cache, statistics.entryCount, 2000)
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
            else { throw Failure("the system does not say how much memory the process has") }
            print(kilobytes / 1000)
        }
    }

    private static func stores(_ cache: DiskCache, _ limit: Int, _ count: Int) throws {
        cache.countLimit = limit
        let tag = UInt64.random(in: 0 ... .max)
        for number in 0..<count {
            let entry = CachedData(bytes: Data(repeating: 2, count: 200), storedAt: Date())
            try cache.store(entry, for: CacheKey(original: "https://example.org/\(tag)/\(number)"))
        }
    }
}
