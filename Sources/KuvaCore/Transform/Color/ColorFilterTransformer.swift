/// Changes the colours of a picture; alpha stays. Key: that of its filter, such as `sepia(0.5)`.
public struct ColorFilterTransformer: ImageTransformer, Hashable {
    /// What is done.
    public let filter: ColorFilter

    /// Makes a transformer.
    public init(_ filter: ColorFilter) { self.filter = filter }

    /// The name and the number of the filter.
    public var key: String { filter.key }

    /// The picture in its new colours; the same picture where the filter changes nothing.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` for what is not a number, or `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        guard let change = try filter.change() else { return image }
        return try change.apply(to: image, pool: pool)
    }
}

extension ImageTransformer where Self == ColorFilterTransformer {
    /// Changes colours by a filter; see ``ColorFilter``.
    public static func filter(_ filter: ColorFilter) -> ColorFilterTransformer { ColorFilterTransformer(filter) }

    /// Takes all colour away.
    public static var greyscale: ColorFilterTransformer { .filter(.greyscale()) }

    /// The brown of old photographs.
    public static var sepia: ColorFilterTransformer { .filter(.sepia()) }

    /// The negative.
    public static var invert: ColorFilterTransformer { .filter(.invert()) }

    /// Colour times a factor; see ``ColorFilter/brightness(_:)``.
    public static func brightness(_ factor: Double) -> ColorFilterTransformer { .filter(.brightness(factor)) }

    /// More or less contrast; see ``ColorFilter/contrast(_:)``.
    public static func contrast(_ factor: Double) -> ColorFilterTransformer { .filter(.contrast(factor)) }

    /// More or less colour; see ``ColorFilter/saturation(_:)``.
    public static func saturation(_ factor: Double) -> ColorFilterTransformer { .filter(.saturation(factor)) }

    /// Colour to a power; see ``ColorFilter/gamma(_:)``.
    public static func gamma(_ exponent: Double) -> ColorFilterTransformer { .filter(.gamma(exponent)) }
}
