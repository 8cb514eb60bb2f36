/// What a format is called: name, media type and file name extension.
typealias FormatNames = (name: String, mediaType: String, fileExtension: String)

/// The formats that Kuva itself tells apart.
enum KnownFormat: UInt8, Sendable {
    case unknown, jpeg, png, apng, gif, webp, avif, avis, heic
    case heif, jpegXL, tiff, bmp, ico, svg, pdf

    var names: FormatNames {
        switch self {
        case .unknown: ("unknown", "", "")
        case .jpeg: ("jpeg", "image/jpeg", "jpg")
        case .png: ("png", "image/png", "png")
        case .apng: ("apng", "image/apng", "png")
        case .gif: ("gif", "image/gif", "gif")
        case .webp: ("webp", "image/webp", "webp")
        case .avif: ("avif", "image/avif", "avif")
        case .avis: ("avis", "image/avif", "avif")
        case .heic: ("heic", "image/heic", "heic")
        case .heif: ("heif", "image/heif", "heif")
        case .jpegXL: ("jxl", "image/jxl", "jxl")
        case .tiff: ("tiff", "image/tiff", "tiff")
        case .bmp: ("bmp", "image/bmp", "bmp")
        case .ico: ("ico", "image/vnd.microsoft.icon", "ico")
        case .svg: ("svg", "image/svg+xml", "svg")
        case .pdf: ("pdf", "application/pdf", "pdf")
        }
    }
}
