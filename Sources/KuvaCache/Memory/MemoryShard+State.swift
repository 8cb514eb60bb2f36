internal import KuvaCore

extension MemoryShard.State {
    func find(_ key: CacheKey, _ hash: MemoryHash) -> Int32? {
        byKey.find(hash.keyTag) { arena[$0].hash.key == hash.key && arena[$0].key == key }
    }

    /// The first entry of the chain to which an original belongs.
    func findSibling(of original: String, _ hash: MemoryHash) -> Int32? {
        byOriginal.find(hash.originalTag) {
            arena[$0].hash.original == hash.original && arena[$0].key.original == original
        }
    }

    func oldestSequence(in queue: SlotQueue) -> UInt64 {
        queue.first < 0 ? .max : arena[queue.first].sequence
    }

    mutating func insert(_ entry: MemoryEntry, _ change: inout MemoryShard.Change) {
        var entry = entry
        if evicted.remove(entry.hash.key) { entry.queue = .protected }
        let sibling = findSibling(of: entry.key.original, entry.hash)
        let slot = arena.insert(entry)
        byKey.insert(slot, hash: entry.hash.keyTag)
        if let sibling {
            let next = arena[sibling].nextSibling
            arena[slot].previousSibling = sibling
            arena[slot].nextSibling = next
            arena[sibling].nextSibling = slot
            if next >= 0 { arena[next].previousSibling = slot }
        } else {
            byOriginal.insert(slot, hash: entry.hash.originalTag)
        }
        change.bytes += entry.cost
        change.count += 1
        enqueue(slot, &change)
    }

    mutating func replaceImage(
        in slot: Int32,
        with picture: MemoryPicture,
        expiresAt: Int64,
        _ change: inout MemoryShard.Change
    ) {
        let (old, growth) = arena[slot].replace(with: picture, expiresAt: expiresAt)
        change.released.append(old)
        count(growth, of: slot, &change)
    }

    mutating func recountFrames(in slot: Int32, _ change: inout MemoryShard.Change) {
        count(arena[slot].recountFrames(), of: slot, &change)
    }

    private func count(_ growth: Int, of slot: Int32, _ change: inout MemoryShard.Change) {
        change.bytes += growth
        if arena[slot].queue == .probation { change.probationBytes += growth }
    }

    mutating func remove(_ slot: Int32, _ change: inout MemoryShard.Change) {
        dequeue(slot, &change)
        unlinkSibling(slot)
        let entry = arena.remove(slot)
        byKey.remove(slot, hash: entry.hash.keyTag)
        change.bytes -= entry.cost
        change.count -= 1
        change.released.append(entry.image)
    }

    mutating func advance(
        _ queue: MemoryEntry.Queue,
        sequence: UInt64,
        sparing spared: MemoryHash?,
        _ change: inout MemoryShard.Change
    ) {
        let slot = queue == .probation ? probation.first : protected.first
        guard slot >= 0 else { return }
        change.hasSpared = arena[slot].hash.key == spared?.key
        guard arena[slot].isVisited || change.hasSpared else {
            if queue == .probation { evicted.insert(arena[slot].hash.key) }
            change.evictedKey = arena[slot].key
            return remove(slot, &change)
        }
        dequeue(slot, &change)
        arena[slot].isVisited = false
        arena[slot].sequence = sequence
        arena[slot].queue = .protected
        enqueue(slot, &change)
    }

    private mutating func enqueue(_ slot: Int32, _ change: inout MemoryShard.Change) {
        guard arena[slot].queue == .probation else { return protected.append(slot, in: &arena) }
        probation.append(slot, in: &arena)
        change.probationBytes += arena[slot].cost
        change.probationCount += 1
    }

    private mutating func dequeue(_ slot: Int32, _ change: inout MemoryShard.Change) {
        guard arena[slot].queue == .probation else { return protected.remove(slot, from: &arena) }
        probation.remove(slot, from: &arena)
        change.probationBytes -= arena[slot].cost
        change.probationCount -= 1
    }

    private mutating func unlinkSibling(_ slot: Int32) {
        let (previous, next) = (arena[slot].previousSibling, arena[slot].nextSibling)
        let tag = arena[slot].hash.originalTag
        if next >= 0 { arena[next].previousSibling = previous }
        if previous >= 0 {
            arena[previous].nextSibling = next
        } else if next >= 0 {
            byOriginal.replace(slot, with: next, hash: tag)
        } else {
            byOriginal.remove(slot, hash: tag)
        }
    }
}
