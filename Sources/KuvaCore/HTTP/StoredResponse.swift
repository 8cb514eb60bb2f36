public import FoundationEssentials

/// What a server said about a body, kept beside it, so that a later load can judge its freshness (RFC 9111 §3, §4).
///
/// The downloader makes and reads it, the disk cache keeps it, and neither knows the other.
public struct StoredResponse: Hashable, Sendable, Codable {
    /// The URL that answered, after redirects.
    public var url: URL
    /// The HTTP status code.
    public var status: Int
    /// The header fields of the answer.
    public var fields: HTTPFields
    /// Those fields of the request that the answer's `Vary` names, as they were sent (RFC 9111 §4.1); most often none.
    public var selectingFields: HTTPFields
    /// When the request was sent.
    public var requestTime: Date
    /// When the answer's header came.
    public var responseTime: Date

    /// Makes a description; see the properties.
    public init(
        url: URL,
        status: Int,
        fields: HTTPFields,
        selectingFields: HTTPFields = HTTPFields(),
        requestTime: Date,
        responseTime: Date
    ) {
        self.url = url
        self.status = status
        self.fields = fields
        self.selectingFields = selectingFields
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    /// The media type without parameters, in lower case, such as `image/jpeg`; `nil` if the server did not say. Of
    /// several fields the last counts, as in browsers (WHATWG Fetch, "extract a MIME type").
    public var mediaType: String? {
        guard let value = fields.values(of: "Content-Type").last else { return nil }
        let type = value.prefix { $0 != ";" }.drop(while: \.isWhitespace)
        let end = type.lastIndex { !$0.isWhitespace }.map(type.index(after:))
        return end.map { type[..<$0].lowercased() }
    }
}
