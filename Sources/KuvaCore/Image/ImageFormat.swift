/// A picture file format. An open set: a program with a decoder of its own adds its own.
public struct ImageFormat: Hashable, Sendable, CustomStringConvertible {
    /// The short lower-case name, such as `jpeg`.
    public let name: String
    /// The registered media type, such as `image/jpeg`; empty for ``unknown``.
    public let mediaType: String
    /// The usual file name extension without the dot, such as `jpg`; empty for ``unknown``.
    public let fileExtension: String

    /// Makes a format of your own.
    public init(name: String, mediaType: String, fileExtension: String) {
        self.name = name
        self.mediaType = mediaType
        self.fileExtension = fileExtension
    }

    /// The name.
    public var description: String { name }

    /// Two formats with one name are the same.
    public static func == (lhs: ImageFormat, rhs: ImageFormat) -> Bool { lhs.name == rhs.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Bytes that no signature matches, or too few to tell.
    public static let unknown = ImageFormat(name: "unknown", mediaType: "", fileExtension: "")
    /// JPEG (ITU-T T.81).
    public static let jpeg = ImageFormat(name: "jpeg", mediaType: "image/jpeg", fileExtension: "jpg")
    /// PNG without animation.
    public static let png = ImageFormat(name: "png", mediaType: "image/png", fileExtension: "png")
    /// PNG with an animation control chunk before its image data.
    public static let apng = ImageFormat(name: "apng", mediaType: "image/apng", fileExtension: "png")
    /// GIF87a or GIF89a.
    public static let gif = ImageFormat(name: "gif", mediaType: "image/gif", fileExtension: "gif")
    /// WebP, still or animated.
    public static let webp = ImageFormat(name: "webp", mediaType: "image/webp", fileExtension: "webp")
    /// AVIF, still picture.
    public static let avif = ImageFormat(name: "avif", mediaType: "image/avif", fileExtension: "avif")
    /// AVIF image sequence (brand `avis`).
    public static let avis = ImageFormat(name: "avis", mediaType: "image/avif", fileExtension: "avif")
    /// HEIF with HEVC pictures or sequences.
    public static let heic = ImageFormat(name: "heic", mediaType: "image/heic", fileExtension: "heic")
    /// HEIF with another or an undeclared coding.
    public static let heif = ImageFormat(name: "heif", mediaType: "image/heif", fileExtension: "heif")
    /// JPEG XL, bare codestream or boxed.
    public static let jpegXL = ImageFormat(name: "jxl", mediaType: "image/jxl", fileExtension: "jxl")
    /// TIFF of either byte order, BigTIFF included.
    public static let tiff = ImageFormat(name: "tiff", mediaType: "image/tiff", fileExtension: "tiff")
    /// Windows bitmap.
    public static let bmp = ImageFormat(name: "bmp", mediaType: "image/bmp", fileExtension: "bmp")
    /// Windows icon or cursor.
    public static let ico = ImageFormat(name: "ico", mediaType: "image/vnd.microsoft.icon", fileExtension: "ico")
    /// SVG.
    public static let svg = ImageFormat(name: "svg", mediaType: "image/svg+xml", fileExtension: "svg")
    /// PDF.
    public static let pdf = ImageFormat(name: "pdf", mediaType: "application/pdf", fileExtension: "pdf")
}
