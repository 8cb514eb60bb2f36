/// Mirrors a picture. Exact: every pixel keeps its bytes. Key: `flip(h)`, `flip(v)`, `flip(hv)`, `flip()`.
public struct FlipTransformer: ImageTransformer, Hashable {
    /// Whether left and right change places.
    public let isHorizontal: Bool
    /// Whether top and bottom change places.
    public let isVertical: Bool

    /// Makes a transformer.
    public init(horizontally: Bool = false, vertically: Bool = false) {
        isHorizontal = horizontally
        isVertical = vertically
    }

    /// The canonical text of the directions.
    public var key: String { "flip(\(isHorizontal ? "h" : "")\(isVertical ? "v" : ""))" }

    /// The mirrored picture; the same picture where no direction is set.
    ///
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        switch (isHorizontal, isVertical) {
        case (false, false): image
        case (true, false): try image.turned(.upMirrored, pool: pool)
        case (false, true): try image.turned(.downMirrored, pool: pool)
        case (true, true): try image.turned(.down, pool: pool)
        }
    }
}

extension ImageTransformer where Self == FlipTransformer {
    /// Left and right change places.
    public static var flipHorizontally: FlipTransformer { FlipTransformer(horizontally: true) }

    /// Top and bottom change places.
    public static var flipVertically: FlipTransformer { FlipTransformer(vertically: true) }
}

extension Image {
    /// Turned and mirrored as if it were stored in the given orientation.
    func turned(_ orientation: Orientation, pool: PixelBufferPool) throws(ImageError) -> Image {
        let source = try premultipliedPixels(pool: pool)
        let (stored, alpha) = (source.layout.size, source.layout.alpha)
        let size = orientation.isTransposed ? stored.transposed : stored
        var canvas = try pool.canvas(PixelLayout(size: size, colorSpace: source.layout.colorSpace))
        // The rows are only moved, so that they need no look at their alpha.
        var writer = try FrameWriter(
            storedSize: stored,
            rowAlpha: .opaque,
            orientation: orientation,
            output: canvas.layout
        )
        source.withUnsafeRows { rows in
            writer.write(rows.base, bytesPerRow: rows.bytesPerRow, count: stored.height, into: &canvas)
        }
        _ = writer.finish(into: &canvas)
        return replacing(canvas.freeze(alpha: alpha))
    }
}
