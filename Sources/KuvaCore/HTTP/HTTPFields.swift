internal import Glibc

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
        forEach { name, value in fields.append(Field(name: Self.string(name), value: Self.string(value))) }
        return fields
    }

    /// Whether there is no field.
    public var isEmpty: Bool { text.isEmpty }

    /// The value of a field: lines of one name joined by a comma and a space (RFC 9110 §5.3), `nil` if there is none.
    /// Setting replaces all lines of that name by one; setting `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            var joined: String?
            forEach(named: name) { value in joined = joined.map { "\($0), \(value)" } ?? value }
            return joined
        }
        set {
            removeAll { Self.isSame($0, name.utf8) }
            if let newValue { append(name: name, value: newValue) }
        }
    }

    /// The values of all lines of one name, in order.
    public func values(of name: String) -> [String] {
        var values: [String] = []
        forEach(named: name) { values.append($0) }
        return values
    }

    /// Adds a line, keeping those of the same name.
    public mutating func append(name: String, value: String) {
        text += Self.safe(name) + "\0" + Self.safe(value) + "\n"
    }

    /// Removes all lines with one of these names.
    package mutating func remove(_ names: FieldNames) { removeAll(where: names.contains) }

    /// Removes the lines whose names are meant; no copy if there are none.
    private mutating func removeAll(where isMeant: (UnsafeRawBufferPointer) -> Bool) {
        let count = text.utf8.count
        var keptCount = 0
        let kept = String(unsafeUninitializedCapacity: count) { buffer in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            forEach { name, value in
                guard !isMeant(name) else { return }
                // A line stands in one piece: name, its end, value, line end.
                let line = UnsafeRawBufferPointer(start: name.baseAddress, count: name.count + value.count + 2)
                UnsafeMutableRawBufferPointer(rebasing: memory[keptCount...]).copyMemory(from: line)
                keptCount += line.count
            }
            return keptCount
        }
        if keptCount < count { text = kept }
    }

    private func forEach(named name: String, _ body: (String) -> Void) {
        let wanted = name.utf8
        forEach { other, value in
            if Self.isSame(other, wanted) { body(Self.string(value)) }
        }
    }

    private func forEach(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            Self.forEach(UnsafeRawBufferPointer($0), body)
        }
        if isDone == nil { Array(text.utf8).withUnsafeBytes { Self.forEach($0, body) } }
    }

    /// Visits lines that stand in memory in the form in which they are stored.
    package static func forEach(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) {
        var start = 0
        while let nameEnd = firstIndex(of: Self.nameEnd, in: bytes, from: start),
            let lineEnd = firstIndex(of: Self.lineEnd, in: bytes, from: nameEnd + 1)
        {
            body(
                UnsafeRawBufferPointer(rebasing: bytes[start..<nameEnd]),
                UnsafeRawBufferPointer(rebasing: bytes[(nameEnd + 1)..<lineEnd])
            )
            start = lineEnd + 1
        }
    }

    /// Where a byte comes next, at `start` or later.
    package static func firstIndex(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    private static func string(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func safe(_ text: String) -> String {
        let isSafe = text.utf8.allSatisfy { $0 != 0x00 && $0 != 0x0A && $0 != 0x0D }
        if isSafe { return text }
        return String(decoding: text.utf8.map { [0x00, 0x0A, 0x0D].contains($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func isSame(_ lhs: UnsafeRawBufferPointer, _ rhs: String.UTF8View) -> Bool {
        lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { lowercased($0) == lowercased($1) }
    }

    fileprivate static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// A few names of fields, which most fields are not among.
package struct FieldNames: Sendable {
    /// In lower case.
    package let names: [StaticString]
    /// A bit for every length, up to 63, that one of them has.
    private let lengths: UInt64

    /// - Parameter names: at most 63 bytes long, in lower case.
    package init(_ names: [StaticString]) {
        self.names = names
        lengths = names.reduce(0) { $0 | 1 << UInt64($1.utf8CodeUnitCount) }
    }

    package func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        guard lengths >> UInt64(name.count) & 1 == 1 else { return false }
        return names.contains { wanted in
            guard wanted.utf8CodeUnitCount == name.count else { return false }
            return (0..<name.count).allSatisfy { HTTPFields.lowercased(name[$0]) == wanted.utf8Start[$0] }
        }
    }
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
