import BenchmarkKit
import CBareCaches
import Foundation
import KuvaCache
import KuvaCore

/// Files on disk: 10,000 entries of 20 KB, and the index at a million.
enum DiskCacheSuite {
    private static let size = 20_000

    static func contests(_ options: Options) throws -> [Contest] {
        let count = options.isQuick ? 2000 : 10_000
        let python = "\(options.prepared)/python/bin/python3"
        let all: [(String, () throws -> Contest)] = [
            ("store-10k-tmpfs", { try stores(on: "/dev/shm", name: "store-10k-tmpfs", count: count, python: python) }),
            ("store-10k", { try storesInBlocks(options.prepared, blocks: count / 500) }),
            ("read-10k-tmpfs", { try reads(on: "/dev/shm", name: "read-10k-tmpfs", count: count, python: python) }),
            ("read-10k", { try reads(on: options.prepared, name: "read-10k", count: count, python: python) }),
            ("verify", { try verifies(count: count) }),
            ("open-1m", { try MillionEntries.open(options) }),
            ("evict-1m", { try MillionEntries.evict(options) }),
            ("rss-1m", { try MillionEntries.memory(options) }),
        ]
        return try all.filter { $0.0.hasPrefix(options.only) }.map { try $0.1() }
    }

    private static func body() -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private static func keys(_ count: Int) -> [CacheKey] {
        (0..<count).map { CacheKey(original: "https://example.org/pictures/\($0).jpg") }
    }

    private static func cache(_ folder: Scratch) -> DiskCache {
        var configuration = DiskCache.Configuration(directory: folder.path)
        configuration.byteLimit = 1 << 40
        return DiskCache(configuration: configuration)
    }

