import Foundation

/// Bitmaps drawn by hand.
enum BMPBytes {
    /// A file with a header of 40 bytes, or of 56 where there are four masks.
    static func file(
        width: Int,
        height: Int,
        bits: Int,
        compression: Int = 0,
        masks: [Int] = [],
        palette: [[UInt8]] = [],
        data: [UInt8]
    ) -> Data {
        var header = LittleEndian.longs(masks.count == 4 ? 56 : 40, width, height)
        header += LittleEndian.words(1, bits)
        header += LittleEndian.longs(compression, 0, 0, 0, palette.count, 0)
        for mask in masks { header += LittleEndian.longs(mask) }
        for colour in palette { header += [colour[2], colour[1], colour[0], 0] }
        let offset = 14 + header.count
        return Data("BM".utf8) + Data(LittleEndian.longs(offset + data.count, 0, offset)) + Data(header) + Data(data)
    }
}
