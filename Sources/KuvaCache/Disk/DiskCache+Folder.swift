internal import Glibc
internal import KuvaCore

extension DiskCache {
    /// Makes the folders and this cache's session, if there is none yet.
    func prepare() throws(SystemCallError) {
        try session.withLock { session throws(SystemCallError) in
            guard session == nil else { return }
            try files.makeDirectories(layout.temporaries)
            let new = try WriterSession.open(in: layout, files)
            do throws(SystemCallError) {
                WriterSession.removeDead(in: layout, files)
                try writeTag(as: layout.temporary("\(new.name).tag"))
            } catch {
                new.close(files)
                throw error
            }
            session = new
        }
        try loadIndex()
    }

    /// Ends the session, because its folder has gone; the next store makes another one.
    func abandonSession() {
        let old = session.withLock { session in
            defer { session = nil }
            return session
        }
        old?.close(files)
    }

    /// A path for a file that nobody else writes, in the session.
    func temporaryPath() -> String {
        let number = nextTemporary.withLock { number in
            number += 1
            return number
        }
        return layout.temporary("\(session.withLock { $0?.name ?? "" }).\(number)")
    }

    private func writeTag(as temporary: String) throws(SystemCallError) {
        do {
            let status = try files.status(at: layout.tag)
            if status.size > 0 { return }
        } catch  where error.number == ENOENT {}
        let file = try files.open(temporary, .createNew)
        do {
            var text = CacheLayout.tagText
            let result = text.withUTF8 { bytes in
                Result { () throws(SystemCallError) in
                    try files.writeAll(file, [UnsafeRawBufferPointer(bytes)], temporary)
                }
            }
            try result.get()
            try files.close(file, temporary)
            try files.rename(temporary, to: layout.tag)
        } catch {
            try? files.close(file, temporary)
            try? files.unlink(temporary)
            throw error
        }
    }

    /// Reads the names, sizes and times of all entries, once.
    func loadIndex() throws(SystemCallError) {
        try isIndexed.withLock { isIndexed throws(SystemCallError) in
            guard !isIndexed else { return }
            var found: [(item: DiskIndex.Item, modified: FileTime)] = []
            for shard in try shards() {
                for name in try entryNames(inShard: shard) {
                    do throws(SystemCallError) {
                        let status = try files.status(at: layout.entry(name))
                        guard status.kind == .regular else { continue }
                        let item = DiskIndex.Item(name: name, byteCount: Self.blocks(status.size))
                        found.append((item, status.modified))
                    } catch  where error.number == ENOENT { continue }
                }
            }
            found.sort { $0.modified < $1.modified }
            index.load(found.map(\.item))
            isIndexed = true
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

    /// The entries in a shard's folder; none if the folder is not there.
    func entryNames(inShard shard: Int) throws(SystemCallError) -> [EntryName] {
        do {
            return try files.list(layout.shard(shard)).compactMap(EntryName.init(fileName:)).filter {
                $0.shard == shard
            }
        } catch  where error.number == ENOENT {
            return []
        }
    }
}
