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

    /// See ``DataCaching``. Reads the header of each entry there is: O(entries).
    public func removeData(withPrefix prefix: String) throws(ImageError) {
        do {
            for shard in try shards() {
                for name in try entryNames(inShard: shard) {
                    do throws(SystemCallError) {
                        guard let header = try header(at: layout.entry(name)), header.key.original.hasPrefix(prefix)
                        else { continue }
                    } catch  where [ENOENT, ELOOP, ENXIO, EACCES].contains(error.number) { continue }
                    try remove(name)
                }
            }
        } catch {
            throw error.imageError(.cacheWrite)
        }
    }

    /// See ``DataCaching``. What other processes store meanwhile may stay.
    public func removeAll() throws(ImageError) {
        do {
            let shards = try shards()
            guard !shards.isEmpty else { return }
            for shard in shards {
                for name in try entryNames(inShard: shard) { try remove(name) }
            }
        } catch {
            throw error.imageError(.cacheWrite)
        }
    }

    func remove(_ name: EntryName) throws(SystemCallError) {
        if let folder = folderIfPresent() {
            _ = try withShard(name.shard, folder) { () throws(SystemCallError) in try unlink(name, folder) }
        } else {
            do { try files.unlink(layout.entry(name)) } catch  where error.number == ENOENT {}
        }
    }
}
