public import FoundationEssentials

extension ImageFormat {
    /// The format of a file that starts with `bytes`, by full signatures and brand lists, never by name.
    ///
    /// Any length is safe; too few bytes to be sure give ``unknown``, and more bytes never turn one known format into
    /// another, but for ``png``: an ``apng`` is one until its animation control chunk has come. Telling SVG from other
    /// XML needs its root element. Give the whole file, or its first kilobytes.
    ///
    /// Complexity: constant for binary formats; at most 1,000 chunks of a PNG and 64 KiB of a text are looked at.
    public init(sniffing bytes: UnsafeRawBufferPointer) {
        self = Self.bySignature(bytes) ?? Self.byBrand(bytes) ?? Self.byRootElement(bytes) ?? .unknown
    }

    /// The format of a file that starts with `data`; see ``init(sniffing:)-(UnsafeRawBufferPointer)``.
    public init(sniffing data: Data) {
        self = data.withUnsafeBytes { ImageFormat(sniffing: $0) }
    }

    /// How far into a text sniffing looks for its root element at most, in bytes.
    static let sniffedByteCount = 64 << 10

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let boxedJPEGXL: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

    private static func bySignature(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: pngSignature) { return png(bytes) }
        if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .webp }
        if bytes.starts(with: [0xFF, 0x0A]) || bytes.starts(with: boxedJPEGXL) { return .jpegXL }
        if isTIFF(bytes) { return .tiff }
        if isBMP(bytes) { return .bmp }
        if isICO(bytes) { return .ico }
        if bytes.starts(with: "%PDF-".utf8) { return .pdf }
        return nil
    }

    /// An APNG has its `acTL` chunk before the first `IDAT` (APNG 1.0, "Structure").
    private static func png(_ bytes: UnsafeRawBufferPointer) -> ImageFormat {
        var offset = pngSignature.count
        for _ in 0..<1000 where offset + 8 <= bytes.count {
            let type = bytes[(offset + 4)..<(offset + 8)]
            if type.elementsEqual("acTL".utf8) { return .apng }
            if type.elementsEqual("IDAT".utf8) { return .png }
            offset += 12 + Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian)
        }
        return .png
    }

    /// TIFF 6.0 §2, and the BigTIFF variant with its fixed offset size of 8.
    private static func isTIFF(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]) || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A])
            || bytes.starts(with: [0x49, 0x49, 0x2B, 0x00, 8, 0, 0, 0])
            || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2B, 0, 8, 0, 0])
    }

    /// "BM" alone starts many texts: the header size at byte 14 must be one that a version of the format has.
    private static func isBMP(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.starts(with: "BM".utf8), bytes.count >= 18 else { return false }
        let headerSize = bytes.loadUnaligned(fromByteOffset: 14, as: UInt32.self).littleEndian
        return [12, 16, 40, 52, 56, 64, 108, 124].contains(headerSize)
    }

    /// Reserved 0, type 1 (icon) or 2 (cursor), and at least one entry: its reserved byte is 0 or, as some writers put
    /// it, 255, and its picture lies behind the directory.
    private static func isICO(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 22, bytes[0] == 0, bytes[1] == 0, bytes[2] == 1 || bytes[2] == 2, bytes[3] == 0 else {
            return false
        }
        let count = Int(bytes[4]) | Int(bytes[5]) << 8
        let offset = bytes.loadUnaligned(fromByteOffset: 18, as: UInt32.self).littleEndian
        return count > 0 && (bytes[9] == 0 || bytes[9] == 255) && Int(offset) >= 6 + 16 * count
    }
}
