internal import KuvaCore

/// A frame that libwebp decodes into a canvas of its own, from which rows go to a writer as they come.
struct HeldFrame: ~Copyable {
    let handle: WebPHandle
    let frame: WebPContainer.Frame
    /// How many bytes of the frame the library has had.
    var position = 0

    /// The library writes here between calls; its memory stays where it is as long as the canvas lives.
    private var pixels: PixelCanvas
    private var writer: FrameWriter
    private var passedRows = 0
    /// Whether the frame is as large as the file's canvas.
    private let isCovering: Bool
    /// One row of the canvas, transparent around the frame, for frames that do not cover it.
    private let line: RowBuffer

    /// - Parameter writer: takes rows of the file's canvas.
    init(_ frame: WebPContainer.Frame, writer: consuming FrameWriter) throws(ImageError) {
        let layout = try PixelLayout(size: frame.size, alpha: .straight)
        var pixels = try PixelBufferPool.shared.canvas(layout)
        handle = try pixels.withUnsafeMutableBytes { bytes throws(ImageError) in
            try WebPHandle(pixels: bytes, bytesPerRow: layout.bytesPerRow)
        }
        isCovering = frame.size == writer.storedSize
        line = RowBuffer(clearRowOf: isCovering ? 0 : writer.storedSize.width)
        self.frame = frame
        self.pixels = pixels
        self.writer = writer
    }

    /// How many of the frame's rows have come.
    var rowCount: Int { passedRows }

    /// Gives the writer the rows that have come since the last call.
    mutating func passRows(into canvas: inout PixelCanvas) {
        let rows = passedRows..<handle.rowCount
        guard !rows.isEmpty else { return }
        if passedRows == 0 { passMargin(rows: frame.y, into: &canvas) }
        passedRows = rows.upperBound
        let (stride, target) = (pixels.layout.bytesPerRow, line.start + frame.x * 4)
        pixels.withUnsafeBytes { bytes in
            let start = bytes.baseAddress! + rows.lowerBound * stride
            if isCovering {
                writer.write(start, bytesPerRow: stride, count: rows.count, into: &canvas)
                return
            }
            for row in 0..<rows.count {
                target.copyMemory(from: start + row * stride, byteCount: stride)
                writer.write(line.start, bytesPerRow: 0, count: 1, into: &canvas)
            }
        }
        if passedRows == frame.size.height {
            passMargin(rows: writer.storedSize.height - frame.y - frame.size.height, into: &canvas)
        }
    }

    private mutating func passMargin(rows: Int, into canvas: inout PixelCanvas) {
        guard !isCovering else { return }
        line.clear()
        writer.write(line.start, bytesPerRow: 0, count: rows, into: &canvas)
    }

    /// Ends the frame; see ``FrameWriter/finish(into:)``.
    mutating func finish(into canvas: inout PixelCanvas) -> AlphaMode { writer.finish(into: &canvas) }
}
