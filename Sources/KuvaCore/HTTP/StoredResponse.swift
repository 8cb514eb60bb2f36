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
    /// When the request was sent.
    public var requestTime: Date
    /// When the answer's header came.
    public var responseTime: Date

    /// Makes a description; see the properties.
    public init(url: URL, status: Int, fields: HTTPFields, requestTime: Date, responseTime: Date) {
        self.url = url
        self.status = status
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    /// The media type without parameters, in lower case, such as `image/jpeg`; `nil` if the server did not say.
    public var mediaType: String? {
        guard let value = fields["Content-Type"]?.split(separator: ";").first else { return nil }
        return value.lowercased().trimmingCharacters(while: \.isWhitespace)
    }
}

extension String {
    fileprivate func trimmingCharacters(while predicate: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, predicate(last) { text = text.dropLast() }
        return String(text.drop(while: predicate))
    }
}
