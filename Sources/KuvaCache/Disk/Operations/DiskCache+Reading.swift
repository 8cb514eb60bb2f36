public import FoundationEssentials
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

    /// The data that a program stored beside an entry; `nil` if there is no entry or no such data.
    ///
    /// - Throws: as ``DataCaching/data(for:)``.
    public func extendedData(for key: CacheKey) throws(ImageError) -> Data? {
        do { return try read(key)?.0.extendedData } catch { throw error.imageError(.cacheRead) }
    }

    /// Whether there is an entry that has not expired. Looks at its name and header only: damage further on shows when
    /// it is read.
    ///
    /// - Throws: as ``DataCaching/data(for:)``.
    public func contains(_ key: CacheKey) throws(ImageError) -> Bool {
        do {
            let path = layout.entry(EntryName(key))
            if let header = try header(at: path), header.key == key,
                !isExpired(header, try files.status(at: path))
            {
                return true
            }
        } catch  where error.number == ENOENT {
        } catch {
            throw error.imageError(.cacheRead)
        }
        return bundled(key) != nil
    }

    // MARK: Shared with other operations

    /// The header of an entry's file; `nil` if it is no entry.
    func header(at path: String) throws(SystemCallError) -> EntryHeader? {
        let file = try files.open(path, .read)
        defer { try? files.close(file, path) }
        let status = try files.status(file, path)
        guard status.kind == .regular, status.size >= EntryFormat.minimumLength else { return nil }
        guard let first = EntryBuffer(count: min(4096, status.size)) else {
            throw SystemCallError("read", path, ENOMEM)
        }
        guard try files.readAll(file, into: first.bytes, path) == first.count else { return nil }
        if let (header, _) = first.header(entryLength: status.size) { return header }
        guard let length = first.headerLength, length > first.count, length <= status.size else { return nil }
        guard let whole = EntryBuffer(count: length) else { throw SystemCallError("read", path, ENOMEM) }
        whole.bytes.copyMemory(from: UnsafeRawBufferPointer(first.bytes))
        let rest = UnsafeMutableRawBufferPointer(rebasing: whole.bytes[first.count...])
        guard try files.readAll(file, into: rest, path) == rest.count else { return nil }
        return whole.header(entryLength: status.size)?.header
    }

    func isExpired(_ header: EntryHeader, _ status: FileStatus) -> Bool { isExpired(header, status, at: now) }

    private func isExpired(_ header: EntryHeader, _ status: FileStatus, at now: FileTime) -> Bool {
        let start =
            switch configuration.expiry {
            case .access: status.modified
            case .modification: FileTime(secondsSince1970: header.storedAt.timeIntervalSince1970)
            case .creation:
                FileTime(secondsSince1970: (header.createdAt ?? header.storedAt).timeIntervalSince1970)
            }
        return isExpired(since: start, at: now)
    }

    func isExpired(since time: FileTime) -> Bool { isExpired(since: time, at: now) }

    private func isExpired(since time: FileTime, at now: FileTime) -> Bool {
        guard ageLimit >= 0 else { return false }
        let (age, overflow) = now.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
        if overflow { return now > time }
        return age > ageLimit || ageLimit == 0
    }

    // MARK: Reading

    private func read(_ key: CacheKey) throws(SystemCallError) -> (EntryHeader, Data)? {
        let folder = folderIfPresent()
        let name = EntryName(key)
        let found = try readEntry(key, name, layout.entry(name), folder)
        folder?.counters.increment(found == nil ? .misses : .hits)
        return found ?? bundled(key)
    }

    private func readEntry(
        _ key: CacheKey,
        _ name: EntryName,
        _ path: String,
        _ folder: OpenFolder?
    ) throws(SystemCallError) -> (EntryHeader, Data)? {
        let file: FileDescriptor
        do {
            file = try open(path, folder)
        } catch  where error.number == ENOENT {
            return nil
        } catch  where error.number == ELOOP || error.number == ENXIO || error.number == EACCES {
            // A link, a socket, or another user's file: nothing that this cache has stored.
            discard(name, path, nil, folder)
            return nil
        }
        defer { try? files.close(file, path) }
        let status = try files.status(file, path)
        guard status.kind == .regular, status.size >= EntryFormat.minimumLength, status.owner == owner else {
            discard(name, path, status, folder)
            return nil
        }
        guard let (header, body) = try verified(key, file, path, status) else {
            discard(name, path, status, folder)
            return nil
        }
        guard header.key == key else { return nil }
        let now = now
        guard !isExpired(header, status, at: now) else {
            discard(name, path, status, folder)
            return nil
        }
        if let folder { recordUse(of: name, header, file, path, status, at: now, folder) }
        guard let serializer = configuration.serializer else { return (header, body) }
        guard let bytes = serializer.deserialize(body, for: key) else {
            discard(name, path, status, folder)
            return nil
        }
        return (header, bytes)
    }

    private func open(_ path: String, _ folder: OpenFolder?) throws(SystemCallError) -> FileDescriptor {
        if let base = folder?.base {
            // The folder may have been moved, and another one have its name now.
            do { return try files.open(path, in: base, .read) } catch  where error.number == ENOENT {}
        }
        return try files.open(path, .read)
    }

    /// The whole of an open file, if it is an entry without a fault.
    private func verified(
        _ key: CacheKey,
        _ file: FileDescriptor,
        _ path: String,
        _ status: FileStatus
    ) throws(SystemCallError) -> (EntryHeader, Data)? {
        // More than a cache of any limit would have stored: it is not worth the memory.
        if status.size > 1 << 30, status.size > (try currentByteLimit()) { return nil }
        if configuration.mapsLargeFiles, status.size >= 1 << 20 {
            guard let buffer = EntryBuffer(mapping: file, count: status.size, path) else {
                throw SystemCallError("mmap", path, ENOMEM)
            }
            guard let (header, length) = buffer.verifiedHeader(expecting: key) else { return nil }
            return (header, buffer.body(headerLength: length))
        }
        guard let buffer = EntryBuffer(count: status.size) else { throw SystemCallError("read", path, ENOMEM) }
        guard try files.readAll(file, into: buffer.bytes, path) == status.size,
            let (header, length) = buffer.verifiedHeader(expecting: key)
        else { return nil }
        return (header, buffer.body(headerLength: length))
    }

    /// What the read-only folders, or the program itself, have for a key.
    private func bundled(_ key: CacheKey) -> (EntryHeader, Data)? {
        let name = configuration.readOnlyFolders.isEmpty ? nil : EntryName(key)
        for folder in configuration.readOnlyFolders {
            guard let name, let file = try? files.open("\(folder)/\(name.path)", .read) else { continue }
            defer { try? files.close(file, folder) }
            if let status = try? files.status(file, folder), status.kind == .regular,
                let found = try? verified(key, file, folder, status), found.0.key == key
            {
                return found
            }
        }
        guard let path = configuration.bundledFile?(key), let file = try? files.open(path, .read) else { return nil }
        defer { try? files.close(file, path) }
        guard let status = try? files.status(file, path), status.kind == .regular, status.size <= 1 << 30,
            let buffer = EntryBuffer(count: status.size),
            let count = try? files.readAll(file, into: buffer.bytes, path), count == status.size
        else { return nil }
        let date = Date(timeIntervalSince1970: Double(status.modified.nanoseconds) / 1e9)
        return (EntryHeader(key: key, storedAt: date), buffer.data())
    }

    /// The file's time is the time of last use; exact to a minute, or to an eighth of the maximum age, since writing it
    /// costs.
    private func recordUse(
        of name: EntryName,
        _ header: EntryHeader,
        _ file: FileDescriptor,
        _ path: String,
        _ status: FileStatus,
        at now: FileTime,
        _ folder: OpenFolder
    ) {
        var grain: Int64 = 60_000_000_000
        if configuration.expiry == .access, ageLimit >= 0 { grain = min(grain, ageLimit / 8) }
        let (age, overflow) = now.nanoseconds.subtractingReportingOverflow(status.modified.nanoseconds)
        guard overflow || age < 0 || age > grain else {
            return folder.recent.note(name, used: folder.timeOfUse(now), isQueued: false)
        }
        let first = header.createdAt ?? header.storedAt
        let stored = FileTime(secondsSince1970: first.timeIntervalSince1970)
        folder.record(Use(name: name, used: folder.timeOfUse(now), stored: stored.nanoseconds))
        try? files.setModified(now, of: file, path)
    }

    /// Removes what is no good, unless another process has put a new entry there since. If it cannot be removed, it is
    /// a miss all the same; the next store replaces it or says why it cannot.
    func discard(_ name: EntryName, _ path: String, _ seen: FileStatus?, _ folder: OpenFolder?) {
        guard let folder else { return }
        try? withShard(name.shard, folder) { () throws(SystemCallError) in
            let present = try files.status(at: path)
            if let seen, seen.identity != present.identity { return }
            try unlink(name, folder)
        }
    }
}
