internal import CKuvaPixels

/// Puts finished rows where they belong in an upright canvas.
///
/// The rows come top first as the file stores them; the canvas holds the picture as a viewer sees it. Quarter turns
/// gather a band of rows and turn it at once, so that the canvas is written in whole cache lines.
struct RowPlacer: ~Copyable {
    /// Size of the picture before turning.
    let storedSize: PixelSize
    /// Rows placed so far.
    private(set) var rowCount = 0

    private let orientation: Orientation
    private let bytesPerRow: Int
    private let level: Int32
    private let band: ScratchMemory
    /// Rows that the band holds; 0 where rows are written into the canvas at once.
    private let bandHeight: Int
    /// A cache line longer than a row: rows a power of two apart would push each other out of the cache.
    private let bandStride: Int
    private var bandCount = 0

    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    init(orientation: Orientation, output: PixelLayout, level: Int32) throws(ImageError) {
        self.orientation = orientation
        self.level = level
        storedSize = orientation.isTransposed ? output.size.transposed : output.size
        bytesPerRow = output.bytesPerRow
        bandHeight =
            switch orientation {
            case .up, .downMirrored: 0
            case .upMirrored, .down: 1
            case .leftMirrored, .right, .rightMirrored, .left: 16
            }
        bandStride = storedSize.width * 4 + 64
        band = try ScratchMemory(rows: bandHeight, rowBytes: bandStride)
    }

    /// Whether all rows are placed.
    var isFull: Bool { rowCount == storedSize.height }

    /// Where to write the next row of `storedSize.width` pixels, before ``commit(in:)``.
    ///
    /// - Parameter canvas: the first byte of the canvas.
    func nextRow(in canvas: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        bandHeight > 0
            ? band.address + bandCount * bandStride
            : canvas + uprightRow(rowCount) * bytesPerRow
    }

    /// Counts the row as written.
    mutating func commit(in canvas: UnsafeMutableRawPointer) {
        rowCount += 1
        guard bandHeight > 0 else { return }
        bandCount += 1
        if bandCount == bandHeight { flush(in: canvas) }
    }

    /// Counts `count` rows that were written from ``nextRow(in:)`` on; only where nothing is turned.
    mutating func commitInPlace(_ count: Int) { rowCount += count }

    /// Writes what is held back and makes the rows that did not come transparent black.
    mutating func finish(in canvas: UnsafeMutableRawPointer) {
        flush(in: canvas)
        let missing = storedSize.height - rowCount
        guard missing > 0 else { return }
        if orientation.isTransposed {
            let column = lastRowComesFirst ? 0 : rowCount
            for row in 0..<storedSize.width { clear(canvas + row * bytesPerRow + column * 4, byteCount: missing * 4) }
        } else {
            let row = lastRowComesFirst ? 0 : rowCount
            clear(canvas + row * bytesPerRow, byteCount: missing * bytesPerRow)
        }
        rowCount = storedSize.height
    }

    private func clear(_ start: UnsafeMutableRawPointer, byteCount: Int) {
        start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    }

    /// Whether the last stored row is the first row or column of the upright picture.
    private var lastRowComesFirst: Bool {
        switch orientation {
        case .down, .downMirrored, .right, .rightMirrored: true
        case .up, .upMirrored, .leftMirrored, .left: false
        }
    }

    /// The row of the canvas for a stored row; only for orientations that exchange no sides.
    private func uprightRow(_ row: Int) -> Int { lastRowComesFirst ? storedSize.height - 1 - row : row }

    private mutating func flush(in canvas: UnsafeMutableRawPointer) {
        guard bandCount > 0 else { return }
        let rows = band.address.assumingMemoryBound(to: UInt8.self)
        if orientation.isTransposed {
            turn(rows, into: canvas.assumingMemoryBound(to: UInt8.self))
        } else {
            let row = canvas + uprightRow(rowCount - 1) * bytesPerRow
            kuva_pixels_reverse(row.assumingMemoryBound(to: UInt8.self), rows, storedSize.width)
        }
        bandCount = 0
    }

    /// Writes the band's rows as columns. Starting at the last row and stepping back mirrors them.
    private func turn(_ rows: UnsafePointer<UInt8>, into canvas: UnsafeMutablePointer<UInt8>) {
        let column = lastRowComesFirst ? storedSize.height - rowCount : rowCount - bandCount
        let lastPixelComesFirst = orientation == .rightMirrored || orientation == .left
        kuva_pixels_transpose(
            level,
            canvas + column * 4 + (lastPixelComesFirst ? (storedSize.width - 1) * bytesPerRow : 0),
            lastPixelComesFirst ? -bytesPerRow : bytesPerRow,
            rows + (lastRowComesFirst ? (bandCount - 1) * bandStride : 0),
            lastRowComesFirst ? -bandStride : bandStride,
            storedSize.width,
            bandCount
        )
    }
}
