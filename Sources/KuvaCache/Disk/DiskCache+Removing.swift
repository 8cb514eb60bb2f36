internal import Glibc
public import KuvaCore

extension DiskCache {
    /// See ``DataCaching``.
    public func removeData(for key: CacheKey) throws(ImageError) {
        do { try remove(EntryName(key)) } catch { throw error.imageError(.cacheWrite) }
    }

    /// See ``DataCaching``. O(entries in one of 256 folders).
    public func removeData(ofOriginal original: String) throws(ImageError) {
        let sought = EntryName(CacheKey(original: original))
        do {
            for name in try entryNames(inShard: sought.shard) where name.original == sought.original {
                try remove(name)
            }
        } catch {
            throw error.imageError(.cacheWrite)
        }
    }

    /// See ``DataCaching``. What other processes store meanwhile may stay.
    public func removeAll() throws(ImageError) {
        do {
            for name in index.names { try remove(name) }
            for shard in try shards() {
                for name in try entryNames(inShard: shard) { try remove(name) }
            }
        } catch {
            throw error.imageError(.cacheWrite)
        }
    }

    func remove(_ name: EntryName) throws(SystemCallError) {
        try withNameLock(name) { () throws(SystemCallError) in
            do throws(SystemCallError) {
                try files.unlink(layout.entry(name))
            } catch  where error.number == ENOENT {}
            index.remove(name)
        }
    }
}
