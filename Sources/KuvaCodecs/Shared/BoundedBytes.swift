/// Bytes from outside, read by offset; an offset that is not inside gives `nil`, whatever number the file said.
///
/// A view: valid as long as the memory it was made from.
struct BoundedBytes {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count }

    func uint8(at offset: Int) -> UInt8? {
        offset >= 0 && offset < bytes.count ? bytes[offset] : nil
    }

    func uint16(at offset: Int, bigEndian: Bool) -> UInt16? {
        guard holds(offset, 2) else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return bigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value)
    }

    func uint32(at offset: Int, bigEndian: Bool) -> UInt32? {
        guard holds(offset, 4) else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return bigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value)
    }

    /// The unsigned 24-bit number that RIFF files use for sizes.
    func uint24LittleEndian(at offset: Int) -> Int? {
        guard holds(offset, 3) else { return nil }
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16
    }

    /// Whether the ASCII `text` lies at `offset`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard holds(offset, text.utf8CodeUnitCount) else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index] { return false }
        return true
    }

    /// The bytes of `range`, or `nil` if any of them is outside.
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer? {
        guard holds(range.lowerBound, range.count) else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[range])
    }

    private func holds(_ offset: Int, _ length: Int) -> Bool {
        offset >= 0 && length >= 0 && length <= bytes.count && offset <= bytes.count - length
    }
}
