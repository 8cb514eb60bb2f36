/// The header fields of a message: an ordered list whose names compare without regard to case (RFC 9110 §5.1).
///
/// Stored as one text, as it came, and taken apart only where someone asks: most answers are never looked at in full.
/// Line breaks and NUL become spaces (RFC 9110 §5.5), so a field can never smuggle in another one.
public struct HTTPFields: Hashable, Sendable {
    /// One field line.
    public struct Field: Hashable, Sendable, Codable {
        /// The name as it was written.
        public var name: String
        /// The value without surrounding white space.
        public var value: String

        /// Makes a field line; nothing is checked.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Each line is its name, ``nameEnd``, its value and ``lineEnd``.
    private var text = ""

    package static let nameEnd: UInt8 = 0x00
    package static let lineEnd: UInt8 = 0x0A

    /// Makes a list from field lines.
    public init(_ fields: [Field] = []) {
        for field in fields { append(name: field.name, value: field.value) }
    }

    /// Makes a list from lines that stand in memory in the form in which they are stored; malformed UTF-8 is repaired.
    package init(stored bytes: UnsafeRawBufferPointer) { text = String(decoding: bytes, as: UTF8.self) }

    /// The field lines in their order. Takes the text apart: O(n).
    public var fields: [Field] {
        var fields: [Field] = []
        forEach { name, value in fields.append(Field(name: String(name), value: String(value))) }
        return fields
    }

    /// Whether there is no field.
    public var isEmpty: Bool { text.isEmpty }

    /// The value of a field: lines of one name joined by a comma and a space (RFC 9110 §5.3), `nil` if there is none.
    /// Setting replaces all lines of that name by one; setting `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            var joined: String?
            forEach(named: name) { value in joined = joined.map { "\($0), \(value)" } ?? String(value) }
            return joined
        }
        set {
            remove(name)
            if let newValue { append(name: name, value: newValue) }
        }
    }

    /// The values of all lines of one name, in order.
    public func values(of name: String) -> [String] {
        var values: [String] = []
        forEach(named: name) { values.append(String($0)) }
        return values
    }

    /// Adds a line, keeping those of the same name.
    public mutating func append(name: String, value: String) {
        text += Self.safe(name) + "\0" + Self.safe(value) + "\n"
    }

    /// Removes all lines of one name.
    private mutating func remove(_ name: String) {
        var rest = ""
        forEach { other, value in
            if !Self.isSame(other.utf8, name.utf8) { rest += other + "\0" + value + "\n" }
        }
        text = rest
    }

    private func forEach(named name: String, _ body: (Substring) -> Void) {
        forEach { other, value in
            if Self.isSame(other.utf8, name.utf8) { body(value) }
        }
    }

    private func forEach(_ body: (_ name: Substring, _ value: Substring) -> Void) {
        let bytes = text.utf8
        var start = bytes.startIndex
        while start < bytes.endIndex {
            guard let nameEnd = bytes[start...].firstIndex(of: Self.nameEnd),
                let lineEnd = bytes[nameEnd...].firstIndex(of: Self.lineEnd)
            else { return }
            body(text[start..<nameEnd], text[bytes.index(after: nameEnd)..<lineEnd])
            start = bytes.index(after: lineEnd)
        }
    }

    private static func safe(_ text: String) -> String {
        let isSafe = text.utf8.allSatisfy { $0 != 0x00 && $0 != 0x0A && $0 != 0x0D }
        if isSafe { return text }
        return String(decoding: text.utf8.map { [0x00, 0x0A, 0x0D].contains($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func isSame(_ lhs: Substring.UTF8View, _ rhs: String.UTF8View) -> Bool {
        lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// `["Accept": "image/*"]`.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HTTPFields: Codable {
    /// Reads a list of field lines.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Field].self))
    }

    /// Writes a list of field lines.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(fields)
    }
}
