internal import FoundationEssentials

/// The parts of a web address that a load goes by, read once from its text.
struct WebAddress: Hashable, Sendable {
    /// The whole address without its fragment, which is never sent.
    let text: String
    /// Scheme, host and port in lower case: what credentials belong to (RFC 9110 §4.3.1).
    let origin: String
    /// Whether the scheme is https.
    let isSecure: Bool

    /// `nil` if the address names no host.
    init?(_ url: URL) {
        let whole = url.absoluteString
        let bytes = whole.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        text = end == bytes.endIndex ? whole : String(whole[..<end])
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = bytes[bytes.index(after: colon)..<end]
        guard rest.starts(with: "//".utf8) else { return nil }
        var authority = rest.dropFirst(2).prefix { !"/?".utf8.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[at...].dropFirst() }
        guard !authority.isEmpty, authority.first != UInt8(ascii: ":") else { return nil }
        let scheme = String(whole[..<colon]).lowercased()
        isSecure = scheme == "https"
        // A colon after the last bracket: those of an IPv6 address stand inside brackets.
        let afterBracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        let hasPort = authority[afterBracket...].contains(UInt8(ascii: ":"))
        let host = String(Substring(authority)).lowercased()
        origin = "\(scheme)://\(host)\(hasPort ? "" : isSecure ? ":443" : ":80")"
    }

    /// The host with its port, and the host alone.
    var hostNames: [String] {
        let authority = origin.drop { $0 != "/" }.dropFirst(2)
        let host = authority.lastIndex(of: ":").map { authority[..<$0] } ?? authority
        let bare = host.hasPrefix("[") ? host.dropFirst().dropLast() : host
        return [String(authority), String(host), String(bare)]
    }
}
