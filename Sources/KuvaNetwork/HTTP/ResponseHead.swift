internal import FoundationEssentials
internal import Glibc
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
    /// Whether the answer names request fields that it depends on (RFC 9110 §12.5.5).
    private(set) var hasVary = false
    /// Whether there are fields that concern the connection only and are never kept (RFC 9111 §3.1).
    private(set) var hasHopFields = false
    /// Bytes of all heads of this answer so far, interim ones included.
    private(set) var byteCount = 0
    /// The length of the body as it is transferred (RFC 9112 §6.3): unknown if it comes in chunks, or if several
    /// lengths are named that differ.
    private(set) var transferLength = Length.unknown
    /// Whether a content coding changes the body on its way.
    private(set) var isCoded = false
    /// Whether the head has ended.
    private(set) var isEnded = false

    private var lines: [UInt8] = []
    private var isChunked = false
    /// All lengths that were named, but for the first.
    private var furtherLengths: [String] = []
    private var firstLength: String?
    /// Room for what most heads say.
    private static let usualByteCount = 512

    /// The length of the body as it is delivered: known only if no content coding changes it.
    var contentLength: Int64? {
        guard case .bytes(let count) = transferLength, !isCoded else { return nil }
        return count
    }

    /// All fields.
    var fields: HTTPFields { lines.withUnsafeBytes { HTTPFields(stored: $0) } }

    /// Forgets everything, for the next answer; keeps its memory.
    mutating func reset() {
        start(status: 0)
        byteCount = 0
    }

    private mutating func start(status: Int) {
        lines.removeAll(keepingCapacity: true)
        lines.reserveCapacity(Self.usualByteCount)
        furtherLengths = []
        firstLength = nil
        (transferLength, self.status) = (.unknown, status)
        (isCoded, isEnded, isChunked, hasVary, hasHopFields) = (false, false, false, false, false)
    }

    /// Takes one line with its line end.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Line {
        byteCount += bytes.count
        let line = Self.trimmed(bytes, Self.isLineEnd)
        if line.count > 5, line[4] == 0x2F, line.starts(with: "HTTP/".utf8) {
            start(status: Self.status(in: line))
            return .part
        }
        if isEnded { return .trailer }
        if line.isEmpty {
            guard status >= 200 else { return .part }
            isEnded = true
            if !isChunked, let firstLength { transferLength = Self.length(firstLength, furtherLengths) }
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
        guard let colon = HTTPFields.firstIndex(of: 0x3A, in: line, from: 0), !Self.isSpace(line[0]) else {
            // Neither a field nor the start of one: an obsolete folded line (RFC 9112 §5.2) or nonsense.
            return
        }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]), Self.isSpace)
        // What most servers say and what concerns nobody but curl.
        if Self.isSame(name, "Connection"), Self.isSame(value, "keep-alive") || Self.isSame(value, "close") { return }
        note(name, value)
        let start = lines.count
        lines.append(contentsOf: name)
        lines.append(HTTPFields.nameEnd)
        lines.append(contentsOf: value)
        lines.append(HTTPFields.lineEnd)
        guard
            HTTPFields.firstIndex(of: 0, in: line, from: 0) != nil
                || HTTPFields.firstIndex(of: 0x0D, in: line, from: 0) != nil
        else { return }
        // What would end a name or a line early counts as a space (RFC 9110 §5.5).
        for index in start..<(lines.count - 1) where index != start + colon {
            if lines[index] == 0 || lines[index] == 0x0D { lines[index] = 0x20 }
        }
    }

    /// Remembers what must be known of a field before anyone asks for it.
    private mutating func note(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        switch name.count {
        case 4: hasVary = hasVary || Self.isSame(name, "Vary")
        case 14 where Self.isSame(name, "Content-Length"):
            let text = String(decoding: value, as: UTF8.self)
            if firstLength == nil { firstLength = text } else { furtherLengths.append(text) }
        case 16 where Self.isSame(name, "Content-Encoding"):
            isCoded = isCoded || !value.isEmpty && !Self.isSame(value, "identity")
        case 17 where Self.isSame(name, "Transfer-Encoding"): isChunked = true
        default: break
        }
        if !hasHopFields { hasHopFields = StoredResponse.isAboutConnection(name) }
    }

    private func visit(_ name: StaticString, _ body: (UnsafeRawBufferPointer) -> Void) {
        visit { other, value in
            if Self.isSame(other, name) { body(value) }
        }
    }

    private func visit(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        lines.withUnsafeBytes { HTTPFields.forEach($0, body) }
    }

    /// ASCII without regard to case.
    private static func isSame(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
        if memcmp(base, name.utf8Start, bytes.count) == 0 { return true }
        for index in 0..<bytes.count {
            let (left, right) = (bytes[index], name.utf8Start[index])
            if left != right, left | 0x20 != right | 0x20 || !(0x61...0x7A).contains(left | 0x20) { return false }
        }
        return true
    }

    private static func length(_ first: String, _ others: [String]) -> Length {
        if others.isEmpty, let count = Int64(first), count >= 0, first.utf8.first != 0x2B { return .bytes(count) }
        let lengths = Set(([first] + others).flatMap { value in value.split { $0 == "," || $0 == " " } })
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

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The bytes without those at both ends that `isUnwanted` names.
    private static func trimmed(
        _ bytes: UnsafeRawBufferPointer,
        _ isUnwanted: (UInt8) -> Bool
    ) -> UnsafeRawBufferPointer {
        var (start, end) = (0, bytes.count)
        while end > start, isUnwanted(bytes[end - 1]) { end -= 1 }
        while start < end, isUnwanted(bytes[start]) { start += 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }
}
