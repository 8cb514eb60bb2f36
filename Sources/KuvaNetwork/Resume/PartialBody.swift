internal import FoundationEssentials
internal import KuvaCore

/// The start of a body whose transfer broke, with what it takes to ask for the rest (RFC 9110 §14).
struct PartialBody: Hashable, Sendable {
    /// What the bytes belong to.
    struct Origin: Hashable, Sendable {
        /// A strong entity tag or a date of change that is as good as one: the value of `If-Range`.
        var validator: String
        /// The length of the whole, if it is known.
        var totalByteCount: Int64?
    }

    var origin: Origin
    var bytes: Data

    /// The fields that ask for the rest (RFC 9110 §14.2, §13.1.5).
    var conditions: HTTPFields { ["Range": "bytes=\(bytes.count)-", "If-Range": origin.validator] }
}

extension PartialBody.Origin {
    /// What a later request could resume by; `nil` if the answer does not allow it.
    ///
    /// - Parameters:
    ///   - totalByteCount: the length of the whole as far as it is known.
    ///   - isCoded: whether a content coding changed the bytes, which then are no part of what was sent.
    init?(status: Int, fields: HTTPFields, totalByteCount: Int64?, isCoded: Bool) {
        guard status == 200 || status == 206, !isCoded else { return nil }
        // An answer in parts shows by itself that the server makes them.
        let units = fields["Accept-Ranges"]?.lowercased().split { $0 == "," || $0 == " " } ?? []
        guard status == 206 || units.contains("bytes") else { return nil }
        guard let validator = Self.validator(fields) else { return nil }
        self.init(validator: validator, totalByteCount: totalByteCount)
    }

    private static func validator(_ fields: HTTPFields) -> String? {
        if let tag = fields["ETag"], !tag.isEmpty {
            // A weak tag must not be used (RFC 9110 §13.1.5); the date beside it is then weak as well.
            return tag.hasPrefix("W/") ? nil : tag
        }
        guard let modified = fields["Last-Modified"], let date = HTTPDate.parse(modified) else { return nil }
        // Strong only if it changed well before it was sent (RFC 9110 §8.8.2.2).
        guard let sent = fields["Date"].flatMap({ HTTPDate.parse($0) }) else { return nil }
        return sent.timeIntervalSince(date) >= 1 ? modified : nil
    }
}

/// `Content-Range` of an answer with one part (RFC 9110 §14.4).
struct ContentRange: Hashable, Sendable {
    var first: Int64
    var last: Int64
    /// `nil` for an asterisk.
    var total: Int64?

    /// `nil` unless the value is a range of bytes that can be.
    init?(_ value: String?) {
        let parts = value?.split(separator: " ", omittingEmptySubsequences: true) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = sides.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard sides.count == 2, ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < .max
        else { return nil }
        total = sides[1] == "*" ? nil : Self.number(sides[1])
        if sides[1] != "*" {
            guard let total, last < total else { return nil }
        }
        self.first = first
        self.last = last
    }

    /// Whether the part goes from `offset` to the end of a body of the length that was known before.
    func continues(at offset: Int, of expected: Int64?) -> Bool {
        guard first == Int64(offset) else { return false }
        if let expected, let total, expected != total { return false }
        guard let whole = total ?? expected else { return true }
        return last == whole - 1
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}
