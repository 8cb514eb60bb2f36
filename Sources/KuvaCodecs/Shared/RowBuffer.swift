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
        bytesPerRow = width * PixelFormat.rgba8.bytesPerPixel
        rowCount = max(8, min(64, (256 << 10) / max(1, bytesPerRow)))
        start = .allocate(byteCount: bytesPerRow * (rowCount + extraRows), alignment: 64)
    }

    deinit { start.deallocate() }
}
