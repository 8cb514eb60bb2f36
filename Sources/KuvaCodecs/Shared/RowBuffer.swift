internal import KuvaCore

/// Memory for a strip of RGBA8 rows on their way from a library to a ``FrameWriter``, freed with its owner.
struct RowBuffer: ~Copyable {
    let start: UnsafeMutableRawPointer
    let bytesPerRow: Int
    let rowCount: Int

    /// A strip of about 256 KiB, which stays in a core's own cache, and at least 8 rows.
    ///
    /// - Parameter extraRows: rows behind the strip for libraries that write more than they are asked for.
    init(width: Int, extraRows: Int = 0) {
        let bytesPerRow = width * PixelFormat.rgba8.bytesPerPixel
        let rowCount = max(8, min(64, (256 << 10) / max(1, bytesPerRow)))
        self.init(bytesPerRow: bytesPerRow, rowCount: rowCount, extraRows: extraRows)
    }

    /// One transparent row.
    init(clearRowOf width: Int) {
        self.init(bytesPerRow: width * PixelFormat.rgba8.bytesPerPixel, rowCount: 1, extraRows: 0)
        clear()
    }

    private init(bytesPerRow: Int, rowCount: Int, extraRows: Int) {
        self.bytesPerRow = bytesPerRow
        self.rowCount = rowCount
        start = .allocate(byteCount: bytesPerRow * (rowCount + extraRows), alignment: 64)
    }

    /// A strip of a given number of rows.
    init(width: Int, rowCount: Int) {
        self.init(bytesPerRow: width * PixelFormat.rgba8.bytesPerPixel, rowCount: rowCount, extraRows: 0)
    }

    deinit { start.deallocate() }

    /// Makes all rows transparent.
    func clear() { start.initializeMemory(as: UInt8.self, repeating: 0, count: bytesPerRow * rowCount) }
}
