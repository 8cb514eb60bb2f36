internal import FoundationEssentials

/// Appends numbers and texts to bytes, little-endian.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ date: Date) { append(date.timeIntervalSinceReferenceDate.bitPattern) }

    /// A text with its length before it. A length that does not fit is caught by ``overwrite(_:at:)``'s caller, who
    /// knows the whole.
    mutating func append(_ text: String) {
        append(UInt32(truncatingIfNeeded: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ data: Data) {
        append(UInt32(truncatingIfNeeded: data.count))
        bytes.append(contentsOf: data)
    }

    /// Puts a number over bytes that are there.
    mutating func overwrite(_ value: UInt32, at offset: Int) {
        withUnsafeBytes(of: value.littleEndian) { source in
            for (index, byte) in source.enumerated() { bytes[offset + index] = byte }
        }
    }
}
