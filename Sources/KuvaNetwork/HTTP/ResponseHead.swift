internal import FoundationEssentials
internal import KuvaCore

/// Reads the head of an answer line by line, as curl hands the lines over.
struct ResponseHead: Sendable {
    /// What a line turned out to be.
    enum Line: Equatable {
        /// Part of a head that goes on.
        case part
        /// The end of the final head; interim answers (RFC 9110 §15.2) do not count.
        case end
        /// A trailer field after the body (RFC 9110 §6.5), which is ignored.
        case trailer
    }

    /// How long the server says that the body is.
    enum Length: Equatable {
        case unknown
        case bytes(Int64)
        /// More than can be counted.
        case uncountable
    }

    private(set) var status = 0
    private(set) var fields = HTTPFields()
    /// Bytes of all heads of this answer so far, interim ones included.
    private(set) var byteCount = 0
    private var isEnded = false

    /// Takes one line with its line end.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Line {
        byteCount += bytes.count
        let line = bytes[..<(bytes.lastIndex { $0 != 0x0D && $0 != 0x0A }.map { $0 + 1 } ?? 0)]
        if line.starts(with: "HTTP/".utf8) {
            status = Self.status(in: line)
            fields = HTTPFields()
            isEnded = false
            return .part
        }
        if isEnded { return .trailer }
        if line.isEmpty {
            isEnded = true
            return status >= 200 ? .end : .part
        }
        append(line)
        return .part
    }

    /// The length of the body as it is transferred (RFC 9112 §6.3): nothing if it comes in chunks, or if several
    /// lengths are named that differ.
    var transferLength: Length {
        guard fields["Transfer-Encoding"] == nil else { return .unknown }
        let names = Set(fields.values(of: "Content-Length").flatMap { $0.split(separator: ",") }.map(Self.trimmed))
        guard names.count == 1, let digits = names.first, !digits.isEmpty, digits.utf8.allSatisfy(Self.isDigit) else {
            return .unknown
        }
        return Int64(digits).map { .bytes($0) } ?? .uncountable
    }

    /// The length of the body as it is delivered: known only if no content coding changes it.
    var contentLength: Int64? {
        guard case .bytes(let count) = transferLength else { return nil }
        let coding = fields["Content-Encoding"].map { $0.lowercased() } ?? "identity"
        return coding == "identity" ? count : nil
    }

    private mutating func append(_ line: Slice<UnsafeRawBufferPointer>) {
        guard let first = line.first, let colon = line.firstIndex(of: 0x3A), first != 0x20, first != 0x09 else {
            // Neither a field nor the start of one: an obsolete folded line (RFC 9112 §5.2) or nonsense.
            return
        }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        fields.append(name: name, value: Self.trimmed(line[(colon + 1)...]))
    }

    private static func status(in line: Slice<UnsafeRawBufferPointer>) -> Int {
        let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix(while: isDigit).prefix(4)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes = bytes.dropLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
