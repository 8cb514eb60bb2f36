import CKuvaCountingMalloc
import FoundationEssentials
import Glibc
import KuvaCache
import KuvaCacheFaults
import KuvaCore

// A process for the cache tests to kill, or to count in.
//
//   KuvaCacheTorture allocations COUNT                   looks for a picture in memory COUNT times; exits 4 if that asked
//                                                        for memory, 5 where it cannot be counted
//   KuvaCacheTorture churn DIRECTORY SEED LIMIT ROUNDS   stores, reads, removes at random; exits 3 on a wrong read
//   KuvaCacheTorture die DIRECTORY CALL [BYTES]          runs a fixed script and dies at a file-system call, exits 4
//                                                        if there are fewer; with BYTES, writes alone are counted,
//                                                        and it dies after so many bytes of one

func key(_ number: Int) -> CacheKey {
    CacheKey(original: "https://example.org/\(number / 2).jpg", variant: number % 2 == 0 ? "" : "fit64x64")
}

func entry(_ number: Int, version: Int, length: Int) -> CachedData {
    CachedData(
        bytes: Specimen.body(key: number, version: version, length: length),
        storedAt: Date(timeIntervalSinceReferenceDate: 800_000_000)
    )
}

func churn(_ cache: DiskCache, seed: UInt64, rounds: Int) throws -> Int32 {
    var state = seed | 1
    func random(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
    for round in 0..<rounds {
        let number = random(16)
        switch random(10) {
        case 0: try cache.removeData(for: key(number))
        case 1: try cache.removeData(ofOriginal: key(number).original)
        case 2: if random(20) == 0 { try cache.removeAll() }
        case 3...5:
            if let found = try cache.data(for: key(number)), Specimen.identify(found.bytes)?.key != number { return 3 }
        default: try cache.store(entry(number, version: round, length: random(6000)), for: key(number))
        }
    }
    return 0
}

/// Touches each path of the cache: the first store, a second, one over it, reads, an eviction, removals.
func script(_ cache: DiskCache) throws {
    try cache.store(entry(0, version: 1, length: 5000), for: key(0))
    try cache.store(entry(1, version: 1, length: 5000), for: key(1))
    try cache.store(entry(0, version: 2, length: 7000), for: key(0))
    _ = try cache.data(for: key(0))
    _ = try cache.data(for: key(9))
    for number in 2..<6 { try cache.store(entry(number, version: 1, length: 5000), for: key(number)) }
    try cache.removeData(for: key(2))
    try cache.removeData(ofOriginal: key(4).original)
}

/// How often so many hits in a memory cache ask for memory.
func allocations(_ hitCount: Int) throws -> Int {
    let layout = try PixelLayout(size: PixelSize(width: 8, height: 8))
    let cache = MemoryCache(byteLimit: 1 << 30, timeToLive: .seconds(3600), pressure: nil)
    // Keys of all kinds: short ones, which Swift keeps in place, long ones, and variants.
    let keys = (0..<1000).map { number in
        CacheKey(
            original: number % 3 == 0 ? "a/\(number)" : "https://example.org/pictures/large/\(number).jpg",
            variant: number % 2 == 0 ? "" : "fit\(number)x\(number) round12 sepia blur4"
        )
    }
    for key in keys { cache.store(Image(pixels: try PixelBufferPool.shared.canvas(layout).freeze()), for: key) }
    var found = 0
    func look(_ count: Int) {
        for number in 0..<count where cache.image(for: keys[number % keys.count]) != nil { found += 1 }
    }
    // The first ones set up what the language's run time makes once.
    look(keys.count)
    let before = kuva_counting_malloc_count()
    if before < 0 { exit(5) }
    look(hitCount)
    let count = kuva_counting_malloc_count() - before
    guard found == keys.count + hitCount else { exit(3) }
    return count
}

let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "allocations", let count = Int(arguments[2]) {
    exit(try allocations(count) == 0 ? 0 : 4)
}
guard arguments.count >= 4, let number = Int(arguments[3]) else { exit(2) }
var configuration = DiskCache.Configuration(directory: arguments[2])
configuration.maximumAge = .seconds(-1)
switch arguments[1] {
case "churn":
    guard arguments.count == 6, let limit = Int(arguments[4]), let rounds = Int(arguments[5]) else { exit(2) }
    configuration.byteLimit = limit
    exit(try churn(DiskCache(configuration: configuration), seed: UInt64(number), rounds: rounds))
case "die":
    configuration.byteLimit = 40 << 10
    let bytes = arguments.count > 4 ? Int(arguments[4]) : nil
    let count = Lock(0)
    let files = FaultyFileSystem { _, call in
        if bytes != nil, call != "writev" { return nil }
        let index = count.withLock { count in
            defer { count += 1 }
            return count
        }
        if index != number { return nil }
        return bytes.map { .killAfterWriting($0) } ?? .kill
    }
    try script(DiskCache(configuration: configuration, files: files, time: .system) { _ in })
    exit(count.withLock { $0 } > number ? 0 : 4)
default:
    exit(2)
}
