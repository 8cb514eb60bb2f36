internal import FoundationEssentials

/// Takes numbers and texts from bytes, little-endian; gives `nil` where they do not reach.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func number<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
        guard let slice = take(MemoryLayout<T>.size) else { return nil }
        return T(littleEndian: slice.loadUnaligned(as: T.self))
    }

    /// A date that is a finite number.
    mutating func date() -> Date? {
        guard let bits = number(UInt64.self) else { return nil }
        let seconds = Double(bitPattern: bits)
        return seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
    }

    /// Bytes with their length before them.
    mutating func block() -> UnsafeRawBufferPointer? {
        guard let length = number(UInt32.self) else { return nil }
        return take(Int(length))
    }

    /// A text with its length before it; `nil` if it is not UTF-8.
    mutating func text() -> String? { block().flatMap { String(validating: $0, as: UTF8.self) } }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= bytes.count - offset else { return nil }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
}
