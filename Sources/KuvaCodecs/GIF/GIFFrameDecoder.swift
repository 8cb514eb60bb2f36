internal import KuvaCore

/// Decodes one frame on an empty screen and hands the rows of the screen to a frame writer as they come.
final class GIFFrameDecoder {
    private let screen: PixelSize
    private let rows: GIFRows
    private let output: PixelLayout
    private let rowAlpha: FrameWriter.RowAlpha
    private var pixels: GIFPixels
    private var writer: FrameWriter
    /// Where in the file the data that have not been read begin.
    private(set) var readOffset: Int

    /// - Throws: `limit-exceeded`, `corrupt-image`, `out-of-memory`.
    init(
        _ frame: GIFFrame,
        screen: PixelSize,
        file: BoundedBytes,
        limits: DecodeLimits,
        output: PixelLayout
    ) throws(ImageError) {
        // The indices of a frame are held as a whole, whatever the size of the output.
        try limits.check(output: frame.size)
        self.screen = screen
        rows = GIFRows(frame, screen: screen, file: file)
        pixels = try GIFPixels()
        try pixels.start(frame)
        self.output = output
        // Alpha is all or nothing, so that the rows are straight and premultiplied at once.
        rowAlpha = frame.covers(screen) ? .opaque : output.alpha == .straight ? .straight : .premultiplied
        writer = try FrameWriter(storedSize: screen, rowAlpha: rowAlpha, output: output)
        readOffset = frame.dataOffset
    }

    /// Whether there is anything to show.
    var hasRows: Bool { rows.hasPicture(indices: pixels.count) }

    /// Rows of the screen that the writer has had.
    var rowCount: Int { writer.rowCount }

    /// How many of the four passes of an interlaced frame have come.
    var passCount: Int { rows.passCount(indices: pixels.count) }

    /// Draws an interlaced frame as far as it has come: rows that have not come are like those above them.
    func preview(into canvas: inout PixelCanvas) throws(ImageError) {
        var writer = try FrameWriter(storedSize: screen, rowAlpha: rowAlpha, output: output)
        let count = pixels.count
        withUnsafeTemporaryAllocation(byteCount: screen.width * 4, alignment: 16) { row in
            for y in 0..<rows.rowCount(indices: count, isLast: true) {
                rows.write(y, of: pixels, indices: count, to: row.baseAddress!)
                writer.write(row.baseAddress!, bytesPerRow: screen.width * 4, count: 1, into: &canvas)
            }
        }
        _ = writer.finish(into: &canvas)
    }

    /// Reads the next data sub-blocks, cut anywhere, and hands over the rows that are there.
    func decode(_ input: UnsafeRawBufferPointer, into canvas: inout PixelCanvas) -> GIFPixels.Step {
        let (step, used) = pixels.read(input)
        readOffset += used
        emitRows(isLast: false, into: &canvas)
        return step
    }

    /// Ends the frame, whole or not; rows that did not come are transparent.
    func finish(into canvas: inout PixelCanvas) -> AlphaMode {
        emitRows(isLast: true, into: &canvas)
        return writer.finish(into: &canvas)
    }

    private func emitRows(isLast: Bool, into canvas: inout PixelCanvas) {
        let count = pixels.count
        let first = writer.rowCount
        let end = rows.rowCount(indices: count, isLast: isLast)
        guard end > first else { return }
        if writer.isDirect {
            writer.writeDirectly(into: &canvas) { out, bytesPerRow in
                for y in first..<end {
                    rows.write(y, of: pixels, indices: count, to: out.baseAddress! + (y - first) * bytesPerRow)
                }
                return end - first
            }
        } else {
            withUnsafeTemporaryAllocation(byteCount: screen.width * 4, alignment: 16) { row in
                for y in first..<end {
                    rows.write(y, of: pixels, indices: count, to: row.baseAddress!)
                    writer.write(row.baseAddress!, bytesPerRow: screen.width * 4, count: 1, into: &canvas)
                }
            }
        }
    }
}
