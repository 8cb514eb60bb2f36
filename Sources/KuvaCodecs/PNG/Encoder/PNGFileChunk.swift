internal import FoundationEssentials
internal import KuvaCore

/// Parts of a PNG file that is written.
enum PNGFileChunk {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// §11.2.1: width, height, bit depth, colour type, compression, filter and interlace method.
    static func header(_ size: PixelSize, hasAlpha: Bool) -> [UInt8] {
        bigEndian(UInt32(size.width)) + bigEndian(UInt32(size.height)) + [8, hasAlpha ? 6 : 2, 0, 0, 0]
    }

    static func append(_ type: String, _ content: [UInt8], to file: inout Data) {
        content.withUnsafeBytes { append(type, $0, to: &file) }
    }

    /// §5.3: length, type, content, CRC of type and content.
    static func append(_ type: String, _ content: UnsafeRawBufferPointer, to file: inout Data) {
        file.append(contentsOf: bigEndian(UInt32(content.count)))
        file.append(contentsOf: type.utf8)
        file.append(contentsOf: content)
        file.append(contentsOf: bigEndian(PNGRowDeflater.checksum(type.utf8, content)))
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        [
            UInt8(value >> 24), UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
            UInt8(truncatingIfNeeded: value),
        ]
    }
}
