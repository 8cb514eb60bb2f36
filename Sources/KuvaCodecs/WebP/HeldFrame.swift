internal import KuvaCore

/// A frame that libwebp decodes into memory of its own, from which rows go to a writer as they come: RGBA, or the planes
/// of a lossy picture, which are scaled before they become RGBA.
struct HeldFrame: ~Copyable {
    let handle: WebPHandle
    let frame: WebPContainer.Frame
    /// The size in which the library decodes the frame.
    let size: PixelSize
    /// How many bytes of the frame the library has had.
    var position = 0

    /// The library writes here between calls; its memory stays where it is as long as the canvas lives.
    private var pixels: PixelCanvas
    private var writer: FrameWriter
    private var passedRows = 0
    /// Whether the frame is as large as the file's canvas.
    private let isCovering: Bool
    /// One row for the writer: of the canvas, transparent around a frame that does not cover it, or made of planes.
    private let line: RowBuffer
    /// How `pixels` are used where they are planes.
    private var planes: WebPPlanes?

    /// - Parameters:
    ///   - scaledSize: to what the library scales a frame that covers the file's canvas, if it does.
    ///   - writer: takes rows of the file's canvas, of that size.
    init(
        _ frame: WebPContainer.Frame,
        scaledSize: PixelSize?,
        writer: consuming FrameWriter
    ) throws(ImageError) {
        size = scaledSize ?? frame.size
        let layout = try PixelLayout(size: size, alpha: .straight)
        var pixels = try PixelBufferPool.shared.canvas(layout)
        handle = try pixels.withUnsafeMutableBytes { bytes throws(ImageError) in
            try WebPHandle(pixels: bytes, bytesPerRow: layout.bytesPerRow, scaledSize: scaledSize)
        }
        isCovering = size == writer.storedSize
        line = RowBuffer(clearRowOf: isCovering ? 0 : writer.storedSize.width)
        self.frame = frame
        self.pixels = pixels
        self.writer = writer
    }

    /// A frame that covers the file's canvas and goes through planes.
    ///
    /// - Parameter writer: takes rows of the size that the frame is scaled to.
    init(
        planesOf frame: WebPContainer.Frame,
        _ layout: WebPPlaneLayout,
        writer: consuming FrameWriter
    ) throws(ImageError) {
        let resampler = try YUVResampler(from: frame.size, to: writer.storedSize)
        var pixels = try PixelBufferPool.shared.canvas(try layout.canvasLayout)
        handle = try pixels.withUnsafeMutableBytes { bytes throws(ImageError) in
            try WebPHandle(planes: bytes, layout: layout)
        }
        size = frame.size
        isCovering = true
        line = RowBuffer(clearRowOf: writer.storedSize.width)
        planes = WebPPlanes(layout, resampler)
        self.frame = frame
        self.pixels = pixels
        self.writer = writer
    }

    /// How many bytes the library gets at once: few where rows are scaled, so that they are still in the processor's
    /// caches then.
    func piece(of byteCount: Int) -> Int { planes == nil ? Self.piece(of: byteCount) : max(16 << 10, byteCount / 64) }

    /// Smaller pieces cost lossless pictures some per cent, since libwebp goes back to its last checkpoint.
    static func piece(of byteCount: Int) -> Int { max(128 << 10, byteCount / 16) }

    /// How many of the frame's rows have come.
    var rowCount: Int { passedRows }

    /// Gives the writer the rows that have come since the last call.
    mutating func passRows(into canvas: inout PixelCanvas) {
        if planes != nil {
            passedRows = handle.rowCount
            passScaledRows(into: &canvas)
            return
        }
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
        if passedRows == size.height {
            passMargin(rows: writer.storedSize.height - frame.y - size.height, into: &canvas)
        }
    }

    private mutating func passScaledRows(into canvas: inout PixelCanvas) {
        while pixels.withUnsafeBytes({ planes?.makeRow(from: $0, rowCount: passedRows, into: line.start) }) == true {
            writer.write(line.start, bytesPerRow: 0, count: 1, into: &canvas)
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
