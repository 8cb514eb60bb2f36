public import KuvaCore

extension DiskCache {
    /// What the cache holds. O(1), except where the folder can only be read: then all entries are counted.
    ///
    /// - Throws: ``ImageError`` at the stage `cache read`.
    public func statistics() throws(ImageError) -> Statistics {
        do {
            var result = Statistics()
            result.byteLimit = try currentByteLimit()
            result.countLimit = countLimit
            result.path = configuration.directory
            if let folder = folderIfPresent() {
                (result.byteCount, result.entryCount) = folder.counters.totals
                result.hitCount = Int(folder.counters[.hits])
                result.missCount = Int(folder.counters[.misses])
                result.evictionCount = Int(folder.counters[.evictions])
            } else {
                for shard in try shards() {
                    for name in try entryNames(inShard: shard) {
                        guard let status = try? files.status(at: layout.entry(name)) else { continue }
                        result.entryCount += 1
                        result.byteCount += Self.blocks(status.size)
                    }
                }
            }
            return result
        } catch {
            throw error.imageError(.cacheRead)
        }
    }
}
