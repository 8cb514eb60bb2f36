public import FoundationEssentials

/// Says in words what bytes are that no decoder reads.
public enum UnrecognisedBytes {
    /// The error for a body that no decoder reads: empty, a format without a decoder, a page, a text or unknown bytes.
    ///
    /// - Parameter mediaType: what the server called it, if a server did.
    public static func error(for data: Data, mediaType: String? = nil) -> ImageError {
        guard !data.isEmpty else {
            return ImageError(
                .emptyBody,
                "there are no bytes where a picture should be",
                advice: "check that the address is that of a picture"
            )
        }
        let format = ImageFormat(sniffing: data)
        if format != .unknown {
            return ImageError(
                .unsupportedFormat,
                "no decoder for \(format) is registered",
                advice: "register one, or ask the server for another format"
            )
        }
        let claim = mediaType.map { ", sent as \($0)" } ?? ""
        if let kind = kind(of: data) {
            return ImageError(
                .notAnImage,
                "\(kind) came instead of a picture\(claim)",
                advice: "open the address in a browser: it may want a login or have moved"
            )
        }
        return ImageError(
            .unsupportedFormat,
            "the bytes are of no known picture format\(claim)",
            advice: "check that the file is a picture"
        )
    }

    private static func kind(of data: Data) -> String? {
        let prefix = data.prefix(512)
        guard prefix.allSatisfy({ $0 >= 0x20 || (0x09...0x0D).contains($0) }) else { return nil }
        // Other encodings than UTF-8 come out with replacement characters, which leaves the mark-up readable.
        let root = String(decoding: prefix, as: UTF8.self).lowercased().drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if root.contains("<!doctype html") || root.contains("<html") { return "an HTML page" }
        if isJSON(root) { return "JSON" }
        if root.hasPrefix("<") { return "an XML document" }
        return isUTF8(prefix) ? "a text" : nil
    }

    /// Whether bytes are valid UTF-8, but for a character that is cut off at their end.
    private static func isUTF8(_ bytes: Data) -> Bool {
        (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }

    /// An object or array, by its first two tokens (RFC 8259 §2), so that `[section]` of other texts is none.
    private static func isJSON(_ text: Substring) -> Bool {
        guard let first = text.first, first == "{" || first == "[" else { return false }
        guard let second = text.dropFirst().first(where: { !$0.isWhitespace }) else { return true }
        return (first == "{" ? "\"}" : "\"{[]-0123456789").contains(second)
    }
}
