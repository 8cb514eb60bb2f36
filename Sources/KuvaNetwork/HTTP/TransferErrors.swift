internal import FoundationEssentials
internal import KuvaCore

/// Errors about the way to a server and back.
enum TransferErrors {
    /// What kind of waiting took too long.
    enum Wait: Equatable, Sendable {
        case connect(Duration)
        case firstByte(Duration)
        case idle(Duration)
        case total(Duration)
        /// So few bytes a second, over so long a time.
        case slow(Int, Duration)
    }

    static func error(for wait: Wait, url: URL, received: Int64 = 0) -> ImageError {
        let so = received > 0 ? " after \(received) bytes" : ""
        let (what, property) =
            switch wait {
            case .connect(let limit): ("made no connection within \(limit)", "connectTimeout")
            case .firstByte(let limit): ("sent nothing for \(limit)", "firstByteTimeout")
            case .slow(let speed, let window):
                ("sent less than \(speed) bytes a second over \(window)\(so)", "minimumSpeed")
            case .idle(let limit): ("sent nothing for \(limit)\(so)", "idleTimeout")
            case .total(let limit): ("did not send the whole body within \(limit)", "totalTimeout")
            }
        var code = ImageError.Code.timedOut
        if case .slow = wait { code = .tooSlow }
        return ImageError(
            code,
            "\(host(url)) \(what)",
            advice: "try again later, or \(code == .tooSlow ? "lower" : "raise") \(property) in the configuration"
        )
    }

    static func error(
        for failure: CurlFailure,
        url: URL,
        received: Int64 = 0,
        expected: Int64? = nil
    ) -> ImageError {
        let (code, message, advice) = parts(of: failure, url: url, received: received, expected: expected)
        return ImageError(code, message, advice: advice, cause: failure)
    }

    private typealias Parts = (ImageError.Code, message: String, advice: String)

    private static func parts(of failure: CurlFailure, url: URL, received: Int64, expected: Int64?) -> Parts {
        let host = host(url)
        let checkNetwork = "check the address and the network connection"
        switch failure.kind {
        case .badURL:
            return (.invalidURL, "the address cannot be used: \(failure.text)", "check the address")
        case .hostNotFound:
            return (.hostNotFound, "there is no host named “\(url.host() ?? "")”", checkNetwork)
        case .proxyNotFound:
            return (.hostNotFound, "the proxy's host cannot be found", "check the proxy settings of the environment")
        case .cannotConnect:
            return (.cannotConnect, "\(host) accepts no connection", "check that the server runs and can be reached")
        case .proxyFailed:
            return (
                .cannotConnect, "the proxy did not connect to \(host)", "check the proxy settings of the environment"
            )
        case .timedOut:
            return (.timedOut, "\(host) took too long to answer", "try again later")
        case .tlsHandshake:
            return (
                .tlsFailed, "no secure connection to \(host) could be made\(words(failure))",
                "check that the server speaks https on this port"
            )
        case .tlsUntrusted:
            return (
                .tlsFailed, "the certificate of \(host) is not trusted\(words(failure))",
                "check the machine's date, the address and the installed certificate authorities"
            )
        case .tlsLocal:
            return (
                .tlsFailed, "certificates on this machine cannot be used\(words(failure))",
                "install the package ca-certificates or check the configured files"
            )
        case .connectionLost:
            let whole = expected.map { " of \($0)" } ?? ""
            return (.connectionLost, "the connection to \(host) broke after \(received)\(whole) bytes", "try again")
        case .streamEnded:
            return (.networkCancelled, "\(host) gave up the transfer after \(received) bytes", "try again")
        case .noAnswer:
            return (.connectionLost, "\(host) closed the connection without an answer", "try again")
        case .badAnswer:
            return (.transferFailed, "\(host) answered with something that is not HTTP\(words(failure))", checkNetwork)
        case .badEncoding:
            return (.transferFailed, "the answer of \(host) is wrongly compressed", "tell the server's owner")
        case .tooLarge:
            return (.bodyTooLarge, "the body is longer than can be counted", "tell the server's owner")
        case .outOfMemory:
            return (.outOfMemory, "the system gave no memory for a transfer", "load fewer pictures at once")
        case .stopped, .other:
            return (.transferFailed, "the transfer from \(host) failed\(words(failure))", checkNetwork)
        }
    }

    private static func words(_ failure: CurlFailure) -> String {
        failure.text.isEmpty ? "" : " (\(failure.text))"
    }

    private static func host(_ url: URL) -> String {
        guard let host = url.host() else { return "the server" }
        return url.port.map { "\(host):\($0)" } ?? host
    }
}
