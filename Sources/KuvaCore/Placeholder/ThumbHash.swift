public import FoundationEssentials

/// ThumbHash: a blurred preview of a picture in 5 to 25 bytes, with its proportions and its alpha, as published at
/// evanw.github.io/thumbhash.
public enum ThumbHash {
    /// The bytes for a picture. A picture with a side above 100 is scaled down first.
    ///
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    public static func encode(_ image: Image, pool: PixelBufferPool = .shared) throws(ImageError) -> Data {
        Data(ThumbHashCoefficients(of: try image.reduced(toSide: 100, pool: pool)).bytes)
    }

    /// The blurred picture.
    ///
    /// - Parameter size: in pixels; unless told, the longer side is 32 and the other one follows the proportions.
    /// - Throws: ``ImageError`` with the code `truncated-image` for too few bytes, `limit-exceeded` for a size without
    ///   pixels or above the default ``DecodeLimits``, or `out-of-memory`. Bytes past the end are ignored.
    public static func decode(
        _ bytes: some Collection<UInt8>,
        size: PixelSize? = nil,
        pool: PixelBufferPool = .shared
    ) throws(ImageError) -> Image {
        let coefficients = try ThumbHashCoefficients(Array(bytes))
        let size = size ?? coefficients.defaultSize
        try DecodeLimits().check(output: size)
        return try coefficients.image(size, pool: pool)
    }

    /// Width divided by height, roughly.
    ///
    /// - Throws: ``ImageError`` with the code `truncated-image` for too few bytes.
    public static func aspectRatio(of bytes: some Collection<UInt8>) throws(ImageError) -> Double {
        try ThumbHashCoefficients(Array(bytes)).aspectRatio
    }

    /// The colour that the picture has on average, with its alpha.
    ///
    /// - Throws: ``ImageError`` with the code `truncated-image` for too few bytes.
    public static func averageColor(of bytes: some Collection<UInt8>) throws(ImageError) -> Color {
        try ThumbHashCoefficients(Array(bytes)).averageColor
    }
}
