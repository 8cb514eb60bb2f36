public import KuvaCore
internal import Synchronization

/// Keeps decoded pictures in memory within a budget of bytes.
///
/// Any thread may call every method; a hit takes one lock of sixteen, allocates nothing and never waits for I/O.
/// Storing and evicting are O(1) on average. What leaves first is what came first and was not used since; pictures
/// seen once, as in a long scroll, do not drive out those that are used again and again.
public final class MemoryCache: ImageCaching {
    let shards = MemoryShards()
    private let totals = Totals()
    private let nextSequence = Atomic<UInt64>(0)
    private let limits: Lock<Limits>
    private let timeToLive: Duration?
    private let time: TimeSource
    private let pressure: (any MemoryPressureSource)?
    private let pool: PixelBufferPool
    private let observation = Lock<(any MemoryPressureObservation)?>(nil)
    private let isObserving = Atomic<Bool>(false)

    private struct Limits: Sendable {
        var bytes: Int
        var count: Int
        var isByHand: Bool
    }

    /// Kept apart from the shards; changed by what a shard reports after its lock is released.
    private final class Totals: Sendable {
        let bytes = Atomic<Int>(0)
        let count = Atomic<Int>(0)
        let probationBytes = Atomic<Int>(0)
        let probationCount = Atomic<Int>(0)
    }

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - byteLimit: the budget in bytes; by default ``defaultByteLimit``.
    ///   - countLimit: how many pictures at most; no limit by default.
    ///   - timeToLive: how long after it was stored a picture is given out; for ever by default.
    ///   - pressure: tells when memory is short; the system by default. From the first store on, a warning halves what
    ///     the cache holds, and it holds nothing once the pressure is critical. Pictures in use elsewhere are found all
    ///     the same.
    ///   - pool: where the pictures' memory comes from; under pressure what it keeps unused is given back to the system
    ///     likewise.
    ///   - time: what the time to live is measured by.
    public init(
        byteLimit: Int? = nil,
        countLimit: Int? = nil,
        timeToLive: Duration? = nil,
        pressure: (any MemoryPressureSource)? = SystemMemoryPressure.shared,
        pool: PixelBufferPool = .shared,
        time: TimeSource = .system
    ) {
        self.timeToLive = timeToLive
        self.pressure = pressure
        self.pool = pool
        self.time = time
        limits = Lock(
            Limits(
                bytes: max(0, byteLimit ?? Self.defaultByteLimit),
                count: max(0, countLimit ?? .max),
                isByHand: byteLimit != nil
            )
        )
    }

    /// 15 % of the memory that this process may use (the machine's, or its control group's limit if that is less),
    /// and at most 768 MiB.
    public static var defaultByteLimit: Int { MemoryBudget.bytes(availableMemory: SystemMemory.availableByteCount()) }

    /// The budget in bytes. Setting it evicts at once what does not fit, and admits pictures of any size within it.
    public var byteLimit: Int {
        get { limits.withLock { $0.bytes } }
        set {
            limits.withLock {
                $0.bytes = max(0, newValue)
                $0.isByHand = true
            }
            enforceLimits()
        }
    }

    /// How many pictures at most. Setting it evicts at once what does not fit.
    public var countLimit: Int {
        get { limits.withLock { $0.count } }
        set {
            limits.withLock { $0.count = max(0, newValue) }
            enforceLimits()
        }
    }

    /// What the cache holds and how it did so far.
    public var statistics: Statistics {
        var result = Statistics()
        shards.forEach { shard in
            let (hits, misses) = shard.counts()
            result.hitCount += hits
            result.missCount += misses
        }
        result.imageCount = totals.count.load(ordering: .relaxed)
        result.byteCount = totals.bytes.load(ordering: .relaxed)
        result.byteLimit = byteLimit
        return result
    }

    /// See ``ImageCaching``. O(1); allocates nothing. A picture that had to leave is found as long as someone holds its
    /// pixels.
    public func image(for key: CacheKey) -> Image? {
        let hash = MemoryHash(key)
        let shard = shards[hash]
        switch shard.image(for: key, hash: hash, now: timeToLive == nil ? .min : now) {
        case .found(let image): return image
        case .living(let image):
            store(image, for: key)
            return image
        case .expired:
            apply(shard.remove(key, hash: hash))
            return nil
        case .missing: return nil
        }
    }

    /// See ``ImageCaching``. Counts the pixels of the picture and, of an animation, its file and the frames that players
    /// hold of it, as long as they do. A picture that costs more than a tenth of the budget, or than all of it if the
    /// budget was set by hand, is not kept; an earlier one of that key goes all the same.
    public func store(_ image: Image, for key: CacheKey) {
        let hash = MemoryHash(key)
        let shard = shards[hash]
        let limits = limits.withLock { $0 }
        guard image.cost <= (limits.isByHand ? limits.bytes : limits.bytes / 10), limits.count > 0 else {
            return apply(shard.remove(key, hash: hash))
        }
        let expiresAt = timeToLive.map { Int64(clamping: Int128(now) + $0.nanoseconds) } ?? .max
        let picture = MemoryPicture(image: image, frameObservation: observeFrames(of: image, key, hash))
        apply(shard.store(picture, for: key, hash: hash, expiresAt: expiresAt, sequence: takeSequence()))
        evict(toBytes: limits.bytes, count: limits.count, sparing: hash)
        observePressure()
    }

