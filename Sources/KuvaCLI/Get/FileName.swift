internal import FoundationEssentials
internal import Kuva

/// The name under which a picture is saved: the last part of its URL's path, made safe, as `curl -O` names it.
///
/// Whatever the URL says, the name stays in the folder, is not hidden, is no option to other programs, and fits.
struct FileName: Equatable {
    /// The name without its extension.
    let stem: String
    /// The extension without its dot; empty for none.
    let fileExtension: String

    /// - Parameters:
    ///   - url: where the picture came from.
    ///   - format: what it is; its extension is added to a name that has no extension of a picture.
    ///   - isConverted: whether the bytes are no longer those of the URL, so that the extension must follow the format.
    init(_ url: URL, format: ImageFormat, isConverted: Bool = false) {
        // Split before decoding: `%2F` is part of a name.
        let last = Self.percentDecoded(url.path(percentEncoded: true).split(separator: "/").last ?? "")
        var name = String(String.UnicodeScalarView(last.unicodeScalars.map { Self.isUnsafe($0) ? "_" : $0 }))
        name = String(name.drop { $0 == "." || $0 == " " })
        while name.last == "." || name.last == " " { name.removeLast() }
        if name.hasPrefix("-") { name = "_" + name.dropFirst() }
        if name.isEmpty { name = "image" }

        var stem = name[...]
        var fileExtension = format.fileExtension
        if let dot = name.lastIndex(of: "."), dot != name.startIndex {
            let found = String(name[name.index(after: dot)...])
            if Self.pictureExtensions.contains(found.lowercased()) {
                stem = name[..<dot]
                if !isConverted { fileExtension = found }
            }
        }
        self.stem = Self.cut(stem, toBytes: Self.maximumBytes - fileExtension.utf8.count - 1)
        self.fileExtension = fileExtension
    }

    /// The name for the `attempt`th try: `a.jpg`, `a-1.jpg`, `a-2.jpg`.
    func text(attempt: Int = 0) -> String {
        let number = attempt == 0 ? "" : "-\(attempt)"
        return fileExtension.isEmpty ? "\(stem)\(number)" : "\(stem)\(number).\(fileExtension)"
    }

    /// Linux allows 255 bytes; some stay free for a number.
    private static let maximumBytes = 240

    private static let pictureExtensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "avif", "heic", "heif", "jxl", "tif", "tiff", "bmp",
        "ico", "cur", "svg", "pdf",
    ]

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar == "\\" || String(scalar).withoutControls == "?" && scalar != "?"
    }

    /// RFC 3986 §2.1; what is no UTF-8 afterwards gets replacement characters.
    private static func percentDecoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy({ Character(.init($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func cut(_ text: Substring, toBytes limit: Int) -> String {
        var result = text
        while result.utf8.count > limit { result.removeLast() }
        return String(result)
    }
}
