/// BlurHash: a blurred preview of a picture in 6 to 166 characters, as published at github.com/woltapp/blurhash.
///
/// The text holds a few coefficients of a cosine transform of the picture in linear light. It knows neither alpha nor
/// proportions; see ``ThumbHash`` for one that does.
public enum BlurHash {
    /// The text for a picture.
    ///
    /// A picture with a side above 100 is scaled down first, and transparent parts are taken as over white.
    ///
    /// - Parameters:
    ///   - columns: coefficients from left to right, cut to 1...9; 4 by default.
    ///   - rows: coefficients from top to bottom, cut to 1...9; 3 by default.
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    public static func encode(
        _ image: Image,
        columns: Int = 4,
        rows: Int = 3,
        pool: PixelBufferPool = .shared
    ) throws(ImageError) -> String {
        let (columns, rows) = (max(1, min(9, columns)), max(1, min(9, rows)))
        let pixels = try image.reduced(toSide: 100, pool: pool)
        return BlurHashCoefficients(of: pixels, columns: columns, rows: rows).text
    }

    /// The blurred picture of a text, opaque.
    ///
    /// - Parameters:
    ///   - size: in pixels; 32 × 32 and stretching that looks the same as a large one, and is cheaper.
    ///   - punch: what contrasts are multiplied by: above 1 stronger, below weaker; what is no finite number counts as 1.
    /// - Throws: ``ImageError`` with the codes `corrupt-image` or `truncated-image` for a text that is no BlurHash,
    ///   `limit-exceeded` for a size without pixels or above the default ``DecodeLimits``, or `out-of-memory`.
    public static func decode(
        _ text: String,
        size: PixelSize,
        punch: Double = 1,
        pool: PixelBufferPool = .shared
    ) throws(ImageError) -> Image {
        let coefficients = try BlurHashCoefficients(text, punch: punch.isFinite ? punch : 1)
        try DecodeLimits().check(output: size)
        return try coefficients.image(size, pool: pool)
    }

    /// The colour that a picture has on average, from the text alone.
    ///
    /// - Throws: ``ImageError`` with the codes `corrupt-image` or `truncated-image` for a text that is no BlurHash.
    public static func averageColor(of text: String) throws(ImageError) -> Color {
        let average = try BlurHashCoefficients(text, punch: 1).values[0].map(SRGB.encode)
        return Color(red: average[0], green: average[1], blue: average[2])
    }
}
