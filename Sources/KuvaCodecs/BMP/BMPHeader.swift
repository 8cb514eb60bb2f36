internal import KuvaCore

/// The information header of a Windows or OS/2 bitmap, of any version: 12 (core), 16 and 64 (OS/2 2), 40 (info), 52 and
/// 56 (with masks), 108 (V4) and 124 (V5) bytes long.
struct BMPHeader {
    enum Compression {
        case none, runLength4, runLength8, masks
    }

    let byteCount: Int
    /// Width and height; in an icon, the height counts the mask too.
    let size: PixelSize
    let isTopDown: Bool
    let bitsPerPixel: Int
    let compression: Compression
    /// Where the masks lie from the start of the header, for those that have masks.
    let maskOffset: Int
    let hasAlphaMask: Bool
    /// Entries of the palette as the header says; 0 above 8 bits a pixel.
    let paletteCount: Int
    /// Where an ICC profile that the file carries lies, from the start of the header (V5).
    let iccProfile: Range<Int>?

    var paletteEntrySize: Int { byteCount == 12 ? 3 : 4 }

    /// Where the palette starts, from the start of the header.
    var paletteOffset: Int { byteCount == 40 && compression == .masks ? 52 : byteCount }

    /// Bytes from the start of one row to the start of the next; they are padded to 32 bits. Only for a size that the
    /// limits allow.
    var bytesPerRow: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }

    /// - Returns: `nil` if the bytes end before the header does.
    init?(_ bytes: BoundedBytes, at start: Int) throws(ImageError) {
        func word(_ offset: Int) -> Int? { bytes.uint16(at: start + offset, bigEndian: false).map(Int.init) }
        func long(_ offset: Int) -> UInt32? { bytes.uint32(at: start + offset, bigEndian: false) }
        guard let length = long(0) else { return nil }
        guard [12, 16, 40, 52, 56, 64, 108, 124].contains(length) else {
            throw .unsupported("the BMP", "its header has \(length) bytes")
        }
        guard bytes.slice(start..<start + Int(length)) != nil else { return nil }
        byteCount = Int(length)
        if length == 12 {
            guard let width = word(4), let height = word(6), let bits = word(10) else { return nil }
            (size, isTopDown) = (PixelSize(width: width, height: height), false)
            (bitsPerPixel, compression, maskOffset, hasAlphaMask) = (bits, .none, 0, false)
            (paletteCount, iccProfile) = (bits <= 8 ? 1 << bits : 0, nil)
            try checkDepth()
            return
        }
        guard let width = long(4), let height = long(8), let bits = word(14) else { return nil }
        let signed = Int(Int32(bitPattern: height))
        size = PixelSize(width: Int(Int32(bitPattern: width)), height: abs(signed))
        isTopDown = signed < 0
        bitsPerPixel = bits
        maskOffset = 40
        hasAlphaMask = length == 56 || length >= 108
        compression = try Self.compression(length >= 40 ? long(16) ?? 0 : 0, isOS2: length == 64)
        if length == 124, long(56) == 0x4D42_4544, let offset = long(112), let count = long(116), count > 0 {
            iccProfile = Int(offset)..<Int(offset) + Int(count)
        } else {
            iccProfile = nil
        }
        let used = length >= 40 ? Int(long(32) ?? 0) : 0
        guard bits > 8 || used <= 256 else {
            throw .corrupt("the BMP", "its palette of \(bits) bits a pixel has \(used) colours")
        }
        paletteCount = bits > 8 ? 0 : used == 0 ? 1 << bits : used
        try checkDepth()
    }

    private static func compression(_ value: UInt32, isOS2: Bool) throws(ImageError) -> Compression {
        switch value {
        case 0: return .none
        case 1: return .runLength8
        case 2: return .runLength4
        case 3 where !isOS2: return .masks
        case 3: throw .unsupported("the BMP", "its pixels are Huffman coded")
        case 4 where isOS2: throw .unsupported("the BMP", "its pixels are run-length coded with 24 bits")
        case 4: throw .unsupported("the BMP", "its pixels are those of a JPEG")
        case 5: throw .unsupported("the BMP", "its pixels are those of a PNG")
        default: throw .unsupported("the BMP", "its compression has the number \(value)")
        }
    }

    private func checkDepth() throws(ImageError) {
        let depths: [Int] =
            switch compression {
            case .none: [1, 4, 8, 16, 24, 32]
            case .runLength4: [4]
            case .runLength8: [8]
            case .masks: [16, 32]
            }
        guard depths.contains(bitsPerPixel) else {
            throw .unsupported("the BMP", "it has \(bitsPerPixel) bits a pixel")
        }
    }
}
