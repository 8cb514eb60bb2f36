internal import KuvaCore

/// The hashes of a key, seeded anew for each process so that nobody can choose URLs that collide.
struct MemoryHash: Sendable {
    /// The same for all variants of an original.
    let original: UInt64
    let key: UInt64

    init(_ key: CacheKey) {
        original = Checksum.xxh64(key.original, seed: Self.seed)
        self.key = key.variant.isEmpty ? original : Checksum.xxh64(key.variant, seed: original)
    }

    var keyTag: UInt32 { UInt32(truncatingIfNeeded: key) }
    var originalTag: UInt32 { UInt32(truncatingIfNeeded: original) }

    private static let seed = UInt64.random(in: .min ... .max)
}

/// A picture in a memory cache.
struct MemoryEntry: Sendable {
    enum Queue: Sendable {
        case probation
        case protected
    }

    let key: CacheKey
    let hash: MemoryHash
    var image: Image
    var cost: Int
    /// The frames that players hold, as they are counted in the cost.
    private var frameBytes: Int
    /// Says when there are more or fewer of them.
    private var frameObservation: (any HeldBytesObservation)?
    /// When the entry is too old, by the monotonic clock in nanoseconds.
    var expiresAt = Int64.max
    /// When the entry joined its queue, counted over all shards.
    var sequence: UInt64
    var queue = Queue.probation
    var isVisited = false
    /// Neighbours in the chain of variants of one original; -1 at its ends.
    var previousSibling: Int32 = -1
    var nextSibling: Int32 = -1

    init(key: CacheKey, hash: MemoryHash, picture: MemoryPicture, expiresAt: Int64, sequence: UInt64) {
        self.key = key
        self.hash = hash
        image = picture.image
        frameObservation = picture.frameObservation
        frameBytes = max(0, picture.image.animation?.frameBytes.count ?? 0)
        self.expiresAt = expiresAt
        self.sequence = sequence
        cost = max(0, image.cost) + frameBytes
    }

    /// Takes another picture, and gives the one before and how much more this one costs.
    mutating func replace(with picture: MemoryPicture, expiresAt: Int64) -> (old: Image, growth: Int) {
        let (old, oldCost) = (image, cost)
        image = picture.image
        frameObservation = picture.frameObservation
        frameBytes = max(0, image.animation?.frameBytes.count ?? 0)
        self.expiresAt = expiresAt
        cost = max(0, image.cost) + frameBytes
        isVisited = true
        return (old, cost - oldCost)
    }

    /// Counts the frames that players hold now, and gives how many bytes more that are.
    mutating func recountFrames() -> Int {
        let bytes = max(0, image.animation?.frameBytes.count ?? 0)
        defer { frameBytes = bytes }
        cost += bytes - frameBytes
        return bytes - frameBytes
    }
}

/// A picture to be stored, with what says when the frames that players hold of it are more or fewer.
struct MemoryPicture: Sendable {
    let image: Image
    var frameObservation: (any HeldBytesObservation)?
}

/// Remembers by hash which entries left probation lately: one that comes back soon has shown that it is wanted.
struct EvictedHashes: Sendable {
    private var hashes: ContiguousArray<UInt64> = []
    private static let capacity = 1024

    mutating func insert(_ hash: UInt64) {
        if hashes.isEmpty { hashes = ContiguousArray(repeating: 0, count: Self.capacity) }
        hashes[Int(hash % UInt64(Self.capacity))] = hash
    }

    /// Whether the hash was there; it is not any more.
    mutating func remove(_ hash: UInt64) -> Bool {
        guard !hashes.isEmpty, hashes[Int(hash % UInt64(Self.capacity))] == hash else { return false }
        hashes[Int(hash % UInt64(Self.capacity))] = 0
        return true
    }
}
