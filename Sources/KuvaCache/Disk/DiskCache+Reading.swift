internal import FoundationEssentials
internal import Glibc
public import KuvaCore

extension DiskCache {
    /// See ``DataCaching``. An entry older than the configuration's ``Configuration/maximumAge`` is a miss, too.
    public func data(for key: CacheKey) throws(ImageError) -> CachedData? {
        do {
            guard let (header, body) = try read(key) else { return nil }
            return CachedData(bytes: body, response: header.response, storedAt: header.storedAt)
        } catch {
            throw error.imageError(.cacheRead)
        }
    }

    private func read(_ key: CacheKey) throws(SystemCallError) -> (EntryHeader, Data)? {
        let name = EntryName(key)
        let path = layout.entry(name)
        let file: FileDescriptor
        do {
            file = try files.open(path, .read)
        } catch  where error.number == ENOENT {
            return nil
        } catch  where error.number == ELOOP || error.number == ENXIO || error.number == EACCES {
            // A link, a socket, or another user's file: nothing that this cache has stored.
            try discard(name, path, nil)
            return nil
        }
        defer { try? files.close(file, path) }
        let status = try files.status(file, path)
        guard status.kind == .regular, status.size >= EntryFormat.minimumLength, status.size <= (try byteLimit())
        else {
            try discard(name, path, status)
            return nil
        }
        guard let buffer = EntryBuffer(count: status.size) else { throw SystemCallError("read", path, ENOMEM) }
        let count = try files.readAll(file, into: buffer.bytes, path)
        guard count == status.size, let (header, length) = buffer.verifiedHeader() else {
            try discard(name, path, status)
            return nil
        }
        guard header.key == key else { return nil }
        if isExpired(header) {
            try discard(name, path, status)
            return nil
        }
        recordUse(of: name, file, path, status)
        return (header, buffer.body(headerLength: length))
    }

    private func isExpired(_ header: EntryHeader) -> Bool {
        let maximum = configuration.maximumAge
        guard maximum >= .zero else { return false }
        return time.wall.timeIntervalSince(header.storedAt) > maximum / .seconds(1)
    }

    /// The file's time is the time of last use, for the next process; exact to a minute, since writing it costs.
    private func recordUse(of name: EntryName, _ file: FileDescriptor, _ path: String, _ status: FileStatus) {
        index.touch(name, byteCount: Self.blocks(status.size))
        let now = now
        let (age, overflow) = now.nanoseconds.subtractingReportingOverflow(status.modified.nanoseconds)
        if overflow || age < 0 || age > 60_000_000_000 { try? files.setModified(now, of: file, path) }
    }

    /// Removes what is no good, unless another process has put a new entry there since.
    private func discard(_ name: EntryName, _ path: String, _ seen: FileStatus?) throws(SystemCallError) {
        try withNameLock(name) { () throws(SystemCallError) in
            do throws(SystemCallError) {
                let present = try files.status(at: path)
                if let seen, seen.identity != present.identity { return }
                if present.kind == .directory { try files.removeDirectory(path) } else { try files.unlink(path) }
                index.remove(name)
            } catch  where [ENOENT, EACCES, EPERM, EROFS, ENOTEMPTY].contains(error.number) {
                // It is a miss all the same; the next store replaces it or says why it cannot.
            }
        }
    }
}
