internal import FoundationEssentials
internal import Glibc
internal import KuvaCore

/// The bytes of an entry in memory: read once, verified in place, and its body handed on without a copy.
struct EntryBuffer: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let isMapped: Bool
    let count: Int

    /// - Returns: `nil` if the system does not give the memory.
    init?(count: Int) {
        guard let memory = malloc(max(1, count)) else { return nil }
        self.memory = memory
        self.count = count
        isMapped = false
    }

    /// Shows an open file, which nobody changes; entries are only ever replaced.
    init?(mapping file: FileDescriptor, count: Int, _ path: String) {
        guard let memory = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.number, 0),
            memory != UnsafeMutableRawPointer(bitPattern: -1)
        else { return nil }
        self.memory = memory
        self.count = count
        isMapped = true
    }

    deinit { UnsafeTransferredMemory(start: memory, count: count, isMapped: isMapped).release() }

    /// Only for buffers that are not mapped.
    var bytes: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(start: memory, count: count) }

    /// Verifies the entry.
    ///
    /// - Parameter expected: the key that it probably has.
    /// - Returns: `nil` if a byte of it is wrong.
    func verifiedHeader(expecting expected: CacheKey) -> (header: EntryHeader, length: Int)? {
        Self.verifiedHeader(UnsafeRawBufferPointer(bytes), expecting: expected)
    }

    /// The same for an entry in memory of the caller's.
    static func verifiedHeader(
        _ bytes: UnsafeRawBufferPointer,
        expecting expected: CacheKey? = nil
    ) -> (header: EntryHeader, length: Int)? {
        let count = bytes.count
        guard count >= EntryFormat.minimumLength,
            let (header, length, checksum) = EntryHeader.decode(bytes, entryLength: count, expecting: expected)
        else { return nil }
        let end = count - EntryFormat.footerLength
        let body = UnsafeRawBufferPointer(rebasing: bytes[length..<end])
        var footer = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[end...]))
        guard footer.number(UInt64.self) == UInt64(count),
            footer.number(UInt64.self) == Checksum.xxh64(body, seed: checksum),
            footer.number(UInt64.self) == EntryFormat.endMagic
        else { return nil }
        return (header, length)
    }

    /// The header of an entry of which these are the first bytes; `nil` if it is wrong or longer.
    func header(entryLength: Int) -> (header: EntryHeader, length: Int)? {
        EntryHeader.decode(UnsafeRawBufferPointer(bytes), entryLength: entryLength).map { ($0.header, $0.length) }
    }

    /// What an entry says about the length of its header; not to be believed.
    var headerLength: Int? {
        guard count >= EntryFormat.fixedLength else { return nil }
        return Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
    }

    /// Gives the memory to a `Data` that shows the body.
    consuming func body(headerLength: Int) -> Data {
        data(from: headerLength, count: count - headerLength - EntryFormat.footerLength)
    }

    /// Gives the memory to a `Data` that shows all of it.
    consuming func data() -> Data { data(from: 0, count: count) }

    private consuming func data(from offset: Int, count: Int) -> Data {
        let owner = UnsafeTransferredMemory(start: memory, count: self.count, isMapped: isMapped)
        discard self
        return Data(
            bytesNoCopy: owner.start + offset,
            count: count,
            deallocator: .custom { _, _ in owner.release() }
        )
    }

    /// The footer for a header and a body.
    static func footer(header: [UInt8], body: UnsafeRawBufferPointer) -> [UInt8] {
        let checksum = header.withUnsafeBytes { bytes in
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
        }
        var writer = ByteWriter(capacity: EntryFormat.footerLength)
        writer.append(UInt64(header.count + body.count + EntryFormat.footerLength))
        writer.append(Checksum.xxh64(body, seed: checksum))
        writer.append(EntryFormat.endMagic)
        return writer.bytes
    }
}

/// Memory on its way to the one closure that frees it.
private struct UnsafeTransferredMemory: @unchecked Sendable {
    // Unchecked: only the deallocator of one `Data` touches it, once.
    let start: UnsafeMutableRawPointer
    let count: Int
    let isMapped: Bool

    func release() {
        if isMapped { munmap(start, count) } else { free(start) }
    }
}
