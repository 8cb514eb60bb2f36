public import FoundationEssentials

extension ImageError {
    /// The text of a URL without what must not reach a log: a user and password before the host are always left out,
    /// and in the query and the fragment the value of each parameter whose name tells of a secret is replaced by `…`.
    ///
    /// Names that tell of one contain, in any case, one of: `token`, `secret`, `password`, `passwd`, `signature`,
    /// `credential`, `session`, `auth`, `api_key`, `api-key`, `apikey`; or are `sig`, `key`, `pwd`, `pass`, `jwt`,
    /// `code` or `sid`. Secrets in paths are not found.
    public static func redacted(_ url: URL) -> String {
        let bytes = Array(url.absoluteString.utf8)
        let rest = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
        return String(decoding: withoutUser(bytes[..<rest]) + withoutSecrets(bytes[rest...]), as: UTF8.self)
    }

    /// Takes off what stands between `//` and the last `@` before the path.
    private static func withoutUser(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(colon + 1)...].prefix(2) == [slash, slash]
        else {
            return Array(bytes)
        }
        let start = colon + 3
        let end = bytes[start...].firstIndex(of: slash) ?? bytes.endIndex
        guard let mark = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return Array(bytes) }
        return Array(bytes[..<start] + bytes[(mark + 1)...])
    }

    private static func withoutSecrets(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.dropFirst().firstIndex { separators.contains($0) } ?? rest.endIndex
            let parameter = rest[..<end]
            let sign = parameter.firstIndex(of: UInt8(ascii: "="))
            if let sign, namesSecret(parameter[(parameter.startIndex + 1)..<sign]) {
                result += parameter[...sign] + Array("…".utf8)
            } else {
                result += parameter
            }
            rest = rest[end...]
        }
        return result
    }

    private static func namesSecret(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: unescaped(bytes), as: UTF8.self).lowercased()
        return secretNames.contains(name) || secretParts.contains { name.contains($0) }
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static let separators = Array("?#&;".utf8)
    private static let secretNames: Set<String> = ["sig", "key", "pwd", "pass", "jwt", "code", "sid"]
    private static let secretParts = [
        "token", "secret", "password", "passwd", "signature", "credential", "session", "auth", "api_key", "api-key",
        "apikey",
    ]
}
