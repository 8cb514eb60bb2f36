internal import Glibc
internal import KuvaCore
internal import Synchronization

/// A cache's folder as one cache object has it open: the shared counters and queue, and a session of its own.
final class OpenFolder: Sendable {
    let layout: CacheLayout
    let files: any FileSystem
    let counters: SharedCounters
    let session: WriterSession
    let queue: UseQueue
    let recent = RecentUses()
    /// The folder of the entries and of what is being written, so that the system need not walk the way to it for each;
    /// `nil` if it could not be kept open.
    let base: BaseFolder?
    /// What the queue, the counters or both must be made anew from the files for.
    let needsRebuild = Lock(false)
    private let victims = Lock(Victims())
    private let lastUse = Atomic<Int64>(.min)

    private struct Victims: Sendable {
        /// The next one last.
        var waiting: [Use] = []
        /// The place in the queue up to which they were taken out.
        var last: Int64?
        /// Where they were looked for since one of them left last.
        var hasReadSessions = false
        var hasRebuilt = false
    }

    /// Opens the folder, which is made if need be.
    init(_ layout: CacheLayout, _ files: any FileSystem) throws(SystemCallError) {
        self.layout = layout
        self.files = files
        try files.makeDirectories(layout.temporaries)
        let status = try files.status(at: layout.namespace)
        guard status.owner == geteuid() else { throw SystemCallError("use", layout.namespace, EPERM) }
        session = try WriterSession.open(in: layout, files)
        let temporary = session.temporaryPath()
        try Self.writeTag(layout, temporary, files)
        counters = try SharedCounters.open(layout.counters, temporary: temporary, files)
        queue = UseQueue(path: layout.index)
        // Last: from here on, the object's end closes it.
        base = (try? files.open(layout.namespace, .directory)).map {
            BaseFolder(descriptor: $0, length: layout.namespace.utf8.count + 1)
        }
        let boot = Self.boot()
        var isUnsure = queue.isLost || counters[.boot] != boot
        counters[.boot] = boot
        WriterSession.removeDead(in: layout, files) { uses, wasChanging in
            queue.append(uses)
            if wasChanging { isUnsure = true }
        }
        if counters[.isCounted] == 0 { try rebuild() } else if isUnsure { needsRebuild.withLock { $0 = true } }
    }

    deinit {
        flush()
        if let base { try? files.close(base.descriptor, layout.namespace) }
    }

    /// Puts the uses that the session has recorded into the queue.
    func flush() { session.journal.drain { queue.append($0) } }

    func temporaryPath() -> String { session.temporaryPath() }

    /// The time of a use that happens now: later than that of any before, so that their order can be told.
    func timeOfUse(_ now: FileTime) -> Int64 {
        var last = lastUse.load(ordering: .relaxed)
        while true {
            let time = max(now.nanoseconds, last == .max ? last : last + 1)
            let (exchanged, original) = lastUse.compareExchange(expected: last, desired: time, ordering: .relaxed)
            if exchanged { return time }
            last = original
        }
    }

    /// Records a store or a use.
    func record(_ use: Use) {
        recent.note(use.name, used: use.used, isQueued: true)
        session.journal.record(use) { queue.append($0) }
    }

    /// The entry whose turn to leave has come; `nil` if there is none left.
    func nextVictim() throws(SystemCallError) -> Use? {
        try victims.withLock { victims throws(SystemCallError) in
            if let victim = victims.waiting.popLast() { return victim }
            if let last = victims.last { queue.forget(through: last) }
            victims.last = nil
            flush()
            while true {
                let rows = queue.oldest(64)
                if let last = rows.last {
                    victims.last = last.sequence
                    victims.waiting = rows.reversed().map(\.use)
                } else if !victims.hasReadSessions {
                    victims.hasReadSessions = true
                    victims.waiting = WriterSession.pendingUses(in: layout, files).sorted { $0.used > $1.used }
                } else if !victims.hasRebuilt {
                    victims.hasRebuilt = true
                    try rebuild()
                } else {
                    return nil
                }
                if let victim = victims.waiting.popLast() { return victim }
            }
        }
    }

    /// An entry has left, so there may be more of its kind.
    func didEvict() {
        counters.increment(.evictions)
        victims.withLock { victims in
            victims.hasReadSessions = false
            victims.hasRebuilt = false
        }
    }

    /// Counts the files and puts them into the queue anew, in the order of their times. O(entries).
    func rebuild() throws(SystemCallError) {
        try counters.withLock(byte: SharedCounters.maintenanceByte) { () throws(SystemCallError) in
            if queue.isLost { queue.renew { for path in $0 { try? files.unlink(path) } } }
            var failure: SystemCallError?
            queue.rebuild { found in
                do throws(SystemCallError) {
                    for shard in 0..<SharedCounters.shardCount { found(try count(shard)) }
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
            counters[.isCounted] = 1
            needsRebuild.withLock { $0 = false }
        }
    }

    /// Counts one shard while nobody changes it.
    private func count(_ shard: Int) throws(SystemCallError) -> [Use] {
        try counters.withLock(byte: shard) { () throws(SystemCallError) in
            var uses: [Use] = []
            var byteCount = 0
            for name in try files.entryNames(inShard: shard, of: layout) {
                do throws(SystemCallError) {
                    let status = try files.status(at: layout.entry(name))
                    guard status.kind == .regular else { continue }
                    byteCount += DiskCache.blocks(status.size)
                    uses.append(Use(name: name, used: status.modified.nanoseconds))
                } catch  where error.number == ENOENT { continue }
            }
            counters.set(shard: shard, bytes: byteCount, count: uses.count)
            return uses
        }
    }

    /// A number for this start of the machine; 0 where the system does not say.
    private static func boot() -> Int64 {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return 0 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 64)
        guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
        return text.withUnsafeBytes { Int64(bitPattern: Checksum.xxh64($0)) }
    }

    private static func writeTag(
        _ layout: CacheLayout,
        _ temporary: String,
        _ files: any FileSystem
    ) throws(SystemCallError) {
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
}

extension FileSystem {
    /// The entries in a shard's folder; none if the folder is not there.
    func entryNames(inShard shard: Int, of layout: CacheLayout) throws(SystemCallError) -> [EntryName] {
        do {
            return try list(layout.shard(shard)).compactMap(EntryName.init(fileName:)).filter { $0.shard == shard }
        } catch  where error.number == ENOENT {
            return []
        }
    }
}
