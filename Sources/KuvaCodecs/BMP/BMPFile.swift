internal import FoundationEssentials
internal import KuvaCore

/// Reads Windows and OS/2 bitmaps of all header versions: 1 to 32 bits a pixel, palettes, masks, run lengths.
///
/// Rows are decoded as the bytes come. Most files start with the bottom row; the writer turns them as it goes, so that
/// memory follows the output here too. As in other readers, the fourth byte of a pixel of 32 bits is alpha only where
/// a mask says so, and colours narrower than 8 bits are widened by repeating their bits.
final class BMPFile: PictureFile {
    let info: ImageInfo
    private let header: BMPHeader
    private let pixels: BMPPixels
    private let dataOffset: Int
    private let options: DecodeOptions
    private var writer: FrameWriter?
    private var runLengths: BMPRunLengths?

    private static let fileHeaderSize = 14

    private init(_ header: BMPHeader, _ pixels: BMPPixels, dataOffset: Int, options: DecodeOptions) throws(ImageError) {
        self.header = header
        self.pixels = pixels
        self.dataOffset = dataOffset
        self.options = options
        let isCoded = header.compression == .runLength4 || header.compression == .runLength8
        info = ImageInfo(
            format: .bmp,
            storedSize: header.size,
            hasAlpha: pixels.hasAlpha,
            pixelDescription: header.bitsPerPixel <= 8
                ? "palette, \(header.bitsPerPixel) bits\(isCoded ? ", run lengths" : "")"
                : "RGB\(pixels.hasAlpha ? "A" : ""), \(header.bitsPerPixel) bits",
            iccProfileByteCount: header.iccProfile?.count ?? 0,
            outputLayout: try options.outputLayout(
                storedSize: header.size,
                hasAlpha: pixels.hasAlpha,
                colorSpace: header.iccProfile == nil ? .sRGB : .unconverted
            )
        )
        writer = try FrameWriter(
            storedSize: header.size,
            rowAlpha: pixels.hasAlpha ? .straight : .opaque,
            orientation: header.isTopDown ? .up : .downMirrored,
            output: info.outputLayout
        )
        if isCoded { runLengths = BMPRunLengths(header, at: dataOffset) }
    }

    static func open(
        _ input: InputBytes,
        format: ImageFormat,
        options: DecodeOptions
    ) throws(ImageError) -> BMPFile? {
        let result = try input.withBoundedBytes { bytes throws(ImageError) -> BMPFile? in
            guard let header = try BMPHeader(bytes, at: fileHeaderSize) else { return nil }
            try options.limits.check(source: header.size)
            guard let stored = bytes.uint32(at: 10, bigEndian: false),
                let pixels = BMPPixels(header, bytes, at: fileHeaderSize, isIcon: false)
            else { return nil }
            let paletteEnd = fileHeaderSize + header.paletteOffset + header.paletteCount * header.paletteEntrySize
            let dataOffset = stored == 0 ? paletteEnd : Int(stored)
            return try BMPFile(header, pixels, dataOffset: dataOffset, options: options)
        }
        if result == nil, input.isComplete { throw .truncated("the BMP", "inside its header") }
        return result
    }

    func decode(_ input: InputBytes, into canvas: inout PixelCanvas) throws(ImageError) -> FrameInfo? {
        guard var writer = writer.take() else { return nil }
        let row = RowBuffer(width: header.size.width)
        var isCutOff = false
        try input.withBoundedBytes { bytes throws(ImageError) in
            while writer.rowCount < header.size.height, !isCutOff {
                if writer.rowCount % 64 == 0 { try options.checkpoint() }
                isCutOff = !readRow(writer.rowCount, bytes, into: row.start)
                if !isCutOff { writer.write(row.start, bytesPerRow: row.bytesPerRow, count: 1, into: &canvas) }
            }
        }
        if isCutOff, !input.isComplete {
            self.writer = consume writer
            return nil
        }
        let (count, height) = (writer.rowCount, header.size.height)
        let damage = isCutOff ? ImageError.truncated("the BMP", "after \(count) of \(height) rows") : nil
        if let damage, count == 0 { throw damage }
        return FrameInfo(index: 0, alpha: writer.finish(into: &canvas), damage: damage)
    }

    /// - Returns: whether the bytes hold the row.
    private func readRow(_ index: Int, _ bytes: BoundedBytes, into target: UnsafeMutableRawPointer) -> Bool {
        if runLengths != nil {
            guard runLengths?.readRow(in: bytes) == true, let indices = runLengths?.indices else { return false }
            pixels.expand(indices: indices, to: target)
            return true
        }
        // The last row may lack its padding.
        let start = dataOffset + index * header.bytesPerRow
        let needed = (header.size.width * header.bitsPerPixel + 7) / 8
        guard let row = bytes.slice(start..<start + needed) else { return false }
        pixels.expand(row, to: target)
        return true
    }
}
