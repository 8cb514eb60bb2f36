internal import FoundationEssentials
internal import KuvaCore

/// Reads the head of an answer line by line, as curl hands the lines over.
///
/// The lines are kept as bytes in the form in which ``HTTPFields`` stores them; what a load must know is searched there,
/// and nothing else is taken apart.
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
    /// Bytes of all heads of this answer so far, interim ones included.
    private(set) var byteCount = 0
    /// The length of the body as it is transferred (RFC 9112 §6.3): unknown if it comes in chunks, or if several
    /// lengths are named that differ. Known from the end of the head.
    private(set) var transferLength = Length.unknown
    /// Whether a content coding changes the body on its way. Known from the end of the head.
    private(set) var isCoded = false
    /// Whether the head has ended.
    private(set) var isEnded = false

    private var lines: [UInt8] = []

    /// The length of the body as it is delivered: known only if no content coding changes it.
    var contentLength: Int64? {
        guard case .bytes(let count) = transferLength, !isCoded else { return nil }
        return count
    }

    /// All fields.
    var fields: HTTPFields { lines.withUnsafeBytes { HTTPFields(stored: $0) } }

    /// Forgets everything, for the next answer; keeps its memory.
    mutating func reset() {
        lines.removeAll(keepingCapacity: true)
        (status, byteCount, transferLength, isCoded, isEnded) = (0, 0, .unknown, false, false)
    }

    /// Takes one line with its line end.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Line {
        byteCount += bytes.count
        let line = Self.trimmed(bytes) { $0 == 0x0D || $0 == 0x0A }
        if line.starts(with: "HTTP/".utf8) {
            status = Self.status(in: line)
            lines.removeAll(keepingCapacity: true)
            isEnded = false
            return .part
        }
        if isEnded { return .trailer }
        if line.isEmpty {
            guard status >= 200 else { return .part }
            isEnded = true
            measure()
            return .end
        }
        append(line)
        return .part
    }

    /// The value of the first line with this name.
    func first(_ name: StaticString) -> String? {
        var found: String?
        visit(name) { bytes in
            if found == nil { found = String(decoding: bytes, as: UTF8.self) }
        }
        return found
    }

    private mutating func append(_ line: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: 0x3A), !Self.isSpace(line[0]) else {
            // Neither a field nor the start of one: an obsolete folded line (RFC 9112 §5.2) or nonsense.
            return
        }
        let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]), Self.isSpace)
        let start = lines.count
        lines.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[..<colon]))
        let nameEnd = lines.count
        lines.append(HTTPFields.nameEnd)
        lines.append(contentsOf: value)
        // What would end a name or a line early counts as a space (RFC 9110 §5.5).
        for index in start..<lines.count where index != nameEnd && (lines[index] == 0 || lines[index] == 0x0D) {
            lines[index] = 0x20
        }
        lines.append(HTTPFields.lineEnd)
    }

    private mutating func measure() {
        isCoded = false
        transferLength = .unknown
        var lengths: [String] = []
        var isChunked = false
        visit("Content-Length") { lengths.append(String(decoding: $0, as: UTF8.self)) }
        visit("Transfer-Encoding") { _ in isChunked = true }
        if !isChunked { transferLength = Self.length(lengths) }
        var coded = false
        visit("Content-Encoding") { bytes in
            coded = coded || !bytes.isEmpty && !Self.isSame(bytes, "identity")
        }
        isCoded = coded
    }

    private func visit(_ name: StaticString, _ body: (UnsafeRawBufferPointer) -> Void) {
        lines.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                // Each line has its name end and its line end, or it would not have been appended.
                var nameEnd = start
                while bytes[nameEnd] != HTTPFields.nameEnd { nameEnd += 1 }
                var lineEnd = nameEnd + 1
                while bytes[lineEnd] != HTTPFields.lineEnd { lineEnd += 1 }
                if Self.isSame(UnsafeRawBufferPointer(rebasing: bytes[start..<nameEnd]), name) {
                    body(UnsafeRawBufferPointer(rebasing: bytes[(nameEnd + 1)..<lineEnd]))
                }
                start = lineEnd + 1
            }
        }
    }

    /// ASCII without regard to case.
    private static func isSame(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count {
            let (left, right) = (bytes[index], name.utf8Start[index])
            if left != right, left | 0x20 != right | 0x20 || !(0x61...0x7A).contains(left | 0x20) { return false }
        }
        return true
    }

    private static func length(_ values: [String]) -> Length {
        if values.count == 1, let count = Int64(values[0]), count >= 0, values[0].utf8.first != 0x2B {
            return .bytes(count)
        }
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
