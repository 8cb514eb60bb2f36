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
    /// The length of the body as it is transferred (RFC 9112 §6.3): unknown if it comes in chunks, or if several
    /// lengths are named that differ. Known from the end of the head.
    private(set) var transferLength = Length.unknown
    /// The length of the body as it is delivered: known only if no content coding changes it.
    private(set) var contentLength: Int64?
    private var isEnded = false

    /// Takes one line with its line end.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Line {
        byteCount += bytes.count
        let line = Self.trimmed(bytes) { $0 == 0x0D || $0 == 0x0A }
        if line.starts(with: "HTTP/".utf8) {
            status = Self.status(in: line)
            fields = HTTPFields()
            isEnded = false
            return .part
        }
        if isEnded { return .trailer }
        if line.isEmpty {
            isEnded = true
            guard status >= 200 else { return .part }
            measure()
            return .end
        }
        append(line)
        return .part
    }

    private mutating func append(_ line: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: 0x3A), !Self.isSpace(line[0]) else {
            // Neither a field nor the start of one: an obsolete folded line (RFC 9112 §5.2) or nonsense.
            return
        }
        let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]), Self.isSpace)
        fields.append(
            name: String(decoding: UnsafeRawBufferPointer(rebasing: line[..<colon]), as: UTF8.self),
            value: String(decoding: value, as: UTF8.self)
        )
    }

    private mutating func measure() {
        transferLength =
            fields["Transfer-Encoding"] == nil ? Self.length(fields.values(of: "Content-Length")) : .unknown
        contentLength = nil
        guard case .bytes(let count) = transferLength else { return }
        let coding = fields["Content-Encoding"]?.lowercased() ?? "identity"
        if coding == "identity" { contentLength = count }
    }

    private static func length(_ values: [String]) -> Length {
        let lengths = Set(values.flatMap { value in value.split { $0 == "," || $0 == " " } })
        guard lengths.count == 1, let digits = lengths.first, !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else {
            return .unknown
        }
        return Int64(digits).map { .bytes($0) } ?? .uncountable
    }

    private static func status(in line: UnsafeRawBufferPointer) -> Int {
        let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix(while: isDigit).prefix(4)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The bytes without those at both ends that `isUnwanted` names.
    private static func trimmed(
        _ bytes: UnsafeRawBufferPointer,
        _ isUnwanted: (UInt8) -> Bool
    ) -> UnsafeRawBufferPointer {
        guard let first = bytes.firstIndex(where: { !isUnwanted($0) }),
            let last = bytes.lastIndex(where: { !isUnwanted($0) })
        else { return UnsafeRawBufferPointer(rebasing: bytes[..<0]) }
        return UnsafeRawBufferPointer(rebasing: bytes[first...last])
    }
}
