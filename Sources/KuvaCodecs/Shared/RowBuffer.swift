internal import KuvaCore

/// Memory for a strip of RGBA8 rows on their way from a library to a ``FrameWriter``, freed with its owner.
struct RowBuffer: ~Copyable {
    let start: UnsafeMutableRawPointer
    let bytesPerRow: Int
    let rowCount: Int

    /// A strip of about 256 KiB, which stays in a core's own cache, and at least 8 rows.
    init(width: Int) {
        bytesPerRow = width * PixelFormat.rgba8.bytesPerPixel
        rowCount = max(8, min(64, (256 << 10) / max(1, bytesPerRow)))
        start = .allocate(byteCount: bytesPerRow * rowCount, alignment: 64)
    }

    deinit { start.deallocate() }
}
