/// Draws a frame along the sides of a picture, inside or around it.
///
/// Key: `border(4:#ff0000)` or `border(4:#ff0000,outside)`.
public struct BorderTransformer: ImageTransformer, Hashable {
    /// On which side of the picture's edge the frame is.
    public enum Placement: String, Hashable, Sendable {
        /// Over the outermost pixels; the size stays.
        case inside
        /// Around the picture, which grows by twice the width.
        case outside
    }

    /// Whole pixels.
    public let width: Int
    /// The colour; inside, where it is not opaque, the picture shines through.
    public let color: Color
    /// On which side of the picture's edge the frame is.
    public let placement: Placement

    /// Makes a transformer; the width is cut to 0...65,535.
    public init(width: Int, color: Color, placement: Placement = .inside) {
        self.width = max(0, min(65_535, width))
        self.color = color
        self.placement = placement
    }

    /// The canonical text of width, colour and placement.
    public var key: String {
        TransformKey.make("border", ["\(width):\(color)"] + (placement == .outside ? ["outside"] : []))
    }

    /// The framed picture; the same picture for a width of 0.
    ///
    /// - Throws: ``ImageError`` with the code `limit-exceeded` for a result above the default ``DecodeLimits``, or
    ///   `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        guard width > 0 else { return image }
        let size = image.pixelSize
        switch placement {
        case .inside:
            let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
            let style = BorderStyle(width: Double(width), color: color)
            return try image.clipped(whole, radii: [0, 0, 0, 0], border: style, pool: pool)
        case .outside:
            let grown = PixelSize(width: size.width + 2 * width, height: size.height + 2 * width)
            return try image.redrawn(grown, pool: pool) { source, target in
                target.fill(color)
                source.copy(to: target, x: width, y: width)
                return image.pixels.layout.alpha == .opaque && color.alpha == 255 ? .opaque : .premultiplied
            }
        }
    }
}

extension ImageTransformer where Self == BorderTransformer {
    /// Draws a frame; see ``BorderTransformer``.
    public static func border(
        width: Int,
        color: Color,
        placement: BorderTransformer.Placement = .inside
    ) -> BorderTransformer {
        BorderTransformer(width: width, color: color, placement: placement)
    }
}

extension MutablePixelRows {
    /// Gives every pixel one colour.
    fileprivate func fill(_ color: Color) {
        let pixel = color.premultiplied
        let first = row(0)
        for x in 0..<size.width { for c in 0..<4 { first[4 * x + c] = pixel[c] } }
        for y in 1..<max(1, size.height) { row(y).update(from: first, count: size.width * 4) }
    }
}
