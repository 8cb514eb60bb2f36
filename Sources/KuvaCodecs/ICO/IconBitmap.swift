internal import KuvaCore

/// A picture of an icon that is stored as a bitmap without file header: colours, then a mask of one bit a pixel.
///
/// A set mask bit makes its pixel transparent. Pixels of 32 bits have alpha of their own instead, unless all of it is
/// zero, which is how writers that know no alpha leave it.
struct IconBitmap {
    let size: PixelSize
    let header: BMPHeader
    private let pixels: BMPPixels
    private let colourOffset: Int
    /// Empty or short where the file ends, or its ICC profile starts, instead of the mask.
    private let mask: Range<Int>
    private let usesMask: Bool

    /// - Throws: ``ImageError`` if the header is broken or breaks a limit.
    init(_ bytes: BoundedBytes, at offset: Int, limits: DecodeLimits) throws(ImageError) {
        guard let header = try BMPHeader(bytes, at: offset) else { throw .truncated("the icon", "inside a header") }
        guard header.compression == .none || header.compression == .masks else {
            throw .unsupported("the icon", "its bitmap is run-length coded")
        }
        size = PixelSize(width: header.size.width, height: header.size.height / 2)
        try limits.check(source: size)
        guard let pixels = BMPPixels(header, bytes, at: offset, isIcon: true) else {
            throw .truncated("the icon", "inside a palette")
        }
        self.header = header
        self.pixels = pixels
        colourOffset = offset + header.paletteOffset + header.paletteCount * header.paletteEntrySize
        let colourEnd = colourOffset + header.bytesPerRow * size.height
        let maskEnd = min(bytes.count, offset + (header.iccProfile?.lowerBound ?? bytes.count))
        mask = colourEnd..<max(colourEnd, maskEnd)
        let colours = bytes.slice(colourOffset..<max(colourOffset, min(colourEnd, bytes.count)))
        usesMask = !pixels.hasAlpha || !Self.hasAlpha(colours)
    }

    private static func hasAlpha(_ colours: UnsafeRawBufferPointer?) -> Bool {
        guard let colours else { return false }
        return stride(from: 3, to: colours.count, by: 4).contains { colours[$0] != 0 }
    }

    /// Writes all rows that the bytes hold.
    ///
    /// - Returns: how many.
    func write(_ bytes: BoundedBytes, _ writer: inout FrameWriter, into canvas: inout PixelCanvas) -> Int {
        let row = RowBuffer(width: size.width)
        let target = row.start.assumingMemoryBound(to: UInt8.self)
        for y in 0..<size.height {
            let start = colourOffset + y * header.bytesPerRow
            guard let stored = bytes.slice(start..<start + (size.width * header.bitsPerPixel + 7) / 8) else { return y }
            pixels.expand(stored, to: row.start)
            if usesMask { applyMask(bytes, y, to: target) }
            writer.write(row.start, bytesPerRow: row.bytesPerRow, count: 1, into: &canvas)
        }
        return size.height
    }

    /// Sets alpha by the mask's row; where there is no mask, pixels are opaque.
    private func applyMask(_ bytes: BoundedBytes, _ y: Int, to target: UnsafeMutablePointer<UInt8>) {
        let start = mask.lowerBound + y * ((size.width + 31) / 32 * 4)
        for x in 0..<size.width {
            let offset = start + x / 8
            let bits = mask.contains(offset) ? bytes.uint8(at: offset) ?? 0 : 0
            target[x * 4 + 3] = bits >> UInt8(7 - x % 8) & 1 == 1 ? 0 : 255
        }
    }
}
