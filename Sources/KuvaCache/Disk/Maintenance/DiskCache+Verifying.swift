internal import Glibc
public import KuvaCore

extension DiskCache {
    /// What verifying found.
    public struct VerificationReport: Sendable {
        /// Entries that were read.
        public var entryCount = 0
        /// Their bytes.
        public var byteCount = 0
        /// The files of those that were damaged and have been removed.
        public var damagedPaths: [String] = []
    }

    /// Reads every byte of every entry, removes what is damaged, and counts anew. O(bytes in the cache).
    ///
    /// - Parameter progress: is told after each entry what was found so far; gives `false` to stop.
    /// - Throws: ``ImageError`` at the stage `cache read`.
    public func verify(
        _ progress: (VerificationReport) -> Bool = { _ in true }
    ) throws(ImageError) -> VerificationReport {
        var report = VerificationReport()
        do {
            let folder = folderIfPresent()
            var buffer = [UInt8]()
            for shard in try shards() {
                for name in try entryNames(inShard: shard) {
                    guard let (isWhole, byteCount) = try check(name, &buffer, folder) else { continue }
                    report.entryCount += 1
                    report.byteCount += byteCount
                    if !isWhole { report.damagedPaths.append(layout.entry(name)) }
                    guard progress(report) else { return report }
                }
            }
            try folder?.rebuild()
        } catch {
            throw error.imageError(.cacheRead)
        }
        return report
    }

    /// Whether an entry is whole and under its right name, and its size; `nil` if it has gone. Removes one that is not.
    private func check(
        _ name: EntryName,
        _ buffer: inout [UInt8],
        _ folder: OpenFolder?
    ) throws(SystemCallError) -> (isWhole: Bool, byteCount: Int)? {
        let path = layout.entry(name)
        let file: FileDescriptor
        do {
            file = try files.open(path, .read)
        } catch  where error.number == ENOENT {
            return nil
        } catch  where [ELOOP, ENXIO, EACCES].contains(error.number) {
            let status = try files.status(at: path)
            discard(name, path, status, folder)
            return (false, status.size)
        }
        // Open until it is removed, so that no new file gets its number and is taken for it.
        defer { try? files.close(file, path) }
        let status = try files.status(file, path)
        guard status.kind == .regular, status.size >= EntryFormat.minimumLength, status.size <= 1 << 30 else {
            discard(name, path, status, folder)
            return (false, status.size)
        }
        if buffer.count < status.size { buffer = [UInt8](repeating: 0, count: max(status.size, 2 * buffer.count)) }
        let isWhole = try buffer.withUnsafeMutableBytes { all in
            Result { () throws(SystemCallError) in
                let bytes = UnsafeMutableRawBufferPointer(rebasing: all[..<status.size])
                guard try files.readAll(file, into: bytes, path) == status.size,
                    let (header, _) = EntryBuffer.verifiedHeader(UnsafeRawBufferPointer(bytes))
                else { return false }
                return EntryName(header.key) == name
            }
        }.get()
        if !isWhole { discard(name, path, status, folder) }
        return (isWhole, status.size)
    }
}