    /// Names as the cache's own: 256 folders, hashes of 65 digits.
    private static func bareNames(_ folder: Scratch, _ count: Int) throws -> [String] {
        for shard in 0..<256 {
            let path = "\(folder.path)/\(String(format: "%02x", shard))"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        return (0..<count).map { number in
            let shard = number &* 2_654_435_761 & 255
            return "\(folder.path)/\(String(format: "%02x/%02x%063d", shard, shard, number))"
        }
    }

    private static func stores(on disk: String, name: String, count: Int, python: String) throws -> Contest {
        let (body, keys) = (body(), keys(count))
        return Contest(
            name,
            metric: "rate",
            unit: "files/s",
            largerIsBetter: true,
            ours: .init("kuva") {
                let folder = try Scratch(on: disk)
                let cache = cache(folder)
                try cache.store(CachedData(bytes: body, storedAt: Date()), for: CacheKey(original: "first"))
                return try rate(count) {
                    for key in keys { try cache.store(CachedData(bytes: body, storedAt: Date()), for: key) }
                }
            },
            rivals: [
                .init("bare-files") {
                    let folder = try Scratch(on: disk)
                    let names = try bareNames(folder, count)
                    return try rate(count) { try bareStore(names, folder, body) }
                },
                .init("sqlite-blobs") {
                    let folder = try Scratch(on: disk)
                    guard let blobs = bare_blobs_open("\(folder.path)/blobs.db") else { throw Failure("no database") }
                    defer { bare_blobs_close(blobs) }
                    return try rate(count) {
                        for key in keys {
                            let status = body.withUnsafeBytes {
                                bare_blobs_store(blobs, key.original, $0.baseAddress, $0.count)
                            }
                            if status != 0 { throw Failure("sqlite-blobs cannot store") }
                        }
                    }
                },
                try Self.python(python, "store", disk, count),
                FoundationsCache.store(on: disk, body),
            ]
        )
    }

    private static func bareStore(_ names: some Sequence<String>, _ folder: Scratch, _ body: Data) throws {
        for (number, name) in names.enumerated() {
            let status = body.withUnsafeBytes {
                bare_file_store("\(folder.path)/tmp\(number)", name, $0.baseAddress, $0.count)
            }
            if status != 0 { throw Failure("bare-files cannot store \(name)") }
        }
    }

    /// On a real disk, whose rate swings with what was removed lately: blocks of 500, in turns, each after a sync.
    private static func storesInBlocks(_ disk: String, blocks: Int) throws -> Contest {
        let body = body()
        let (ours, theirs) = (try Scratch(on: disk), try Scratch(on: disk))
        let cache = cache(ours)
        let keys = keys((blocks + 20) * 500)
        let names = try bareNames(theirs, keys.count)
        var (ourNext, theirNext) = (0, 0)
        return Contest(
            "store-10k",
            metric: "rate",
            unit: "files/s",
            largerIsBetter: true,
            ours: .init("kuva") {
                sync()
                defer { ourNext += 500 }
                return try rate(500) {
                    for key in keys[ourNext..<ourNext + 500] {
                        try cache.store(CachedData(bytes: body, storedAt: Date()), for: key)
                    }
                }
            },
            rivals: [
                .init("bare-files") {
                    sync()
                    defer { theirNext += 500 }
                    return try rate(500) { try bareStore(names[theirNext..<theirNext + 500], theirs, body) }
                }
            ]
        )
    }

    private static func reads(on disk: String, name: String, count: Int, python: String) throws -> Contest {
        let (body, keys) = (body(), keys(count))
        let (ours, theirs, database) = (try Scratch(on: disk), try Scratch(on: disk), try Scratch(on: disk))
        let cache = cache(ours)
        for key in keys { try cache.store(CachedData(bytes: body, storedAt: Date()), for: key) }
        let names = try bareNames(theirs, count)
        try bareStore(names, theirs, body)
        guard let blobs = bare_blobs_open("\(database.path)/blobs.db") else { throw Failure("no database") }
        for key in keys {
            _ = body.withUnsafeBytes { bare_blobs_store(blobs, key.original, $0.baseAddress, $0.count) }
        }
        let order = Array(0..<count).shuffled()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        return Contest(
            name,
            metric: "rate",
            unit: "files/s",
            largerIsBetter: true,
            ours: .rate("kuva", of: count) {
                _ = (ours, database)
                for place in order {
                    guard try cache.data(for: keys[place])?.bytes.count == size else { throw Failure("a miss") }
                }
            },
            rivals: [
                .rate("bare-files", of: count) {
                    _ = theirs
                    for place in order where bare_file_read(names[place], buffer.baseAddress, size) != size {
                        throw Failure("bare-files cannot read")
                    }
                },
                .rate("sqlite-blobs", of: count) {
                    for place in order
                    where bare_blobs_read(blobs, keys[place].original, buffer.baseAddress, size) != size {
                        throw Failure("sqlite-blobs cannot read")
                    }
                },
                try Self.python(python, "read", disk, count),
                try FoundationsCache.read(on: disk, body),
            ]
        )
    }

    private static func verifies(count: Int) throws -> Contest {
        let folder = try Scratch(on: "/dev/shm")
        let cache = cache(folder)
        let body = body()
        for key in keys(count) { try cache.store(CachedData(bytes: body, storedAt: Date()), for: key) }
        return Contest(
            "verify",
            metric: "rate",
            unit: "MB/s",
            largerIsBetter: true,
            ours: .init("kuva") {
                _ = folder
                let start = Clock.wall
                let report = try cache.verify()
                guard report.damagedPaths.isEmpty, report.entryCount == count else { throw Failure("damage") }
                return Double(report.byteCount) / 1e6 / (Clock.wall - start)
            },
            rivals: [.init("goal") { 500 }]
        )
    }

    private static func python(
        _ python: String,
        _ operation: String,
        _ disk: String,
        _ count: Int
    ) throws -> Contest.Contender {
        let folder = try Scratch(on: disk)
        let script = URL(fileURLWithPath: "Benchmarks/Prepare/diskcache_rival.py").path
        return .init("diskcache") {
            let place = operation == "read" ? folder : try Scratch(on: disk)
            let output = try run(python, [script, operation, place.path, "\(count)", "\(size)"])
            guard let rate = Double(output) else { throw Failure("diskcache said \(output)") }
            return rate
        }
    }

    private static func rate(_ count: Int, _ work: () throws -> Void) rethrows -> Double {
        let start = Clock.wall
        try work()
        return Double(count) / (Clock.wall - start)
    }
}

/// Runs a program and gives what it prints.
func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure("\(program) failed") }
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

/// A folder that goes with its last reference.
final class Scratch {
    let path: String

    init(on disk: String) throws {
        path = "\(disk)/kuva-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
