internal import FoundationEssentials
internal import KuvaCore

/// Decides whether and where a redirect leads (RFC 9110 §15.4).
struct RedirectRule: Sendable {
    /// How many redirects one load may follow.
    let maximumCount: Int
    /// Whether https may lead to http.
    let allowsInsecure: Bool

    private let start: URL
    /// Where the redirects led so far; the start is not among them, so that a load without any costs nothing.
    private var visited: Set<String> = []
    private var count = 0

    init(from url: URL, maximumCount: Int, allowsInsecure: Bool = false) {
        self.maximumCount = maximumCount
        self.allowsInsecure = allowsInsecure
        start = url
    }

    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The URL to go to.
    ///
    /// - Throws: ``ImageError`` with the code `too-many-redirects` past the limit or in a circle, `insecure-redirect`
    ///   from https to http, and `unsupported-scheme` or `invalid-url` for what is no address on the web.
    mutating func follow(_ location: String, from url: URL, status: Int) throws(ImageError) -> URL {
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL, let scheme = target.scheme else {
            throw Self.error(.invalidURL, "redirects to “\(location)”, which is no address", status)
        }
        switch scheme.lowercased() {
        case "https": break
        case "http" where allowsInsecure || url.scheme?.lowercased() == "http": break
        case "http": throw Self.error(.insecureRedirect, "redirects from https to the unprotected \(target)", status)
        default: throw Self.error(.unsupportedScheme, "redirects to \(target), which is not on the web", status)
        }
        guard let host = target.host(), !host.isEmpty else {
            throw Self.error(.invalidURL, "redirects to “\(location)”, which names no host", status)
        }
        count += 1
        guard count <= maximumCount else {
            throw Self.error(.tooManyRedirects, "redirects more than \(maximumCount) times", status)
        }
        let next = Self.keepingCredentials(of: url, in: target)
        let identity = Self.identity(next)
        guard identity != Self.identity(start), visited.insert(identity).inserted else {
            throw Self.error(.tooManyRedirects, "redirects in a circle, back to \(target)", status)
        }
        return next
    }

    /// Scheme, host and port, what credentials belong to (RFC 9110 §4.3.1).
    static func origin(_ url: URL) -> String {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(url.host()?.lowercased() ?? ""):\(port)"
    }

    /// The target with the user and password of the URL that led to it, if it is at the same origin and names none.
    private static func keepingCredentials(of url: URL, in target: URL) -> URL {
        guard target.user() == nil, url.user() != nil, origin(url) == origin(target),
            let old = URLComponents(url: url, resolvingAgainstBaseURL: true),
            var new = URLComponents(url: target, resolvingAgainstBaseURL: true)
        else { return target }
        new.percentEncodedUser = old.percentEncodedUser
        new.percentEncodedPassword = old.percentEncodedPassword
        return new.url ?? target
    }

    /// What makes two addresses the same request: everything but the fragment.
    private static func identity(_ url: URL) -> String {
        String(url.absoluteString.prefix { $0 != "#" })
    }

    private static func error(_ code: ImageError.Code, _ what: String, _ status: Int) -> ImageError {
        ImageError(
            code,
            "the server \(what)",
            advice: "use the picture's final address, or tell the server's owner",
            httpStatus: status
        )
    }
}
