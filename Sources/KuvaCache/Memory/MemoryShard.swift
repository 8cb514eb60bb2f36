internal import KuvaCore
internal import Synchronization

/// One of the parts of a memory cache, each with its own lock, so that threads rarely meet.
///
/// Each entry is in one of two queues, in the order of arrival. New ones are on probation; one that was used there
/// moves to the protected queue instead of leaving, and one used again there goes round once more. A scan of pictures
/// that are seen once passes through probation and leaves the rest alone (S3-FIFO: Yang et al., SOSP 2023).
final class MemoryShard: Sendable {
    let state = Lock(State())
    private let oldestOnProbation = Atomic<UInt64>(.max)
    private let oldestProtected = Atomic<UInt64>(.max)

    /// How an operation changed what the shard holds. Pictures that left are in it, so that their memory is freed
    /// after the lock.
    struct Change: Sendable {
        var bytes = 0
        var count = 0
        var probationBytes = 0
        var probationCount = 0
        var released: [Image] = []
        /// The key of the one that had to leave for others.
        var evictedKey: CacheKey?
        /// Whether the entry that would have left was the one to spare.
        var hasSpared = false
    }

    struct State: Sendable {
        var arena = SlotArena<MemoryEntry>()
        var byKey = HashIndex()
        /// The first entry of each chain of siblings: one original and its variants.
        var byOriginal = HashIndex()
        var probation = SlotQueue()
        var protected = SlotQueue()
        var evicted = EvictedHashes()
        var living = LivingImages()
        var hits = 0
        var misses = 0
    }

    /// - Parameter now: the monotonic time in nanoseconds, where entries expire.
    func image(for key: CacheKey, hash: MemoryHash, now: Int64) -> Lookup {
        state.withLock { state in
            guard let slot = state.find(key, hash) else {
                if let image = state.living.take(key) {
                    state.hits &+= 1
                    return .living(image)
                }
                state.misses &+= 1
                return .missing
            }
            guard state.arena[slot].expiresAt > now else {
                state.misses &+= 1
                return .expired
            }
            state.hits &+= 1
            if !state.arena[slot].isVisited { state.arena[slot].isVisited = true }
            return .found(state.arena[slot].image)
        }
    }

    /// What a look-up found.
    enum Lookup {
        case found(Image)
        /// One that had left, and is in use elsewhere; it is taken out.
        case living(Image)
        case expired
        case missing
    }

    func store(
        _ picture: MemoryPicture,
        for key: CacheKey,
        hash: MemoryHash,
        expiresAt: Int64,
        sequence: UInt64
    ) -> Change {
        mutate { state, change in
            if let slot = state.find(key, hash) {
                state.replaceImage(in: slot, with: picture, expiresAt: expiresAt, &change)
            } else {
                _ = state.living.take(key)
                let entry = MemoryEntry(
                    key: key,
                    hash: hash,
                    picture: picture,
                    expiresAt: expiresAt,
                    sequence: sequence
                )
                state.insert(entry, &change)
            }
        }
    }

    /// The count is read with the lock held, so that of two changes at once the later one stays.
    func recountFrames(of key: CacheKey, hash: MemoryHash) -> Change {
        mutate { state, change in
            if let slot = state.find(key, hash) { state.recountFrames(in: slot, &change) }
        }
    }

    /// Remembers a picture that has left and is in use elsewhere, unless another one has come.
    func keepLiving(_ image: Image, for key: CacheKey, hash: MemoryHash) {
        state.withLock { state in
            if state.find(key, hash) == nil { state.living.insert(image, for: key) }
        }
    }

    func remove(_ key: CacheKey, hash: MemoryHash) -> Change {
        mutate { state, change in
            _ = state.living.take(key)
            if let slot = state.find(key, hash) { state.remove(slot, &change) }
        }
    }

    func removeAll(ofOriginal original: String, hash: MemoryHash) -> Change {
        mutate { state, change in
            state.living.remove { $0 == original }
            while let slot = state.findSibling(of: original, hash) { state.remove(slot, &change) }
        }
    }

    func removeAll(withPrefix prefix: String) -> Change {
        mutate { state, change in
            state.living.remove { $0.hasPrefix(prefix) }
            for slot in state.arena.slots where state.arena[slot].key.original.hasPrefix(prefix) {
                state.remove(slot, &change)
            }
        }
    }

    func removeAll() -> Change {
        mutate { state, change in
            while state.probation.first >= 0 { state.remove(state.probation.first, &change) }
            while state.protected.first >= 0 { state.remove(state.protected.first, &change) }
            let (hits, misses) = (state.hits, state.misses)
            state = State()
            (state.hits, state.misses) = (hits, misses)
        }
    }

    /// Looks at the entry that leads a queue: it leaves, or, if it was used or is the one to spare, gets another round.
    func advance(_ queue: MemoryEntry.Queue, sequence: UInt64, sparing spared: MemoryHash?) -> Change {
        mutate { state, change in state.advance(queue, sequence: sequence, sparing: spared, &change) }
    }

    /// The sequence number of the entry that leads a queue, `UInt64.max` if it is empty. Takes no lock, so that the
    /// shard to evict from can be chosen among all.
    func oldestSequence(in queue: MemoryEntry.Queue) -> UInt64 {
        switch queue {
        case .probation: oldestOnProbation.load(ordering: .relaxed)
        case .protected: oldestProtected.load(ordering: .relaxed)
        }
    }

    func counts() -> (hits: Int, misses: Int) { state.withLock { ($0.hits, $0.misses) } }

    private func mutate(_ body: (inout State, inout Change) -> Void) -> Change {
        state.withLock { state in
            var change = Change()
            body(&state, &change)
            oldestOnProbation.store(state.oldestSequence(in: state.probation), ordering: .relaxed)
            oldestProtected.store(state.oldestSequence(in: state.protected), ordering: .relaxed)
            return change
        }
    }
}
