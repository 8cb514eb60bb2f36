/// Makes the corners of a picture round, and draws a border inside its edge if asked. Antialiased by exact area.
///
/// Key: `round-corners(12)`, `round-corners(12/0/0/12,border=2:#ffffff)`.
public struct RoundCornersTransformer: ImageTransformer, Hashable {
    /// The radii; where they overlap, all are reduced in proportion, so that a large one makes a pill.
    public let radii: CornerRadii
    /// The border; it follows the corners.
    public let border: BorderStyle?

    /// Makes a transformer.
    public init(_ radii: CornerRadii, border: BorderStyle? = nil) {
        self.radii = radii
        self.border = border
    }

    /// The canonical text of radii and border.
    public var key: String {
        TransformKey.make("round-corners", [radii.text] + (border.map { [$0.text] } ?? []))
    }

    /// The picture with its corners cut off; the same picture where nothing is cut off or drawn.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` for a radius or width that is not a number, or
    ///   `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        let fitted = try radii.fitted(to: image.pixelSize)
        let isPlain = try border.map { border throws(ImageError) in try border.checkedWidth() == 0 } ?? true
        guard !isPlain || fitted.contains(where: { $0 > 0 }) else { return image }
        let whole = PixelRect(x: 0, y: 0, width: image.pixelSize.width, height: image.pixelSize.height)
        return try image.clipped(whole, radii: fitted, border: border, pool: pool)
    }
}

extension ImageTransformer where Self == RoundCornersTransformer {
    /// Makes all corners round, with one radius in pixels; see ``RoundCornersTransformer``.
    public static func roundCorners(_ radius: Double, border: BorderStyle? = nil) -> RoundCornersTransformer {
        RoundCornersTransformer(CornerRadii(radius), border: border)
    }

    /// Makes corners round, each with its radius; see ``RoundCornersTransformer``.
    public static func roundCorners(_ radii: CornerRadii, border: BorderStyle? = nil) -> RoundCornersTransformer {
        RoundCornersTransformer(radii, border: border)
    }
}
