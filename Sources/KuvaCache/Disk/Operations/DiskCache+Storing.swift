public import FoundationEssentials
internal import Glibc
public import KuvaCore

extension DiskCache {
    /// See ``DataCaching``. An entry larger than the whole limit is not kept, and an earlier one of that key goes.
    ///
    /// The cost beyond writing the file grows with what must be evicted, not with what is kept.
    public func store(_ entry: CachedData, for key: CacheKey) throws(ImageError) {
        try store(entry, extendedData: nil, for: key)
    }

    /// Keeps an entry with data of the program's own beside it, which ``extendedData(for:)`` gives back.
    ///
    /// - Throws: as ``DataCaching/store(_:for:)``.
    public func store(_ entry: CachedData, extendedData: Data?, for key: CacheKey) throws(ImageError) {
        let bytes = try serialized(entry.bytes, for: key)
        let name = EntryName(key)
        var header = EntryHeader(
            key: key,
            storedAt: entry.storedAt,
            formatName: Self.formatName(of: entry.bytes),
            response: entry.response,
            extendedData: extendedData
        )
        if configuration.expiry == .creation { header.createdAt = creation(of: name) }
        guard let headerBytes = header.encoded(bodyLength: bytes.count) else {
            return try removeData(for: key)
        }
        let byteCount = Self.blocks(headerBytes.count + bytes.count + EntryFormat.footerLength)
        do {
            guard byteCount <= (try currentByteLimit()), countLimit > 0 else { return try remove(name) }
        } catch {
            throw error.imageError(.cacheWrite)
        }
        var folder: OpenFolder
        do { folder = try prepare() } catch { throw error.imageError(.cacheWrite, isPreparing: true) }
        let stored = FileTime(secondsSince1970: (header.createdAt ?? entry.storedAt).timeIntervalSince1970)
        let use = Use(name: name, used: 0, stored: stored.nanoseconds)
        let result = bytes.withUnsafeBytes { (body: UnsafeRawBufferPointer) in
            Result { () throws(SystemCallError) in
                let footer = EntryBuffer.footer(header: headerBytes, body: body)
                do throws(SystemCallError) {
                    try write(use, headerBytes, body, footer, folder)
                } catch  where error.number == ENOENT {
                    // The folder has been removed under us.
                    abandon(folder)
                    folder = try prepare()
                    try write(use, headerBytes, body, footer, folder)
                }
                try makeRoom(in: folder)
            }
        }
        do throws(SystemCallError) { try result.get() } catch { throw error.imageError(.cacheWrite) }
        maintainIfDue(folder)
    }

    private func serialized(_ bytes: Data, for key: CacheKey) throws(ImageError) -> Data {
        guard let serializer = configuration.serializer else { return bytes }
        do {
            return try serializer.serialize(bytes, for: key)
        } catch {
            throw ImageError(
                .ioFailed,
                "the cache's serializer could not write \(key)",
                advice: "see the cause",
                stage: .cacheWrite,
                cause: error
            )
        }
    }

    private static func formatName(of bytes: Data) -> String {
        let format = bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            ImageFormat(sniffing: UnsafeRawBufferPointer(rebasing: bytes.prefix(1024)))
        }
        return format == .unknown ? "" : format.name
    }

    /// When the entry that a store replaces was first stored.
    private func creation(of name: EntryName) -> Date? {
        guard let old = try? header(at: layout.entry(name)) else { return nil }
        return old.createdAt ?? old.storedAt
    }

    private func write(
        _ use: Use,
        _ header: [UInt8],
        _ body: UnsafeRawBufferPointer,
        _ footer: [UInt8],
        _ folder: OpenFolder
    ) throws(SystemCallError) {
        let temporary = folder.temporaryPath()
        let file = try files.open(temporary, in: folder.base, .createNew)
        var isOpen = true
        do throws(SystemCallError) {
            try header.withUnsafeBufferPointer { header throws(SystemCallError) in
                try footer.withUnsafeBufferPointer { footer throws(SystemCallError) in
                    let pieces = [UnsafeRawBufferPointer(header), body, UnsafeRawBufferPointer(footer)]
                    try files.writeAll(file, pieces, temporary)
                }
            }
            let now = now
            if !SystemFileSystem.isAbout(now) { try files.setModified(now, of: file, temporary) }
            if configuration.synchronizesStores { try files.synchronize(file, temporary) }
            isOpen = false
            try files.close(file, temporary)
            var use = use
            use.used = folder.timeOfUse(now)
            let byteCount = Self.blocks(header.count + body.count + footer.count)
            try makeRoom(forBytes: byteCount, in: folder)
            try publish(temporary, as: use, byteCount: byteCount, folder)
        } catch {
            if isOpen { try? files.close(file, temporary) }
            try? files.unlink(temporary)
            throw error
        }
    }

    private func publish(
        _ temporary: String,
        as use: Use,
        byteCount: Int,
        _ folder: OpenFolder
    ) throws(SystemCallError) {
        let shard = use.name.shard
        folder.record(use)
        try withShard(shard, folder) { () throws(SystemCallError) in
            folder.counters.add(shard: shard, bytes: byteCount, count: 1)
            do throws(SystemCallError) {
                if let replaced = try rename(temporary, to: use.name, folder) {
                    folder.counters.add(shard: shard, bytes: -replaced, count: -1)
                }
            } catch {
                folder.counters.add(shard: shard, bytes: -byteCount, count: -1)
                throw error
            }
        }
        guard configuration.synchronizesStores else { return }
        do {
            try synchronizeShard(shard)
        } catch {
            try? remove(use.name)
            throw error
        }
    }

    /// - Returns: what the file that was there before took on disk; `nil` if none was.
    private func rename(
        _ temporary: String,
        to name: EntryName,
        _ folder: OpenFolder
    ) throws(SystemCallError) -> Int? {
        let path = layout.entry(name)
        do throws(SystemCallError) {
            try files.renameNew(temporary, to: path, in: folder.base)
            return nil
        } catch  where error.number == ENOENT {
            try makeShard(name.shard)
            try files.renameNew(temporary, to: path, in: folder.base)
            return nil
        } catch  where error.number == EEXIST || error.number == EINVAL {
            var replaced: Int?
            do throws(SystemCallError) {
                let status = try files.status(at: path)
                if status.kind == .regular { replaced = Self.blocks(status.size) }
            } catch  where error.number == ENOENT {}
            try files.rename(temporary, to: path, in: folder.base)
            return replaced
        }
    }

    private func makeShard(_ shard: Int) throws(SystemCallError) {
        do { try files.makeDirectory(layout.shard(shard)) } catch  where error.number == EEXIST {}
    }

    private func synchronizeShard(_ shard: Int) throws(SystemCallError) {
        let path = layout.shard(shard)
        let folder = try files.open(path, .directory)
        defer { try? files.close(folder, path) }
        try files.synchronize(folder, path)
    }
}
