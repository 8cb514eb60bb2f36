public import FoundationEssentials

/// What a loader is asked to fetch.
public struct LoadRequest: Sendable {
    /// Where the bytes are.
    public var url: URL
    /// How soon they are wanted.
    public var priority: Priority
    /// Whether the bytes are wanted as they come, in ``LoadEvent/bytes(_:)``, besides the whole body at the end.
    public var wantsBytes: Bool

    /// The HTTP method; `GET` by default.
    public var method = "GET"
    /// Header fields for this request, in place of the loader's own ones of the same name. `Authorization` and `Cookie`
    /// go to the host of ``url`` only, never to one that a redirect leads to.
    public var headers = HTTPFields()
    /// The body of the request; none by default.
    public var body: Data?
    /// Who asks, for servers that want to know; in place of what the loader knows for the host.
    public var credential: Credential?
    /// Whether cookies are kept and sent; `false` by default.
    public var handlesCookies = false

    /// How far the load follows what servers say about caching; cached means cached by default.
    public var cachePolicy = HTTPCachePolicy.cached
    /// What the server said about bytes that the caller has: the loader asks for news only, and the end may be
    /// ``LoadedData/isNotModified``.
    public var known: StoredResponse?

    /// Other places of the same bytes, asked in order when ``url`` fails for good.
    public var alternatives: [URL] = []
    /// Whether the program is held open until the load ends; `false` by default. See ``BackgroundHold``.
    public var continuesInBackground = false

    /// Changes the request before it goes out; after the loader's own modifier.
    public var requestModifier: RequestModifier?
    /// Changes, or refuses, what the server said; in place of the loader's own modifier.
    public var responseModifier: ResponseModifier?
    /// Turns the body into the picture's bytes, by decryption, say; in place of the loader's own. Such a load sends no
    /// bytes before its end.
    public var bodyTransformer: BodyTransformer?

    /// Makes a request; the rest is set through the properties.
    public init(url: URL, priority: Priority = .normal, wantsBytes: Bool = false) {
        self.url = url
        self.priority = priority
        self.wantsBytes = wantsBytes
    }
}

/// Who asks, for servers that want to know.
public enum Credential: Hashable, Sendable {
    /// Name and password, as the server asks for it: digest where it is offered (RFC 7616), else basic (RFC 7617).
    case password(user: String, password: String)
    /// Name and password by the basic scheme, sent with the first request already.
    case basic(user: String, password: String)
    /// Name and password by the digest scheme, and by no other.
    case digest(user: String, password: String)
    /// A bearer token (RFC 6750).
    case bearer(String)
}
