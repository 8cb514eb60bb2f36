internal import CKuvaGIFWrite
internal import FoundationEssentials
internal import KuvaCore

/// Pixels as indices of a colour table, as a frame of a GIF has them.
struct GIFFrameEncoding {
    private var colours = kuva_gif_colours()
    private var indices: [UInt8]
    /// At least 2 colours, a power of two (§18.c.v).
    private let bits: Int

    /// Whether every pixel keeps its colour.
    var isExact: Bool { colours.is_exact != 0 }

    /// The index that stands for no colour; `nil` if none is needed.
    var transparentIndex: UInt8? { UInt8(exactly: colours.transparent) }

    /// The exponent that the descriptors say: one less than the bits of an index.
    var tableExponent: UInt8 { UInt8(bits - 1) }

    /// Up to 256 colours, those of the pixels if they have no more, otherwise chosen by median cut and dithered. Pixels
    /// of less than half alpha become transparent, the others opaque.
    ///
    /// - Parameters:
    ///   - pixels: straight RGBA8, rows packed.
    ///   - keepsTransparency: whether there is an index for no colour even if no pixel has it, unless there are 256
    ///     colours.
    /// - Throws: `out-of-memory`.
    init(
        _ pixels: UnsafePointer<UInt8>,
        size: PixelSize,
        keepsTransparency: Bool = false
    ) throws(ImageError) {
        indices = [UInt8](repeating: 0, count: size.width * size.height)
        let hasMemory =
            kuva_gif_choose(pixels, indices.count, &colours) != 0
            && kuva_gif_dither(pixels, size.width, size.height, &colours, &indices) != 0
        guard hasMemory else { throw PixelBuffer.outOfMemory(.gif) }
        if keepsTransparency, colours.transparent < 0, colours.count < 256 { colours.transparent = colours.count }
        let entryCount = Int(colours.count) + (colours.transparent < 0 ? 0 : 1)
        bits = max(1, (1...8).first { 1 << $0 >= entryCount } ?? 8)
    }

    mutating func appendTable(to file: inout Data) {
        let count = 3 << bits
        withUnsafeBytes(of: &colours.colours) { file.append(contentsOf: $0.prefix(count)) }
    }

    /// The code size and the compressed indices in sub-blocks.
    ///
    /// - Throws: `out-of-memory`.
    func appendData(to file: inout Data) throws(ImageError) {
        let minimumCodeSize = max(2, bits)
        file.append(UInt8(minimumCodeSize))
        var packed = [UInt8](repeating: 0, count: kuva_gif_compress_bound(indices.count))
        let count = kuva_gif_compress(indices, indices.count, Int32(minimumCodeSize), &packed)
        guard count > 0 else { throw PixelBuffer.outOfMemory(.gif) }
        file.append(contentsOf: packed.prefix(count))
    }

    static func littleEndian(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}
