internal import CKuvaPixels

extension PixelBuffer {
    /// The picture over a ground of one colour, whose alpha does not count; itself if it is opaque already.
    ///
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    public func flattened(over ground: Color, pool: PixelBufferPool = .shared) throws(ImageError) -> PixelBuffer {
        guard layout.alpha == .premultiplied else { return self }
        return try converted(to: .opaque, pool: pool) { output, input, count in
            kuva_pixels_flatten(output, input, count, ground.red, ground.green, ground.blue)
        }
    }

    /// The picture with straight alpha, as files have it; itself if it is opaque or straight already. What is fully
    /// transparent becomes black. Colour under low alpha loses precision, since a premultiplied picture does not have it.
    ///
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    public func straightened(pool: PixelBufferPool = .shared) throws(ImageError) -> PixelBuffer {
        guard layout.alpha == .premultiplied else { return self }
        return try converted(to: .straight, pool: pool, kuva_pixels_straighten)
    }

    private func converted(
        to alpha: AlphaMode,
        pool: PixelBufferPool,
        _ convert: (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, Int) -> Void
    ) throws(ImageError) -> PixelBuffer {
        let output = try PixelLayout(size: layout.size, alpha: alpha, colorSpace: layout.colorSpace)
        var canvas = try pool.canvas(output)
        withUnsafeBytes { source in
            canvas.withUnsafeMutableBytes { target in
                for row in 0..<layout.height {
                    convert(
                        (target.baseAddress! + row * output.bytesPerRow).assumingMemoryBound(to: UInt8.self),
                        (source.baseAddress! + row * layout.bytesPerRow).assumingMemoryBound(to: UInt8.self),
                        layout.width
                    )
                }
            }
        }
        return canvas.freeze(alpha: alpha)
    }
}
