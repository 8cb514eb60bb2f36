internal import KuvaCore

/// The hashes of a key, seeded anew for each process so that nobody can choose URLs that collide.
struct MemoryHash: Sendable {
    /// The same for all variants of an original.
    let original: UInt64
    let key: UInt64

    init(_ key: CacheKey) {
        original = Self.hash(of: key.original)
        self.key = key.variant.isEmpty ? original : (original &* 0x9E37_79B9_7F4A_7C15) ^ Self.hash(of: key.variant)
    }

    /// Which of 16 shards holds the original and all its variants.
    var shard: Int { Int(original >> 60) }
    var keyTag: UInt32 { UInt32(truncatingIfNeeded: key) }
    var originalTag: UInt32 { UInt32(truncatingIfNeeded: original) }

    private static func hash(of text: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(text)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
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
    /// Bytes besides the picture's own, as its owner reported them.
    var additionalCost = 0
    /// When the entry is too old, by the monotonic clock in nanoseconds.
    var expiresAt = Int64.max
    /// When the entry joined its queue, counted over all shards.
    var sequence: UInt64
    var queue = Queue.probation
    var isVisited = false
    /// Neighbours in the chain of variants of one original; -1 at its ends.
    var previousSibling: Int32 = -1
    var nextSibling: Int32 = -1

    init(key: CacheKey, hash: MemoryHash, image: Image, expiresAt: Int64, sequence: UInt64) {
        self.key = key
        self.hash = hash
        self.image = image
        self.expiresAt = expiresAt
        self.sequence = sequence
        cost = max(0, image.cost)
    }
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
