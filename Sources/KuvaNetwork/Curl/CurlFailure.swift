internal import CKuvaCurl

/// How libcurl says that something failed; the cause underneath an ``ImageError``.
struct CurlFailure: Error, Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case badURL, hostNotFound, proxyNotFound, cannotConnect, proxyFailed, timedOut
        case tlsHandshake, tlsUntrusted, tlsLocal
        case connectionLost, streamEnded, noAnswer, badAnswer, badEncoding, tooLarge
        /// One of our own callbacks asked for it.
        case stopped
        case outOfMemory, other
    }

    var kind: Kind
    /// curl's own number (`CURLcode`); 0 where there is none.
    var code: Int32
    /// curl's own words.
    var text: String

    init(_ kind: Kind, code: Int32 = 0, text: String = "") {
        self.kind = kind
        self.code = code
        self.text = text
    }

    /// `nil` for success.
    init?(status: Int32, code: Int32 = 0, text: @autoclosure () -> String = "") {
        guard status != 0 else { return nil }
        self.init(Self.kind(status), code: code, text: text())
    }

    var description: String { text.isEmpty ? "curl error \(code)" : "curl error \(code): \(text)" }

    private static func kind(_ status: Int32) -> Kind {
        switch kuva_curl_failure(UInt32(bitPattern: status)) {
        case KUVA_CURL_BAD_URL: .badURL
        case KUVA_CURL_HOST_NOT_FOUND: .hostNotFound
        case KUVA_CURL_PROXY_NOT_FOUND: .proxyNotFound
        case KUVA_CURL_CANNOT_CONNECT: .cannotConnect
        case KUVA_CURL_PROXY_FAILED: .proxyFailed
        case KUVA_CURL_TIMED_OUT: .timedOut
        case KUVA_CURL_TLS_HANDSHAKE: .tlsHandshake
        case KUVA_CURL_TLS_UNTRUSTED: .tlsUntrusted
        case KUVA_CURL_TLS_LOCAL: .tlsLocal
        case KUVA_CURL_CONNECTION_LOST: .connectionLost
        case KUVA_CURL_STREAM_ENDED: .streamEnded
        case KUVA_CURL_NO_ANSWER: .noAnswer
        case KUVA_CURL_BAD_ANSWER: .badAnswer
        case KUVA_CURL_BAD_ENCODING: .badEncoding
        case KUVA_CURL_TOO_LARGE: .tooLarge
        case KUVA_CURL_STOPPED: .stopped
        case KUVA_CURL_OUT_OF_MEMORY: .outOfMemory
        default: .other
        }
    }
}
