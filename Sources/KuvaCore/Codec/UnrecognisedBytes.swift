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
        let text = data.prefix(512)
        let root = String(decoding: text, as: UTF8.self).lowercased()
        if root.contains("<!doctype html") || root.contains("<html") { return "an HTML page" }
        let trimmed = root.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if trimmed.hasPrefix("{") || trimmed.hasPrefix("[") { return "JSON" }
        if trimmed.hasPrefix("<?xml") || trimmed.hasPrefix("<") { return "an XML document" }
        let isText = text.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
        return isText && String(validating: text, as: UTF8.self) != nil ? "a text" : nil
    }
}