    /// See ``ImageCaching``.
    public func removeImage(for key: CacheKey) {
        let hash = MemoryHash(key)
        apply(shards[hash].remove(key, hash: hash))
    }

    /// See ``ImageCaching``. O(number of variants).
    public func removeImages(ofOriginal original: String) {
        let hash = MemoryHash(CacheKey(original: original))
        apply(shards[hash].removeAll(ofOriginal: original, hash: hash))
    }

    /// See ``ImageCaching``. O(pictures held).
    public func removeImages(withPrefix prefix: String) {
        shards.forEach { apply($0.removeAll(withPrefix: prefix)) }
    }

    /// See ``ImageCaching``. Counts of hits and misses stay.
    public func removeAll() {
        shards.forEach { apply($0.removeAll()) }
    }

    /// Evicts until at most `bytes` are held. The budget stays what it is.
    public func trim(toBytes bytes: Int) {
        evict(toBytes: max(0, bytes), count: .max)
    }

    private var now: Int64 { Int64(clamping: time.monotonic.nanoseconds) }

    private func observePressure() {
        guard let pressure, !isObserving.load(ordering: .relaxed),
            !isObserving.exchange(true, ordering: .relaxed)
        else { return }
        let observation = pressure.observe { [weak self] level in
            guard let self else { return }
            // What the pool had before the cache gave it more.
            let unused = pool.freeBytes
            trim(toBytes: level == .critical ? 0 : totals.bytes.load(ordering: .relaxed) / 2)
            pool.trim(toBytes: level == .critical ? 0 : unused / 2)
        }
        self.observation.withLock { $0 = observation }
    }

    /// What players decode of an animation counts as long as they hold it, and evicts what does not fit any more.
    private func observeFrames(
        of image: Image,
        _ key: CacheKey,
        _ hash: MemoryHash
    ) -> (any HeldBytesObservation)? {
        image.animation?.frameBytes.observe { [weak self] in
            guard let self else { return }
            apply(shards[hash].recountFrames(of: key, hash: hash))
            enforceLimits()
        }
    }

    private func enforceLimits() {
        let limits = limits.withLock { $0 }
        evict(toBytes: limits.bytes, count: limits.count)
    }

    private func takeSequence() -> UInt64 { nextSequence.wrappingAdd(1, ordering: .relaxed).newValue }

    private func apply(_ change: MemoryShard.Change) {
        if change.bytes != 0 { totals.bytes.wrappingAdd(change.bytes, ordering: .relaxed) }
        if change.count != 0 { totals.count.wrappingAdd(change.count, ordering: .relaxed) }
        if change.probationBytes != 0 { totals.probationBytes.wrappingAdd(change.probationBytes, ordering: .relaxed) }
        if change.probationCount != 0 { totals.probationCount.wrappingAdd(change.probationCount, ordering: .relaxed) }
    }
}

extension MemoryCache {
    /// - Parameter spared: the entry being stored, which stays; it fits, for it was admitted.
    private func evict(toBytes byteLimit: Int, count countLimit: Int, sparing spared: MemoryHash? = nil) {
        var avoided: MemoryEntry.Queue?
        while totals.bytes.load(ordering: .relaxed) > byteLimit || totals.count.load(ordering: .relaxed) > countLimit {
            guard let (shard, queue) = nextToLeave(byteLimit: byteLimit, avoiding: avoided) else { return }
            var change = shard.advance(queue, sequence: takeSequence(), sparing: spared)
            avoided = change.hasSpared ? queue : nil
            apply(change)
            if let key = change.evictedKey { keepIfHeld(&change, key, shard) }
        }
    }

    /// Remembers a picture that has left, if someone else holds it.
    private func keepIfHeld(_ change: inout MemoryShard.Change, _ key: CacheKey, _ shard: MemoryShard) {
        var image = change.released.popLast()
        guard let held = Image.heldElsewhere(&image) else { return }
        shard.keepLiving(held, for: key, hash: MemoryHash(key))
    }

    /// The shard and queue whose first entry has waited longest, over all shards, so that sharding changes nothing
    /// about who leaves. Probation gives way first while it holds more than a tenth of the budget and more than one
    /// entry.
    private func nextToLeave(
        byteLimit: Int,
        avoiding avoided: MemoryEntry.Queue?
    ) -> (MemoryShard, MemoryEntry.Queue)? {
        let probationGivesWay =
            switch avoided {
            case nil:
                totals.probationBytes.load(ordering: .relaxed) > byteLimit / 10
                    && totals.probationCount.load(ordering: .relaxed) > 1
            case .probation: false
            case .protected: true
            }
        let (first, second): (MemoryEntry.Queue, MemoryEntry.Queue) =
            probationGivesWay ? (.probation, .protected) : (.protected, .probation)
        if let shard = oldest(first) { return (shard, first) }
        return oldest(second).map { ($0, second) }
    }

    private func oldest(_ queue: MemoryEntry.Queue) -> MemoryShard? {
        var result: (shard: MemoryShard, sequence: UInt64)?
        shards.forEach { shard in
            let sequence = shard.oldestSequence(in: queue)
            if sequence < result?.sequence ?? .max { result = (shard, sequence) }
        }
        return result?.shard
    }
}
