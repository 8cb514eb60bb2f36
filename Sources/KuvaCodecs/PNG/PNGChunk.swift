internal import FoundationEssentials

/// The type of a chunk: four letters whose case says what a reader may do with a chunk it does not know
/// (PNG third edition, §5.4).
struct PNGChunkType: Hashable, CustomStringConvertible {
    let code: UInt32

    init(code: UInt32) { self.code = code }

    private init(_ name: StaticString) {
        code = name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    static let header = PNGChunkType("IHDR")
    static let palette = PNGChunkType("PLTE")
    static let imageData = PNGChunkType("IDAT")
    static let end = PNGChunkType("IEND")
    static let transparency = PNGChunkType("tRNS")
    static let profile = PNGChunkType("iCCP")
    static let codePoints = PNGChunkType("cICP")
    static let sRGB = PNGChunkType("sRGB")
    static let gamma = PNGChunkType("gAMA")
    static let chromaticities = PNGChunkType("cHRM")
    static let density = PNGChunkType("pHYs")
    static let text = PNGChunkType("tEXt")
    static let compressedText = PNGChunkType("zTXt")
    static let internationalText = PNGChunkType("iTXt")
    static let exif = PNGChunkType("eXIf")
    static let animation = PNGChunkType("acTL")
    static let frame = PNGChunkType("fcTL")
    static let frameData = PNGChunkType("fdAT")

    private var letters: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) } }

    /// Whether all four bytes are ASCII letters.
    var isValid: Bool { letters.allSatisfy { (0x41...0x5A).contains($0 & ~0x20) } }

    /// Whether a picture cannot be shown without the chunk: the first letter is a capital.
    var isCritical: Bool { code & 0x2000_0000 == 0 }

    var description: String {
        isValid ? String(decoding: letters, as: UTF8.self) : "0x" + String(code, radix: 16)
    }
}

/// The first eight bytes of a chunk.
struct PNGChunkHeader {
    let type: PNGChunkType
    let length: Int
}
