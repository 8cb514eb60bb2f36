import KuvaCore
import KuvaPipeline

/// What the window says in words.
enum Words {
    /// `1 picture`, `24 pictures`.
    static func pictures(_ count: Int) -> String { count == 1 ? "1 picture" : "\(count) pictures" }

    /// `812 bytes`, `340 kB`, `12.3 MB`; decimal, as GNOME writes sizes.
    static func bytes(_ count: Int) -> String {
        if count < 1_000 { return count == 1 ? "1 byte" : "\(count) bytes" }
        if count < 1_000_000 { return "\((count + 500) / 1_000) kB" }
        let tenths = (count + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
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
        .unsupportedScheme: "Unknown kind of URL",
        .hostNotFound: "No such server",
        .cannotConnect: "Server not reachable",
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
        .failedBefore: "Failed a moment ago",
    ]
}
