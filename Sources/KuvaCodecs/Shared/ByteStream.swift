internal import FoundationEssentials

/// The bytes of one file as they come, read from the front.
///
/// A file that comes whole is kept by reference. Otherwise bytes that have been read are dropped when more come, so the
/// copying is linear in the length of the file and the memory follows what is not read yet.
struct ByteStream {
    /// Whether no more bytes will come.
    private(set) var isComplete = false
    /// How many bytes have been read and dropped.
    private(set) var position = 0

    private var data = Data()
    private var start = 0

    /// How many bytes are there to be read.
    var count: Int { data.count - start }

    /// Whether everything has been read and no more will come.
    var isAtEnd: Bool { isComplete && count == 0 }

    mutating func append(_ bytes: Data, isLast: Bool) {
        guard !isComplete else { return }
        isComplete = isLast
        if count == 0 {
            data = bytes
        } else if start == 0 {
            data.append(bytes)
        } else {
            data = data.dropFirst(start) + bytes
        }
        start = 0
    }

    /// Marks the first `count` bytes as read.
    mutating func skip(_ count: Int) {
        let count = min(count, self.count)
        start += count
        position += count
    }

    /// Gives the bytes that are there; the pointer is valid inside `body` only.
    func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try data.lend { bytes throws(E) in try body(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
    }

    /// Takes the first `count` bytes, or `nil` while they are not all there.
    mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= self.count else { return nil }
        let bytes = withBytes { Array($0[..<count]) }
        skip(count)
        return bytes
    }

    /// Takes a big-endian number of four bytes, or `nil` while they are not all there.
    mutating func takeUInt32() -> UInt32? {
        guard count >= 4 else { return nil }
        let value = withBytes { $0.loadUnaligned(as: UInt32.self) }
        skip(4)
        return UInt32(bigEndian: value)
    }
}
