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
                    guard let (isWhole, status) = try check(name, &buffer) else { continue }
                    report.entryCount += 1
                    report.byteCount += status.size
                    if !isWhole {
                        report.damagedPaths.append(layout.entry(name))
                        discard(name, layout.entry(name), status, folder)
                    }
                    guard progress(report) else { return report }
                }
            }
            try folder?.rebuild()
        } catch {
            throw error.imageError(.cacheRead)
        }
        return report
    }

    /// Whether an entry is whole and under its right name; `nil` if it has gone.
    private func check(
        _ name: EntryName,
        _ buffer: inout [UInt8]
    ) throws(SystemCallError) -> (isWhole: Bool, status: FileStatus)? {
        let path = layout.entry(name)
        let file: FileDescriptor
        do {
            file = try files.open(path, .read)
        } catch  where error.number == ENOENT {
            return nil
        } catch  where [ELOOP, ENXIO, EACCES].contains(error.number) {
            return try (false, files.status(at: path))
        }
        defer { try? files.close(file, path) }
        let status = try files.status(file, path)
        guard status.kind == .regular, status.size >= EntryFormat.minimumLength, status.size <= 1 << 30 else {
            return (false, status)
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
        return (isWhole, status)
    }
}
