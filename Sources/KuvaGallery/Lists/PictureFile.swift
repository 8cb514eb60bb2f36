import FoundationEssentials

/// A file that names pictures: a feed, or a list of URLs.
enum PictureFile {
    /// The file looks like a feed, but cannot be read as one.
    struct Unreadable: Error {
        let reason: String
    }

    /// The pictures that a file names, in its order. What begins with `{` is a JSON Feed, what begins with `<` is RSS or
    /// Atom, anything else is a list.
    static func entries(in bytes: Data) throws(Unreadable) -> [PictureEntry] {
        let text = String(decoding: bytes, as: UTF8.self)
        switch text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) {
        case "{": return try JSONFeed.entries(in: bytes)
        case "<": return try XMLFeed.entries(in: text)
        default: return lines(of: text)
        }
    }

    private static func lines(of text: String) -> [PictureEntry] {
        text.split(whereSeparator: \.isNewline)
            .map { $0.trimmed }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
            .map { PictureEntry($0) }
    }
}

extension StringProtocol {
    /// The text without white space around it.
    var trimmed: String {
        var text = Substring(self)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
