internal import Synchronization

/// How often what happened, since the manager was made.
public struct LoadStatistics: Hashable, Sendable {
    /// Requests answered from memory.
    public var memoryHitCount = 0
    /// Requests that may read memory and did not find their picture there.
    public var memoryMissCount = 0
    /// Files found in the disk cache.
    public var diskHitCount = 0
    /// Files looked for in the disk cache and not found.
    public var diskMissCount = 0
    /// Files that a loader brought.
    public var loadCount = 0
    /// Bytes of the files that loaders brought.
    public var loadedByteCount = 0
    /// Pictures decoded.
    public var decodeCount = 0
    /// Transformers applied.
    public var transformCount = 0
    /// Pictures that failed, cancelled ones not counted.
    public var failureCount = 0

    /// Memory hits among requests that may read memory, from 0 to 1; `nil` before the first.
    public var memoryHitRate: Double? { Self.rate(memoryHitCount, memoryMissCount) }

    /// Disk hits among look-ups on disk, from 0 to 1; `nil` before the first.
    public var diskHitRate: Double? { Self.rate(diskHitCount, diskMissCount) }

    private static func rate(_ hits: Int, _ misses: Int) -> Double? {
        hits + misses == 0 ? nil : Double(hits) / Double(hits + misses)
    }
}

/// The counters behind ``LoadStatistics``; counting costs one relaxed atomic addition.
final class LoadCounters: Sendable {
    /// What is counted.
    enum Event {
        case memoryHit, memoryMiss, diskHit, diskMiss, load, loadedBytes, decode, transform, failure
    }

    private struct Counter: ~Copyable, Sendable {
        let value = Atomic<Int>(0)
    }

    private let memoryHit = Counter()
    private let memoryMiss = Counter()
    private let diskHit = Counter()
    private let diskMiss = Counter()
    private let load = Counter()
    private let loadedBytes = Counter()
    private let decode = Counter()
    private let transform = Counter()
    private let failure = Counter()

    func count(_ event: Event, _ number: Int = 1) {
        switch event {
        case .memoryHit: memoryHit.value.wrappingAdd(number, ordering: .relaxed)
        case .memoryMiss: memoryMiss.value.wrappingAdd(number, ordering: .relaxed)
        case .diskHit: diskHit.value.wrappingAdd(number, ordering: .relaxed)
        case .diskMiss: diskMiss.value.wrappingAdd(number, ordering: .relaxed)
        case .load: load.value.wrappingAdd(number, ordering: .relaxed)
        case .loadedBytes: loadedBytes.value.wrappingAdd(number, ordering: .relaxed)
        case .decode: decode.value.wrappingAdd(number, ordering: .relaxed)
        case .transform: transform.value.wrappingAdd(number, ordering: .relaxed)
        case .failure: failure.value.wrappingAdd(number, ordering: .relaxed)
        }
    }

    var statistics: LoadStatistics {
        LoadStatistics(
            memoryHitCount: memoryHit.value.load(ordering: .relaxed),
            memoryMissCount: memoryMiss.value.load(ordering: .relaxed),
            diskHitCount: diskHit.value.load(ordering: .relaxed),
            diskMissCount: diskMiss.value.load(ordering: .relaxed),
            loadCount: load.value.load(ordering: .relaxed),
            loadedByteCount: loadedBytes.value.load(ordering: .relaxed),
            decodeCount: decode.value.load(ordering: .relaxed),
            transformCount: transform.value.load(ordering: .relaxed),
            failureCount: failure.value.load(ordering: .relaxed)
        )
    }
}
