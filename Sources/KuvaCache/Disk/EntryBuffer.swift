internal import FoundationEssentials
internal import Glibc
internal import KuvaCore

/// The bytes of a whole entry in memory: read once, verified in place, and its body handed on without a copy.
struct EntryBuffer: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    let count: Int

    /// - Returns: `nil` if the system does not give the memory.
    init?(count: Int) {
        guard let memory = malloc(max(1, count)) else { return nil }
        self.memory = memory
        self.count = count
    }

    deinit { free(memory) }

    var bytes: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(start: memory, count: count) }

    /// Verifies the entry.
    ///
    /// - Returns: `nil` if a byte of it is wrong.
    func verifiedHeader() -> (header: EntryHeader, length: Int)? {
        let bytes = UnsafeRawBufferPointer(bytes)
        guard count >= EntryFormat.minimumLength,
            let (header, length, checksum) = EntryHeader.decode(bytes, entryLength: count)
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

    /// Gives the memory to a `Data` that shows the body.
    consuming func body(headerLength: Int) -> Data {
        let (memory, count) = (memory, count - headerLength - EntryFormat.footerLength)
        discard self
        let owner = UnsafeTransferredMemory(start: memory)
        return Data(
            bytesNoCopy: memory + headerLength,
            count: count,
            deallocator: .custom { _, _ in free(owner.start) }
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
}
