/// Cuts the largest circle out of the middle of a picture, as for portraits. Antialiased by exact area.
///
/// The result is a square with the picture's shorter side. Key: `circle` or `circle(border=2:#ffffff)`.
public struct CircleTransformer: ImageTransformer, Hashable {
    /// A border inside the edge of the circle.
    public let border: BorderStyle?

    /// Makes a transformer.
    public init(border: BorderStyle? = nil) { self.border = border }

    /// The canonical text of the border.
    public var key: String { TransformKey.make("circle", border.map { [$0.text] } ?? []) }

    /// The circle.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` for a width that is not a number, or
    ///   `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        let side = min(image.pixelSize.width, image.pixelSize.height)
        let square = Anchor.center.place(PixelSize(width: side, height: side), in: image.pixelSize)
        let radii = Array(repeating: Double(side) / 2, count: 4)
        return try image.clipped(square, radii: radii, border: border, pool: pool)
    }
}

extension ImageTransformer where Self == CircleTransformer {
    /// Cuts out a circle.
    public static var circle: CircleTransformer { CircleTransformer() }

    /// Cuts out a circle with a border inside its edge.
    public static func circle(border: BorderStyle) -> CircleTransformer { CircleTransformer(border: border) }
}
