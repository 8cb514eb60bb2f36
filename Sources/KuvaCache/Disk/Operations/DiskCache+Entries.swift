public import FoundationEssentials
internal import Glibc
public import KuvaCore

extension DiskCache {
    /// What an entry says about itself.
    public struct Entry: Sendable {
        /// What it is known by.
        public var key: CacheKey
        /// The file that was stored, in bytes; as a serializer wrote it, if there is one.
        public var byteCount: Int
        /// What the entry takes on disk, in whole blocks of 4 KiB.
        public var diskByteCount: Int
        /// The picture's format by name; empty if the bytes did not tell.
        public var formatName: String
        /// When it was stored.
        public var storedAt: Date
        /// When it was last used, to a minute.
        public var usedAt: Date
        /// The server's answer.
        public var response: StoredResponse?
        /// The entry's own file.
        public var path: String
    }

    /// Calls `body` with each entry, in no order, until it gives `false`. Reads headers only; skips what is no entry.
    /// O(entries).
    ///
    /// - Throws: ``ImageError`` at the stage `cache read`, and what `body` throws.
    public func forEachEntry(_ body: (Entry) throws(ImageError) -> Bool) throws(ImageError) {
        let found: [Int]
        do { found = try shards() } catch { throw error.imageError(.cacheRead) }
        for shard in found {
            let names: [EntryName]
            do { names = try entryNames(inShard: shard) } catch { throw error.imageError(.cacheRead) }
            for name in names {
                guard let entry = try? description(at: layout.entry(name)) else { continue }
                guard try body(entry) else { return }
            }
        }
    }

    /// Calls `body` with an original and each of its variants, in no order, until it gives `false`. O(entries in one of
    /// 256 folders).
    ///
    /// - Throws: ``ImageError`` at the stage `cache read`, and what `body` throws.
    public func forEachEntry(
        ofOriginal original: String,
        _ body: (Entry) throws(ImageError) -> Bool
    ) throws(ImageError) {
        let sought = EntryName(CacheKey(original: original))
        let names: [EntryName]
        do { names = try entryNames(inShard: sought.shard) } catch { throw error.imageError(.cacheRead) }
        for name in names where name.original == sought.original {
            guard let entry = try? description(at: layout.entry(name)), entry.key.original == original else { continue }
            guard try body(entry) else { return }
        }
    }

    /// What the entry under a key says about itself; `nil` if there is none.
    ///
    /// - Throws: ``ImageError`` at the stage `cache read`.
    public func entry(for key: CacheKey) throws(ImageError) -> Entry? {
        do {
            guard let entry = try description(at: layout.entry(EntryName(key))), entry.key == key else { return nil }
            return entry
        } catch  where error.number == ENOENT {
            return nil
        } catch {
            throw error.imageError(.cacheRead)
        }
    }

    /// Writes the file kept under a key to a path, over what is there, whole or not at all.
    ///
    /// - Throws: ``ImageError`` with the code `not-in-cache` if there is none, or at the stage `cache read` or
    ///   `cache write`.
    public func export(_ key: CacheKey, to path: String) throws(ImageError) {
        guard let data = try data(for: key) else {
            throw ImageError(.notInCache, "the cache does not hold \(key)", stage: .cacheRead)
        }
        let temporary = "\(path).\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        do throws(SystemCallError) {
            let file = try files.open(temporary, .createNew)
            do throws(SystemCallError) {
                try data.bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
                    Result { () throws(SystemCallError) in try files.writeAll(file, [bytes], temporary) }
                }.get()
            } catch {
                try? files.close(file, temporary)
                throw error
            }
            try files.close(file, temporary)
            try files.rename(temporary, to: path)
        } catch {
            try? files.unlink(temporary)
            throw error.imageError(.cacheWrite)
        }
    }

    private func description(at path: String) throws(SystemCallError) -> Entry? {
        guard let header = try header(at: path) else { return nil }
        let status = try files.status(at: path)
        return Entry(
            key: header.key,
            byteCount: header.bodyLength,
            diskByteCount: Self.blocks(status.size),
            formatName: header.formatName,
            storedAt: header.storedAt,
            usedAt: Date(timeIntervalSince1970: Double(status.modified.nanoseconds) / 1e9),
            response: header.response,
            path: path
        )
    }
}
