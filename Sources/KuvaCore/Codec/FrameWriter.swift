internal import CKuvaPixels
internal import Glibc

/// Takes the rows of a stored frame, top row first, and puts them scaled, premultiplied and upright into a canvas.
///
/// Every decoder writes through one, so that target size, orientation and alpha are handled in one place, and memory
/// follows the output and a few rows, not the input. Rows are `storedSize.width` RGBA8 pixels. One thread at a time.
///
/// Where the rows need no scaling and no turning, a decoder may write into the canvas itself; see
/// ``writeDirectly(into:_:)``.
public struct FrameWriter: ~Copyable {
    /// What the alpha bytes of the rows that come in mean.
    public enum RowAlpha: Sendable {
        /// All 255.
        case opaque
        /// Colour is multiplied by alpha already.
        case premultiplied
        /// Colour is independent of alpha; the writer multiplies.
        case straight
    }

    /// The size of the stored frame as the rows come in, before orientation and scaling.
    public let storedSize: PixelSize
    /// What the alpha bytes of the rows mean.
    public let rowAlpha: RowAlpha
    /// How the stored frame is turned to be upright.
    public let orientation: Orientation
    /// Rows taken so far.
    public private(set) var rowCount = 0

    private let output: PixelLayout
    private var sawTransparency = false

    /// Makes a writer.
    ///
    /// - Parameter output: the layout of the canvas: upright and in the size wanted.
    /// - Throws: ``ImageError`` with the code `out-of-memory` if the rows it must hold back do not fit.
    public init(
        storedSize: PixelSize,
        rowAlpha: RowAlpha,
        orientation: Orientation = .up,
        output: PixelLayout
    ) throws(ImageError) {
        self.storedSize = storedSize
        self.rowAlpha = rowAlpha
        self.orientation = orientation
        self.output = output
    }

    /// Whether rows may be written into the canvas itself: neither scaled nor turned.
    public var isDirect: Bool { orientation == .up && storedSize == output.size }

    /// Lets `body` write the next rows into the canvas itself. Only if ``isDirect``; otherwise nothing happens.
    ///
    /// - Parameter body: gets the canvas's memory from the next row to its end, and the stride in bytes; returns how
    ///   many whole rows it has written.
    public mutating func writeDirectly<E: Error>(
        into canvas: inout PixelCanvas,
        _ body: (_ rows: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(E) -> Int
    ) throws(E) {
        guard isDirect, rowCount < output.height else { return }
        let (first, stride) = (rowCount, output.bytesPerRow)
        let written = try canvas.withUnsafeMutableBytes { bytes throws(E) in
            try body(UnsafeMutableRawBufferPointer(rebasing: bytes[(first * stride)...]), stride)
        }
        let rows = first..<min(first + max(0, written), output.height)
        canvas.withUnsafeMutableBytes { bytes in
            for row in rows { premultiply(bytes.baseAddress! + row * stride, count: output.width) }
        }
        rowCount = rows.upperBound
    }

    /// Takes the next rows. Rows past the stored height are ignored.
    ///
    /// - Parameters:
    ///   - rows: whole rows, the first at its start.
    ///   - bytesPerRow: from the start of one row to the start of the next.
    ///   - count: how many rows.
    public mutating func write(
        _ rows: UnsafeRawPointer,
        bytesPerRow: Int,
        count: Int,
        into canvas: inout PixelCanvas
    ) {
        for index in 0..<min(count, storedSize.height - rowCount) {
            place(rows + index * bytesPerRow, at: rowCount + index, into: &canvas)
        }
        rowCount = min(rowCount + count, storedSize.height)
    }

    /// Ends the frame: writes what was held back and makes every row that did not come transparent.
    ///
    /// - Returns: what alpha turned out to mean.
    public mutating func finish(into canvas: inout PixelCanvas) -> AlphaMode {
        if rowCount < storedSize.height { clearMissing(in: &canvas) }
        return sawTransparency ? .premultiplied : .opaque
    }
}

extension FrameWriter {
    private mutating func place(_ row: UnsafeRawPointer, at index: Int, into canvas: inout PixelCanvas) {
        let (stride, width) = (output.bytesPerRow, storedSize.width)
        let orientation = orientation
        canvas.withUnsafeMutableBytes { bytes in
            let base = bytes.baseAddress!
            let start: Int
            let step: Int
            let (last, lastRow) = (width - 1, storedSize.height - 1)
            switch orientation {
            case .up: (start, step) = (index * stride, 4)
            case .upMirrored: (start, step) = (index * stride + last * 4, -4)
            case .down: (start, step) = ((lastRow - index) * stride + last * 4, -4)
            case .downMirrored: (start, step) = ((lastRow - index) * stride, 4)
            case .leftMirrored: (start, step) = (index * 4, stride)
            case .right: (start, step) = ((lastRow - index) * 4, stride)
            case .rightMirrored: (start, step) = ((lastRow - index) * 4 + last * stride, -stride)
            case .left: (start, step) = (index * 4 + last * stride, -stride)
            }
            if step == 4 {
                memcpy(base + start, row, width * 4)
            } else {
                for x in 0..<width {
                    (base + start + x * step).copyMemory(from: row + x * 4, byteCount: 4)
                }
            }
        }
    }

    private mutating func premultiply(_ pixels: UnsafeMutableRawPointer, count: Int) {
        guard rowAlpha != .opaque else { return }
        if kuva_premultiply_rgba8(pixels.assumingMemoryBound(to: UInt8.self), count) == 0 { sawTransparency = true }
    }

    private mutating func clearMissing(in canvas: inout PixelCanvas) {
        sawTransparency = true
        canvas.clear(rows: 0..<0)
    }
}
