internal import Glibc
internal import KuvaCore

extension DiskCache {
    /// Evicts the least recently used entries until what is there, and so many bytes more, keep the limits.
    ///
    /// - Parameter bytes: what a new entry will take; 0 for none.
    func makeRoom(forBytes bytes: Int = 0, in folder: OpenFolder) throws(SystemCallError) {
        try trim(folder, toBytes: try currentByteLimit() - bytes, count: countLimit - (bytes > 0 ? 1 : 0))
    }

    /// Evicts the least recently used entries until so much is left.
    func trim(_ folder: OpenFolder, toBytes bytes: Int, count: Int) throws(SystemCallError) {
        while true {
            let totals = folder.counters.totals
            guard totals.bytes > bytes || totals.count > count, let victim = try folder.nextVictim(),
                try evict(victim, folder)
            else { return }
        }
    }

    /// Removes an entry unless it was used since it got its place in the queue.
    ///
    /// - Returns: whether it makes sense to go on with the next one.
    private func evict(_ use: Use, _ folder: OpenFolder) throws(SystemCallError) -> Bool {
        switch folder.recent.verdict(use) {
        case .superseded: return true
        case .used(let time):
            moveBack(use, to: time, folder)
            return true
        case .unknown: break
        }
        return try withShard(use.name.shard, folder) { () throws(SystemCallError) in
            do throws(SystemCallError) {
                let status = try files.status(at: layout.entry(use.name))
                guard status.kind == .regular, status.modified.nanoseconds <= use.used else { return true }
                try unlink(use.name, folder, byteCount: Self.blocks(status.size))
                folder.didEvict()
                return true
            } catch  where error.number == ENOENT {
                return true
            } catch {
                // It takes space still, and the system will not let go of it: try others first from now on.
                folder.record(use)
                return false
            }
        }
    }

    private func moveBack(_ use: Use, to time: Int64, _ folder: OpenFolder) {
        var use = use
        use.used = time
        folder.record(use)
        let path = layout.entry(use.name)
        guard let file = try? files.open(path, .read) else { return }
        try? files.setModified(FileTime(nanoseconds: time), of: file, path)
        try? files.close(file, path)
    }
}
