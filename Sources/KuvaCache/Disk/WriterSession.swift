internal import Glibc

/// A process's right to write temporary files, so that others can tell its files from those of the dead.
///
/// The session is a file `tmp/<session>` on which its process holds a lock; the system drops the lock when the process
/// ends in whatever way. Temporary files are called `tmp/<session>.<number>`. Whoever gets the lock of a session knows
/// that its process is gone and removes what it left. Process numbers would not do: they come again, and mean
/// something else in each container that shares the folder.
struct WriterSession: Sendable {
    let name: String
    private let file: FileDescriptor
    private let path: String

    /// Makes a session in a folder that is there.
    static func open(in layout: CacheLayout, _ files: any FileSystem) throws(SystemCallError) -> WriterSession {
        while true {
            let name = "\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 36))"
            let path = layout.temporary(name)
            let file = try files.open(path, .createNew)
            do {
                // Between making the file and locking it, another process may have taken it for one of the dead.
                let isLocked = try lock(file, path, files)
                if isLocked, try files.status(file, path).linkCount > 0 {
                    return WriterSession(name: name, file: file, path: path)
                }
                try? files.close(file, path)
            } catch {
                try? files.unlink(path)
                try? files.close(file, path)
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

    /// Ends the session; it must have no temporary file left.
    func close(_ files: any FileSystem) {
        try? files.unlink(path)
        try? files.close(file, path)
    }

    /// Removes the sessions of processes that are gone, and what they left. What cannot be removed stays.
    static func removeDead(in layout: CacheLayout, _ files: any FileSystem) {
        var leftovers: [Substring: [String]] = [:]
        for name in (try? files.list(layout.temporaries)) ?? [] {
            let session = name.prefix { $0 != "." }
            leftovers[session, default: []].append(name)
        }
        for (session, names) in leftovers {
            let path = layout.temporary(String(session))
            do {
                let lock = try files.open(path, .lockExisting)
                defer { try? files.close(lock, path) }
                guard try files.tryLock(lock, path) else { continue }
                remove(names.sorted(by: >), in: layout, files)
            } catch {
                if error.number == ENOENT { remove(names, in: layout, files) }
            }
        }
    }

    /// Temporary files first, which sort after their session's file; so if this process dies too, the next one still
    /// finds the session.
    private static func remove(_ names: [String], in layout: CacheLayout, _ files: any FileSystem) {
        for name in names { try? files.unlink(layout.temporary(name)) }
    }
}
