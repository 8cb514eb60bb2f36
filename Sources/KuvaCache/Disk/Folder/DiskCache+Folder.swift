internal import Glibc
internal import KuvaCore

extension DiskCache {
    /// The folder, opened, and made if need be.
    func prepare() throws(SystemCallError) -> OpenFolder {
        let (folder, isNew) = try open.withLock { open throws(SystemCallError) in
            if let folder = open.folder { return (folder, false) }
            let folder = try OpenFolder(layout, files)
            open.folder = folder
            return (folder, true)
        }
        if isNew { maintainLater() }
        return folder
    }

    /// The folder if it is there already and can be used, for those who only look. Makes nothing where there is none,
    /// and tries only once where there is one that cannot be used.
    func folderIfPresent() -> OpenFolder? {
        let (folder, tries) = open.withLock { ($0.folder, !$0.hasFailed) }
        if let folder { return folder }
        guard tries, (try? files.status(at: layout.namespace)) != nil else { return nil }
        if let folder = try? prepare() { return folder }
        open.withLock { $0.hasFailed = true }
        return nil
    }

    /// Gives the folder up, because it has gone; the next store makes another one.
    func abandon(_ folder: OpenFolder) {
        open.withLock { open in
            if open.folder === folder { open.folder = nil }
            open.hasFailed = false
        }
    }

    /// The shards that have a folder.
    func shards() throws(SystemCallError) -> [Int] {
        do {
            return try files.list(layout.namespace).compactMap { name in
                guard let shard = UInt8(name, radix: 16), EntryName.shardName(Int(shard)) == name else { return nil }
                return Int(shard)
            }
        } catch  where error.number == ENOENT {
            return []
        }
    }

    func entryNames(inShard shard: Int) throws(SystemCallError) -> [EntryName] {
        try files.entryNames(inShard: shard, of: layout)
    }

    /// Runs `body` with a shard locked against the other threads and processes that change it.
    func withShard<R>(
        _ shard: Int,
        _ folder: OpenFolder,
        _ body: () throws(SystemCallError) -> R
    ) throws(SystemCallError) -> R {
        try shardLocks[shard].withLock { (_: inout UInt8) throws(SystemCallError) -> R in
            try folder.counters.withLock(byte: shard) { () throws(SystemCallError) -> R in
                try folder.session.journal.whileChanging(body)
            }
        }
    }

    /// Removes an entry's file and counts that; call it with the shard locked.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func unlink(_ name: EntryName, _ folder: OpenFolder, byteCount: Int? = nil) throws(SystemCallError) -> Bool {
        let path = layout.entry(name)
        do throws(SystemCallError) {
            var bytes = byteCount
            if bytes == nil {
                let status = try files.status(at: path)
                guard status.kind != .directory else {
                    try files.removeDirectory(path)
                    return true
                }
                bytes = status.kind == .regular ? Self.blocks(status.size) : nil
            }
            try files.unlink(path)
            if let bytes { folder.counters.add(shard: name.shard, bytes: -bytes, count: -1) }
            return true
        } catch  where error.number == ENOENT {
            return false
        }
    }
}
