internal import CKuvaFiles
internal import FoundationEssentials
internal import Glibc
public import KuvaCore

extension DiskCache {
    /// Removes all entries that have expired, and gives their number. Done in the background once an hour.
    ///
    /// - Throws: ``ImageError`` at the stage `cache write`.
    @discardableResult
    public func removeExpired() throws(ImageError) -> Int {
        guard let folder = folderIfPresent() else { return 0 }
        do { return try removeExpired(folder) } catch { throw error.imageError(.cacheWrite) }
    }

    /// Evicts the least recently used entries until at most so much is left. The limits stay what they are.
    ///
    /// - Throws: ``ImageError`` at the stage `cache write`.
    public func trim(toBytes bytes: Int = .max, count: Int = .max) throws(ImageError) {
        guard let folder = folderIfPresent() else { return }
        do { try trim(folder, toBytes: bytes, count: count) } catch { throw error.imageError(.cacheWrite) }
    }

    /// Does in the background what is due.
    func maintainLater() {
        open.withLock { $0.maintainedAt = time.monotonic }
        runLater { [weak self] in
            guard let self, let folder = folderIfPresent() else { return }
            kuva_files_lower_thread()
            try? maintain(folder)
        }
    }

    /// Asks for maintenance once an hour, while there are stores.
    func maintainIfDue(_ folder: OpenFolder) {
        guard let last = open.withLock({ $0.maintainedAt }), time.monotonic - last > .seconds(3600) else { return }
        maintainLater()
    }

    private func maintain(_ folder: OpenFolder) throws(SystemCallError) {
        guard folder.counters.isCurrent else { return abandon(folder) }
        if folder.needsRebuild.withLock({ $0 }) || folder.queue.isLost { try folder.rebuild() }
        let now = Int64(time.wall.timeIntervalSince1970)
        if abs(now - folder.counters[.expiredAt]) >= 3600 {
            folder.counters[.expiredAt] = now
            _ = try removeExpired(folder)
        }
        try makeRoom(in: folder)
        // Entries that are used again and again leave rows behind that count for nothing.
        if folder.queue.rowCount > 2 * folder.counters.totals.count + 4096 { try folder.rebuild() }
    }

    private func removeExpired(_ folder: OpenFolder) throws(SystemCallError) -> Int {
        guard ageLimit >= 0 else { return 0 }
        folder.flush()
        let cutOff = now.nanoseconds.subtractingReportingOverflow(ageLimit)
        guard !cutOff.overflow else { return 0 }
        var removed = 0
        var last = Int64.min
        while true {
            let rows = folder.queue.oldest(256, after: last)
            guard let end = rows.last?.sequence else { return removed }
            let old = rows.filter {
                (configuration.expiry == .access ? $0.use.used : $0.use.stored) <= cutOff.partialValue
            }
            for row in old where try removeIfExpired(row.use.name, folder) { removed += 1 }
            switch configuration.expiry {
            case .access:
                folder.queue.forget(through: end, usedBefore: cutOff.partialValue)
                // Later rows are of later uses.
                if old.isEmpty { return removed }
            case .modification, .creation:
                folder.queue.forget(through: end, storedBefore: cutOff.partialValue)
            }
            last = end
        }
    }

    private func removeIfExpired(_ name: EntryName, _ folder: OpenFolder) throws(SystemCallError) -> Bool {
        try withShard(name.shard, folder) { () throws(SystemCallError) in
            let path = layout.entry(name)
            do throws(SystemCallError) {
                let status = try files.status(at: path)
                guard status.kind == .regular else { return false }
                let isOld =
                    if configuration.expiry == .access {
                        isExpired(since: status.modified)
                    } else {
                        try header(at: path).map { isExpired($0, status) } ?? true
                    }
                return isOld ? try unlink(name, folder, byteCount: Self.blocks(status.size)) : false
            } catch  where [ENOENT, EACCES, EPERM].contains(error.number) {
                return false
            }
        }
    }
}

extension Duration {
    var nanoseconds: Int128 { attoseconds / 1_000_000_000 }
}
