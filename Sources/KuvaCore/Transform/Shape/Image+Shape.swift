internal import CKuvaPixels

extension Image {
    /// A part of the picture cut to a shape, with a border drawn inside the shape's edge.
    ///
    /// A pixel that the edge of the border crosses is shared by area: no colour from under the border leaks at its
    /// outer edge.
    func clipped(
        _ part: PixelRect,
        radii: [Double],
        border: BorderStyle?,
        pool: PixelBufferPool
    ) throws(ImageError) -> Image {
        let width = try border?.checkedWidth() ?? 0
        let outer = RoundedRect(size: part.size, inset: 0, radii: radii)
        let mask = BorderMask(outer: outer, inner: outer.shrunk(by: width), color: border?.color ?? .clear)
        return try redrawn(part.size, pool: pool) { source, target in mask.apply(to: source.part(part), target) }
    }
}

/// A shape and a smaller one in it; the ring between them has a colour.
private struct BorderMask {
    let outer: RoundedRect
    let inner: RoundedRect
    let color: Color

    func apply(to source: PixelRows, _ target: MutablePixelRows) -> AlphaMode {
        let width = outer.size.width
        let premultiplied = color.premultiplied
        var isOpaque = true
        // The picture's weights, the ring's weights, and the inner shape's coverage.
        var rows = [UInt8](repeating: 0, count: 3 * width)
        rows.withUnsafeMutableBufferPointer { buffer in
            let (picture, ring, core) = (
                buffer.baseAddress!, buffer.baseAddress! + width, buffer.baseAddress! + 2 * width
            )
            var isReady = false
            for y in 0..<outer.size.height {
                let isPlain = outer.isPlain(row: y) && inner.isPlain(row: y)
                if !(isReady && isPlain) {
                    outer.cover(row: y, into: picture)
                    inner.cover(row: y, into: core)
                    weigh(picture, ring, core, count: width)
                }
                isReady = isPlain
                if kuva_pixels_mix(target.level, target.row(y), source.row(y), width, picture, premultiplied, ring) == 0
                {
                    isOpaque = false
                }
            }
        }
        return isOpaque ? .opaque : .premultiplied
    }

    /// Turns coverages into weights; `picture` holds the outer coverage at first. Under the ring, as much of the
    /// picture is seen as the colour lets through.
    private func weigh(
        _ picture: UnsafeMutablePointer<UInt8>,
        _ ring: UnsafeMutablePointer<UInt8>,
        _ core: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        let clear = 255 - Int(color.alpha)
        for x in 0..<count {
            ring[x] = picture[x] - min(picture[x], core[x])
            picture[x] = min(picture[x], core[x]) + UInt8((Int(ring[x]) * clear + 127) / 255)
        }
    }
}
