internal import KuvaCore

/// Turns stored rows into RGBA8: the palette and the channels of one bitmap.
struct BMPPixels {
    private let bitsPerPixel: Int
    private let width: Int
    /// 256 colours in memory order, black beyond what the file has.
    private let palette: [UInt32]
    private let channels: BMPChannels?

    var hasAlpha: Bool { channels?.alpha != nil }

    /// - Parameters:
    ///   - start: where the header starts in `bytes`.
    ///   - isIcon: whether 32 bits without masks hold alpha, as in icons; in files they do not.
    /// - Returns: `nil` if the bytes end before the palette or the masks do.
    init?(_ header: BMPHeader, _ bytes: BoundedBytes, at start: Int, isIcon: Bool) {
        bitsPerPixel = header.bitsPerPixel
        width = header.size.width
        guard let palette = Self.palette(header, bytes, at: start) else { return nil }
        self.palette = palette
        switch (header.compression, header.bitsPerPixel) {
        case (.masks, _):
            let offset = start + header.maskOffset
            let masks = (0..<4).compactMap { bytes.uint32(at: offset + $0 * 4, bigEndian: false) }
            guard masks.count >= 3 else { return nil }
            let alpha = header.hasAlphaMask && masks.count == 4 ? masks[3] : 0
            channels = BMPChannels(red: masks[0], green: masks[1], blue: masks[2], alpha: alpha)
        case (.none, 16):
            channels = BMPChannels(red: 0x7C00, green: 0x3E0, blue: 0x1F, alpha: 0)
        case (.none, 32):
            channels = BMPChannels(red: 0xFF_0000, green: 0xFF00, blue: 0xFF, alpha: isIcon ? 0xFF00_0000 : 0)
        default:
            channels = nil
        }
    }

    private static func palette(_ header: BMPHeader, _ bytes: BoundedBytes, at start: Int) -> [UInt32]? {
        var palette = [UInt32](repeating: UInt32(littleEndian: 0xFF00_0000), count: 256)
        for index in 0..<min(256, header.paletteCount) {
            let entry = start + header.paletteOffset + index * header.paletteEntrySize
            guard let blue = bytes.uint8(at: entry), let green = bytes.uint8(at: entry + 1),
                let red = bytes.uint8(at: entry + 2)
            else { return nil }
            palette[index] = UInt32(littleEndian: 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red))
        }
        return palette
    }

    /// Expands a whole stored row.
    func expand(_ row: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        let bytes = target.assumingMemoryBound(to: UInt8.self)
        switch bitsPerPixel {
        case 24:
            for x in 0..<width {
                bytes[x * 4] = row[x * 3 + 2]
                bytes[x * 4 + 1] = row[x * 3 + 1]
                bytes[x * 4 + 2] = row[x * 3]
                bytes[x * 4 + 3] = 255
            }
        case 16:
            for x in 0..<width {
                let pixel = UInt16(littleEndian: row.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self))
                channels?.expand(UInt32(pixel), to: bytes + x * 4)
            }
        case 32:
            for x in 0..<width {
                let pixel = UInt32(littleEndian: row.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self))
                channels?.expand(pixel, to: bytes + x * 4)
            }
        default:
            let (bits, perByte) = (bitsPerPixel, 8 / bitsPerPixel)
            let mask = UInt8((1 << bits) - 1)
            for x in 0..<width {
                let index = row[x / perByte] >> UInt8((perByte - 1 - x % perByte) * bits) & mask
                target.storeBytes(of: palette[Int(index)], toByteOffset: x * 4, as: UInt32.self)
            }
        }
    }

    /// Expands a row of palette indices, one a byte.
    func expand(indices: [UInt8], to target: UnsafeMutableRawPointer) {
        for x in 0..<width {
            target.storeBytes(of: palette[Int(indices[x])], toByteOffset: x * 4, as: UInt32.self)
        }
    }
}
