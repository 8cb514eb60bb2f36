internal import FoundationEssentials
internal import Glibc
public import KuvaCore

extension DiskCache {
    /// See ``DataCaching``. An entry larger than the whole limit is not kept, and an earlier one of that key goes.
    ///
    /// The cost beyond writing the file grows with what must be evicted, not with what is kept.
    public func store(_ entry: CachedData, for key: CacheKey) throws(ImageError) {
        let header = EntryHeader(
            key: key,
            storedAt: entry.storedAt,
            formatName: Self.formatName(of: entry.bytes),
            response: entry.response
        )
        guard let headerBytes = header.encoded(bodyLength: entry.bytes.count) else {
            return try removeData(for: key)
        }
        let byteCount = Self.blocks(headerBytes.count + entry.bytes.count + EntryFormat.footerLength)
        do {
            guard byteCount <= (try byteLimit()) else { return try remove(EntryName(key)) }
        } catch {
            throw error.imageError(.cacheWrite)
        }
        do { try prepare() } catch { throw error.imageError(.cacheWrite, isPreparing: true) }
        let result = entry.bytes.withUnsafeBytes { (body: UnsafeRawBufferPointer) in
            Result { () throws(SystemCallError) in
                let footer = EntryBuffer.footer(header: headerBytes, body: body)
                do throws(SystemCallError) {
                    try write(EntryName(key), headerBytes, body, footer)
                } catch  where error.number == ENOENT {
                    // The folder has been removed under us.
                    abandonSession()
                    try prepare()
                    try write(EntryName(key), headerBytes, body, footer)
                }
                try enforceLimit()
            }
        }
        do throws(SystemCallError) { try result.get() } catch { throw error.imageError(.cacheWrite) }
    }

    private static func formatName(of bytes: Data) -> String {
        let format = bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            ImageFormat(sniffing: UnsafeRawBufferPointer(rebasing: bytes.prefix(1024)))
        }
        return format == .unknown ? "" : format.name
    }

    private func write(
        _ name: EntryName,
        _ header: [UInt8],
        _ body: UnsafeRawBufferPointer,
        _ footer: [UInt8]
    ) throws(SystemCallError) {
        let temporary = temporaryPath()
        let file = try files.open(temporary, .createNew)
        var isOpen = true
        do throws(SystemCallError) {
            try header.withUnsafeBufferPointer { header throws(SystemCallError) in
                try footer.withUnsafeBufferPointer { footer throws(SystemCallError) in
                    let pieces = [UnsafeRawBufferPointer(header), body, UnsafeRawBufferPointer(footer)]
                    try files.writeAll(file, pieces, temporary)
                }
            }
            if configuration.synchronizesStores { try files.synchronize(file, temporary) }
            isOpen = false
            try files.close(file, temporary)
            try publish(temporary, as: name, byteCount: header.count + body.count + footer.count)
        } catch {
            if isOpen { try? files.close(file, temporary) }
            try? files.unlink(temporary)
            throw error
        }
    }

    private func publish(_ temporary: String, as name: EntryName, byteCount: Int) throws(SystemCallError) {
        let path = layout.entry(name)
        try withNameLock(name) { () throws(SystemCallError) in
            do throws(SystemCallError) {
                try files.rename(temporary, to: path)
            } catch  where error.number == ENOENT {
                try makeShard(name.shard)
                try files.rename(temporary, to: path)
            }
            index.insert(name, byteCount: Self.blocks(byteCount))
        }
        guard configuration.synchronizesStores else { return }
        do {
            try synchronizeShard(name.shard)
        } catch {
            try? remove(name)
            throw error
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

    /// Evicts the least recently used entries until the limit holds.
    private func enforceLimit() throws(SystemCallError) {
        let limit = try byteLimit()
        while let item = index.nextToLeave(limit: limit) {
            let isEvicted = try withNameLock(item.name) { () throws(SystemCallError) -> Bool in
                guard index.remove(item) else { return true }
                do throws(SystemCallError) {
                    try files.unlink(layout.entry(item.name))
                } catch  where error.number != ENOENT {
                    // It takes space still, and the system will not let go of it: try others first from now on.
                    index.insert(item.name, byteCount: item.byteCount)
                    return false
                } catch {}
                return true
            }
            if !isEvicted { return }
        }
    }
}
