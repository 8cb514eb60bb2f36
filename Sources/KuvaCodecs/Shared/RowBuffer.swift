internal import KuvaCore

/// Memory for a strip of RGBA8 rows on their way from a library to a ``FrameWriter``, freed with its owner.
struct RowBuffer: ~Copyable {
    let start: UnsafeMutableRawPointer
    let bytesPerRow: Int
    let rowCount: Int

    /// A strip of about 256 KiB, which stays in a core's own cache, and at least 8 rows.
    init(width: Int) {
        let bytesPerRow = width * PixelFormat.rgba8.bytesPerPixel
        self.init(bytesPerRow: bytesPerRow, rowCount: max(8, min(64, (256 << 10) / max(1, bytesPerRow))))
    }

    /// One transparent row.
    init(clearRowOf width: Int) {
        self.init(bytesPerRow: width * PixelFormat.rgba8.bytesPerPixel, rowCount: 1)
        clear()
    }

    private init(bytesPerRow: Int, rowCount: Int) {
        self.bytesPerRow = bytesPerRow
        self.rowCount = rowCount
        start = .allocate(byteCount: bytesPerRow * rowCount, alignment: 64)
    }

    deinit { start.deallocate() }

    /// Makes all rows transparent.
    func clear() { start.initializeMemory(as: UInt8.self, repeating: 0, count: bytesPerRow * rowCount) }
}
