/// The header fields of a message: an ordered list whose names compare without regard to case (RFC 9110 §5.1).
public struct HTTPFields: Hashable, Sendable, Codable {
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

    /// The field lines in their order.
    public private(set) var fields: [Field]

    /// Makes a list from field lines.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// The value of a field: lines of one name joined by a comma and a space (RFC 9110 §5.3), `nil` if there is none.
    /// Setting replaces all lines of that name by one; setting `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            let values = values(of: name)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            fields.removeAll { Self.isSame($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// The values of all lines of one name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// Adds a line, keeping those of the same name.
    public mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    private static func isSame(_ lhs: String, _ rhs: String) -> Bool {
        lhs.utf8.count == rhs.utf8.count
            && zip(lhs.utf8, rhs.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// `["Accept": "image/*"]`.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}
