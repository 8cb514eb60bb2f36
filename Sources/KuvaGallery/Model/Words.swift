import KuvaCore
import KuvaPipeline

/// What the window says in words.
enum Words {
    /// `1 picture`, `24 pictures`.
    static func pictures(_ count: Int) -> String { count == 1 ? "1 picture" : "\(count) pictures" }

    /// `812 bytes`, `340 kB`, `12.3 MB`, `2.1 GB`; decimal, as GNOME writes sizes.
    static func bytes(_ count: Int) -> String {
        if count < 1_000 { return count == 1 ? "1 byte" : "\(count) bytes" }
        if count < 1_000_000 { return "\((count + 500) / 1_000) kB" }
        if count >= 1_000_000_000 { return "\(tenths(Double(count) / 1e9)) GB" }
        let tenths = (count + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }

    /// `8.1 ms`, `1.4 s`.
    static func time(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        if milliseconds >= 1_000 { return "\(tenths(milliseconds / 1_000)) s" }
        return milliseconds >= 100 ? "\(Int(milliseconds.rounded())) ms" : "\(tenths(milliseconds)) ms"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `73 %`.
    static func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }

    /// How long the steps of a load took.
    static func timings(_ timings: ImageResponse.Timings) -> String {
        var parts: [String] = []
        if timings.fetch > .zero { parts.append("\(time(timings.fetch)) to fetch") }
        if timings.decode > .zero { parts.append("\(time(timings.decode)) to decode") }
        return parts.isEmpty ? time(timings.total) : parts.joined(separator: ", ")
    }

    /// What happened and what to do, as sentences.
    static func sentence(_ error: ImageError) -> String {
        [error.message, error.advice].filter { !$0.isEmpty }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
            .joined(separator: " ")
    }

    /// The icon for a reason.
    static func icon(_ error: ImageError) -> String {
        switch error.code {
        case .notInCache, .hostNotFound, .cannotConnect, .connectionLost, .timedOut: "network-offline-symbolic"
        case .permissionDenied: "changes-prevent-symbolic"
        default: "image-missing-symbolic"
        }
    }

    /// Whether trying again may help.
    static func isWorthRetrying(_ error: ImageError) -> Bool {
        ![.invalidURL, .unsupportedScheme, .notInCache, .unsupportedFormat, .notAnImage, .corruptImage]
            .contains(error.code)
    }

    /// Where a picture was found, in one word or two.
    static func origin(_ origin: ImageResponse.Origin) -> String {
        switch origin {
        case .network: "Network"
        case .disk: "Disk cache"
        case .memory: "Memory"
        case .local: "This computer"
        }
    }

    /// What has come from where: `18 from the network, 6 from disk`.
    static func origins(_ origins: [ImageResponse.Origin: Int]) -> String {
        let names: [(ImageResponse.Origin, String)] = [
            (.network, "from the network"), (.disk, "from disk"), (.memory, "from memory"),
            (.local, "from this computer"),
        ]
        return names.compactMap { origin, name in origins[origin].map { "\($0) \(name)" } }.joined(separator: ", ")
    }

    /// Why a picture did not come, in two or three words for its cell.
    static func shortReason(_ error: ImageError) -> String {
        if error.code == .httpStatus, let status = error.httpStatus {
            switch status {
            case 401, 403: return "Not allowed"
            case 404, 410: return "Not found"
            case 429: return "Too many requests"
            case 500...: return "Server error \(status)"
            default: return "Server says \(status)"
            }
        }
        return reasons[error.code] ?? "Cannot be loaded"
    }

    private static let reasons: [ImageError.Code: String] = [
        .invalidURL: "Not a URL",
        .notInCache: "Not in the cache",
        .unsupportedScheme: "Unknown kind of URL",
        .hostNotFound: "No such server",
        .cannotConnect: "No connection",
        .connectionLost: "Connection lost",
        .timedOut: "Took too long",
        .tlsFailed: "Not secure",
        .tooManyRedirects: "Sent in circles",
        .bodyTooLarge: "File too large",
        .emptyBody: "Empty file",
        .fileNotFound: "No such file",
        .permissionDenied: "Not allowed",
        .notAnImage: "Not a picture",
        .unsupportedFormat: "Unknown format",
        .corruptImage: "Damaged picture",
        .truncatedImage: "Cut off",
        .limitExceeded: "Picture too large",
        .outOfMemory: "Out of memory",
        .failedBefore: "Failed just now",
    ]
}
