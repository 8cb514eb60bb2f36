internal import KuvaCore

/// What the IHDR chunk says (PNG §11.2.1).
struct PNGHeader {
    /// Colour types by their number in the file.
    enum Colour: UInt8 {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgbAlpha = 6

        var hasAlpha: Bool { self == .greyAlpha || self == .rgbAlpha }

        var name: String {
            switch self {
            case .grey: "grey"
            case .rgb: "RGB"
            case .palette: "palette"
            case .greyAlpha: "grey and alpha"
            case .rgbAlpha: "RGBA"
            }
        }

        /// §11.2.1, table 11.1.
        var bitDepths: [UInt8] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            default: [8, 16]
            }
        }
    }

    let size: PixelSize
    let bitDepth: UInt8
    let colour: Colour
    let isInterlaced: Bool

    static let byteCount = 13

    /// - Throws: `corrupt-image` for numbers that PNG does not have, `limit-exceeded` for a size past the limits.
    init(_ bytes: [UInt8], limits: DecodeLimits) throws(ImageError) {
        guard bytes.count == Self.byteCount else {
            throw PNGChunkReader.corrupt("the header chunk has \(bytes.count) bytes and must have 13")
        }
        size = PixelSize(width: Int(bytes.bigEndian32(at: 0)), height: Int(bytes.bigEndian32(at: 4)))
        try limits.check(source: size)
        bitDepth = bytes[8]
        guard let colour = Colour(rawValue: bytes[9]), colour.bitDepths.contains(bytes[8]) else {
            throw PNGChunkReader.corrupt("there is no colour type \(bytes[9]) with \(bytes[8]) bits")
        }
        self.colour = colour
        guard bytes[10] == 0, bytes[11] == 0, bytes[12] <= 1 else {
            throw PNGChunkReader.corrupt(
                "there is no compression \(bytes[10]), filtering \(bytes[11]) or interlacing \(bytes[12])"
            )
        }
        isInterlaced = bytes[12] == 1
    }

    /// Such as `RGBA` or `palette, 4-bit indices, interlaced`; ``ImageInfo/bitsPerChannel`` says how deep channels are.
    var description: String {
        let indices = colour == .palette ? ", \(bitDepth)-bit indices" : ""
        return "\(colour.name)\(indices)\(isInterlaced ? ", interlaced" : "")"
    }
}

extension [UInt8] {
    /// The big-endian number of four bytes at `offset`, which must be inside.
    func bigEndian32(at offset: Int) -> UInt32 {
        self[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The big-endian number of two bytes at `offset`, which must be inside.
    func bigEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
    }
}
