internal import CKuvaPixels

extension Image {
    /// The same picture with other pixels: scale, format, frame and loop count stay.
    func replacing(_ pixels: PixelBuffer) -> Image {
        Image(pixels: pixels, scale: scale, format: format, frameCount: frameCount, loopCount: loopCount)
    }

    /// A picture of `size` pixels made from this one's.
    ///
    /// - Parameter body: gets this picture's pixels, premultiplied, and those of the new picture, not initialised, to
    ///   write them all; returns what alpha means in them.
    /// - Throws: what `body` throws, and ``ImageError`` with the codes `limit-exceeded` for a size above the default
    ///   ``DecodeLimits`` that is not that of a picture already there, and `out-of-memory`.
    func redrawn(
        _ size: PixelSize,
        pool: PixelBufferPool,
        _ body: (_ source: PixelRows, _ target: MutablePixelRows) throws(ImageError) -> AlphaMode
    ) throws(ImageError) -> Image {
        if (size.pixelCount ?? .max) > (pixelSize.pixelCount ?? 0) { try DecodeLimits().check(output: size) }
        let source = try premultipliedPixels(pool: pool)
        let layout = try PixelLayout(size: size, colorSpace: source.layout.colorSpace)
        var canvas = try pool.canvas(layout)
        let alpha = try source.withUnsafeRows { rows throws(ImageError) in
            try canvas.withUnsafeMutableBytes { bytes throws(ImageError) in
                let target = MutablePixelRows(
                    base: bytes.baseAddress!.assumingMemoryBound(to: UInt8.self),
                    size: size,
                    bytesPerRow: layout.bytesPerRow,
                    level: kuva_pixels_best_level()
                )
                return try body(rows, target)
            }
        }
        return replacing(canvas.freeze(alpha: alpha))
    }

    /// The pixels, premultiplied: the same where they are already.
    func premultipliedPixels(pool: PixelBufferPool) throws(ImageError) -> PixelBuffer {
        guard pixels.layout.format == .rgba8 else {
            throw ImageError(
                .invalidConfiguration,
                "a transformer got \(pixels.layout.format) pixels; it changes \(PixelFormat.rgba8) only",
                advice: "convert the picture first",
                stage: .transform
            )
        }
        guard pixels.layout.alpha == .straight else { return pixels }
        var canvas = try pool.canvas(PixelLayout(size: pixelSize, colorSpace: pixels.layout.colorSpace))
        var writer = try FrameWriter(storedSize: pixelSize, rowAlpha: .straight, output: canvas.layout)
        pixels.withUnsafeRows { rows in
            writer.write(rows.base, bytesPerRow: rows.bytesPerRow, count: rows.size.height, into: &canvas)
        }
        let alpha = writer.finish(into: &canvas)
        return canvas.freeze(alpha: alpha)
    }
}

extension PixelBuffer {
    /// All rows. The buffer is never empty.
    func withUnsafeRows<R, E: Error>(_ body: (PixelRows) throws(E) -> R) throws(E) -> R {
        try withUnsafeBytes { bytes throws(E) in
            let base = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
            return try body(PixelRows(base: base, size: layout.size, bytesPerRow: layout.bytesPerRow))
        }
    }
}
