internal import Glibc
internal import KuvaCore
internal import Synchronization

/// A process's right to write temporary files, so that others can tell its files from those of the dead.
///
/// The session is a file `tmp/<session>` on which its process holds a lock; the system drops the lock when the process
/// ends in whatever way. Temporary files are called `tmp/<session>.<number>`. Whoever gets the lock of a session knows
/// that its process is gone and removes what it left. Process numbers would not do: they come again, and mean
/// something else in each container that shares the folder. What the file holds, ``UseJournal`` says.
final class WriterSession: Sendable {
    let name: String
    let journal: UseJournal
    private let file: FileDescriptor
    private let path: String
    private let files: any FileSystem
    private let content: Content
    private let temporaryPrefix: String
    private let nextTemporary = Atomic<Int>(0)

    /// The mapped file.
    private struct Content: @unchecked Sendable {
        // Unchecked: only the session's end touches it besides the journal.
        let address: UnsafeMutableRawPointer
    }

    private init(
        name: String,
        file: FileDescriptor,
        path: String,
        address: UnsafeMutableRawPointer,
        _ files: any FileSystem
    ) {
        self.name = name
        self.file = file
        self.path = path
        self.files = files
        content = Content(address: address)
        journal = UseJournal(address)
        temporaryPrefix = path + "."
    }

    deinit {
        files.unmap(content.address, count: UseJournal.length)
        try? files.unlink(path)
        try? files.close(file, path)
    }

    /// A path for a file that nobody else writes.
    func temporaryPath() -> String {
        temporaryPrefix + String(nextTemporary.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Makes a session in a folder that is there.
    static func open(in layout: CacheLayout, _ files: any FileSystem) throws(SystemCallError) -> WriterSession {
        while true {
            let name = "\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 36))"
            let path = layout.temporary(name)
            try files.writeNew(path, UseJournal.empty)
            var file: FileDescriptor?
            do {
                // Between making the file and locking it, another process may have taken it for one of the dead.
                let open = try files.open(path, .lockExisting)
                file = open
                if try lock(open, path, files), try files.status(open, path).linkCount > 0 {
                    let address = try files.map(open, count: UseJournal.length, path)
                    return WriterSession(name: name, file: open, path: path, address: address, files)
                }
                try? files.close(open, path)
            } catch {
                try? files.unlink(path)
                if let file { try? files.close(file, path) }
                if file == nil, error.number == ENOENT { continue }
                throw error
            }
        }
    }

    /// On a file system without locks, every session counts as locked, and nobody's files are ever removed.
    private static func lock(
        _ file: FileDescriptor,
        _ path: String,
        _ files: any FileSystem
    ) throws(SystemCallError) -> Bool {
        do {
            return try files.tryLock(file, path)
        } catch  where [ENOLCK, EOPNOTSUPP, ENOSYS].contains(error.number) {
            return true
        }
    }

    /// Removes the sessions of processes that are gone, and what they left. What cannot be removed stays.
    ///
    /// - Parameter bequeath: takes over the uses that a dead session had recorded, and whether it died while it
    ///   changed the counters.
    static func removeDead(
        in layout: CacheLayout,
        _ files: any FileSystem,
        _ bequeath: (_ uses: [Use], _ wasChanging: Bool) -> Void
    ) {
        for (session, names) in sessions(in: layout, files) {
            let path = layout.temporary(session)
            do {
                let lock = try files.open(path, .lockExisting)
                defer { try? files.close(lock, path) }
                guard try files.tryLock(lock, path) else { continue }
                if let (uses, isChanging) = try journal(lock, path, files) {
                    bequeath(uses, isChanging)
                } else {
                    bequeath([], true)
                }
                remove(names.sorted(by: >), in: layout, files)
            } catch {
                if error.number == ENOENT { remove(names, in: layout, files) }
            }
        }
    }

    /// What the other sessions, alive, have recorded and not put into the queue yet.
    static func pendingUses(in layout: CacheLayout, _ files: any FileSystem) -> [Use] {
        sessions(in: layout, files).keys.flatMap { session -> [Use] in
            let path = layout.temporary(session)
            guard let file = try? files.open(path, .read) else { return [] }
            defer { try? files.close(file, path) }
            return (try? journal(file, path, files))?.uses ?? []
        }
    }

    private static func sessions(in layout: CacheLayout, _ files: any FileSystem) -> [String: [String]] {
        let names = (try? files.list(layout.temporaries)) ?? []
        return Dictionary(grouping: names) { String($0.prefix { $0 != "." }) }
    }

    private static func journal(
        _ file: FileDescriptor,
        _ path: String,
        _ files: any FileSystem
    ) throws(SystemCallError) -> (uses: [Use], isChanging: Bool)? {
        var content = [Int64](repeating: 0, count: UseJournal.length / 8)
        let count = try content.withUnsafeMutableBytes { bytes in
            Result { () throws(SystemCallError) in try files.readAll(file, into: bytes, path) }
        }.get()
        return count == UseJournal.length ? UseJournal.read(content) : nil
    }

    /// Temporary files first, which sort after their session's file; so if this process dies too, the next one still
    /// finds the session.
    private static func remove(_ names: [String], in layout: CacheLayout, _ files: any FileSystem) {
        for name in names { try? files.unlink(layout.temporary(name)) }
    }
}
