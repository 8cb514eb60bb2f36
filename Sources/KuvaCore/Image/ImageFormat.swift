/// A picture file format. An open set: a program with a decoder of its own adds its own.
public struct ImageFormat: Hashable, Sendable, CustomStringConvertible {
    /// The short lower-case name, such as `jpeg`.
    public var name: String { names.name }
    /// The registered media type, such as `image/jpeg`; empty for ``unknown``.
    public var mediaType: String { names.mediaType }
    /// The usual file name extension without the dot, such as `jpg`; empty for ``unknown``.
    public var fileExtension: String { names.fileExtension }

    /// Copied with every picture, so a format that Kuva knows is one byte and holds no reference.
    private enum Kind: Sendable {
        case known(KnownFormat)
        case own(Own)
    }

    private final class Own: Sendable {
        let names: FormatNames
        init(_ names: FormatNames) { self.names = names }
    }

    private let kind: Kind

    private init(_ known: KnownFormat) { kind = .known(known) }

    /// Makes a format of your own.
    public init(name: String, mediaType: String, fileExtension: String) {
        kind = .own(Own((name, mediaType, fileExtension)))
    }

    private var names: FormatNames {
        switch kind {
        case .known(let format): format.names
        case .own(let own): own.names
        }
    }

    /// The name.
    public var description: String { name }

    /// Two formats with one name are the same.
    public static func == (lhs: ImageFormat, rhs: ImageFormat) -> Bool {
        if case (.known(let left), .known(let right)) = (lhs.kind, rhs.kind) { return left == right }
        return lhs.name == rhs.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Bytes that no signature matches, or too few to tell.
    public static let unknown = ImageFormat(.unknown)
    /// JPEG (ITU-T T.81).
    public static let jpeg = ImageFormat(.jpeg)
    /// PNG without animation.
    public static let png = ImageFormat(.png)
    /// PNG with an animation control chunk before its image data.
    public static let apng = ImageFormat(.apng)
    /// GIF87a or GIF89a.
    public static let gif = ImageFormat(.gif)
    /// WebP, still or animated.
    public static let webp = ImageFormat(.webp)
    /// AVIF, still picture.
    public static let avif = ImageFormat(.avif)
    /// AVIF image sequence (brand `avis`).
    public static let avis = ImageFormat(.avis)
    /// HEIF with HEVC pictures or sequences.
    public static let heic = ImageFormat(.heic)
    /// HEIF with another or an undeclared coding.
    public static let heif = ImageFormat(.heif)
    /// JPEG XL, bare codestream or boxed.
    public static let jpegXL = ImageFormat(.jpegXL)
    /// TIFF of either byte order, BigTIFF included.
    public static let tiff = ImageFormat(.tiff)
    /// Windows bitmap.
    public static let bmp = ImageFormat(.bmp)
    /// Windows icon or cursor.
    public static let ico = ImageFormat(.ico)
    /// SVG.
    public static let svg = ImageFormat(.svg)
    /// PDF.
    public static let pdf = ImageFormat(.pdf)
}
