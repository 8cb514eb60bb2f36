internal import CKuvaPixels

/// Finished pixels, or a part of them, to read by rows. Valid as long as the closure that it is handed to runs.
struct PixelRows {
    let base: UnsafePointer<UInt8>
    let size: PixelSize
    let bytesPerRow: Int

    func row(_ y: Int) -> UnsafePointer<UInt8> { base + y * bytesPerRow }

    /// A part; the rectangle must lie inside.
    func part(_ rect: PixelRect) -> PixelRows {
        PixelRows(base: row(rect.y) + rect.x * 4, size: rect.size, bytesPerRow: bytesPerRow)
    }

    /// Copies the whole into `target`, its top left pixel at `x`, `y`. It must fit.
    func copy(to target: MutablePixelRows, x: Int = 0, y: Int = 0) {
        for row in 0..<size.height { (target.row(y + row) + x * 4).update(from: self.row(row), count: size.width * 4) }
    }
}

/// Pixels of a new picture to write by rows. Valid as long as the closure that it is handed to runs.
struct MutablePixelRows {
    let base: UnsafeMutablePointer<UInt8>
    let size: PixelSize
    let bytesPerRow: Int
    /// The kernels to use.
    let level: Int32

    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * bytesPerRow }

    /// Makes everything transparent black.
    func clear() { base.update(repeating: 0, count: bytesPerRow * size.height) }

    /// Calls `body` for as many pixels at once as lie without a gap in both, which are of one size: where rows follow
    /// each other closely, once. Its numbers say whether all alphas are 255.
    func mapPixels(
        of source: PixelRows,
        _ body: (_ out: UnsafeMutablePointer<UInt8>, _ in: UnsafePointer<UInt8>, _ count: Int) -> Int32
    ) -> AlphaMode {
        let packed = size.width * 4
        if source.bytesPerRow == packed, bytesPerRow == packed {
            return body(base, source.base, size.width * size.height) != 0 ? .opaque : .premultiplied
        }
        var isOpaque = true
        for y in 0..<size.height where body(row(y), source.row(y), size.width) == 0 { isOpaque = false }
        return isOpaque ? .opaque : .premultiplied
    }
}
