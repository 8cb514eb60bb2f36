internal import FoundationEssentials
internal import KuvaCore

/// Reads `data:` URLs (RFC 2397).
enum DataURL {
    /// The bytes in a URL.
    ///
    /// - Throws: ``ImageError`` with the codes `invalid-url`, `body-too-large` and `empty-body`.
    static func bytes(of url: URL, limit: Int64) throws(ImageError) -> Data {
        let text = url.absoluteString.utf8
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
            let comma = text[colon...].firstIndex(of: UInt8(ascii: ","))
        else { throw invalid("has no comma before its data") }
        let head = String(Substring(text[colon..<comma])).lowercased().filter { $0 != " " }
        let data = text[text.index(after: comma)...].prefix { $0 != UInt8(ascii: "#") }
        let isBase64 = head.hasSuffix(";base64")
        guard Int64(data.count) <= (isBase64 ? limit / 3 * 4 + 4 : limit) + 3 * limit / 2 else {
            throw AnswerErrors.bodyTooLarge(limit: limit, length: nil)
        }
        guard let plain = undoPercent(data) else { throw invalid("has a broken percent sign in its data") }
        var bytes = plain
        if isBase64 {
            let digits = plain.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            guard let decoded = Data(base64Encoded: padded(digits)) else { throw invalid("is not base64") }
            bytes = decoded
        }
        guard Int64(bytes.count) <= limit else {
            throw AnswerErrors.bodyTooLarge(limit: limit, length: Int64(bytes.count))
        }
        guard !bytes.isEmpty else {
            throw ImageError(.emptyBody, "the data: address has no data", advice: "check where the address comes from")
        }
        return bytes
    }

    /// The end of base64 may leave its padding out, as browsers take it (WHATWG Infra, forgiving-base64 decode).
    private static func padded(_ digits: Data) -> Data {
        guard digits.count % 4 != 0, !digits.contains(UInt8(ascii: "=")) else { return digits }
        return digits + Data(repeating: UInt8(ascii: "="), count: 4 - digits.count % 4)
    }

    private static func undoPercent(_ bytes: some Sequence<UInt8>) -> Data? {
        var result = Data()
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
                return nil
            }
            result.append(high << 4 | low)
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func invalid(_ what: String) -> ImageError {
        ImageError(
            .invalidURL,
            "the data: address \(what)",
            advice: "write it as data:image/png;base64,… (RFC 2397)"
        )
    }
}
