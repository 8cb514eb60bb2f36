/// Premultiplied pixels of a small picture.
struct SmallPixels {
    let size: PixelSize
    /// RGBA, rows packed.
    let bytes: [UInt8]
}

extension Image {
    /// The pixels, scaled down so that no side is longer than `side`.
    func reduced(toSide side: Int, pool: PixelBufferPool) throws(ImageError) -> SmallPixels {
        let target = TargetSize(PixelSize(width: side, height: side))
        let small = try resized(to: target.outputSize(for: pixelSize), pool: pool)
        let bytes = try small.premultipliedPixels(pool: pool).withUnsafeRows { rows in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(rows.size.width * rows.size.height * 4)
            for y in 0..<rows.size.height {
                bytes.append(contentsOf: UnsafeBufferPointer(start: rows.row(y), count: rows.size.width * 4))
            }
            return bytes
        }
        return SmallPixels(size: small.pixelSize, bytes: bytes)
    }
}
