public import FoundationEssentials

/// Changes requests before they go out: signs them, adds a token that must be fetched first, and the like.
public struct RequestModifier: Sendable {
    /// Two modifiers with the same name do the same, so that loads with them can share one transfer; loads with a
    /// modifier without a name share none.
    public let name: String?

    private let change: @Sendable (LoadRequest) async throws -> LoadRequest

    /// Makes a modifier from a function, which runs on Swift's cooperative pool. What it throws ends the load with the
    /// code `request-modifier-failed` and the thrown error as cause, or with the thrown ``ImageError``.
    public init(name: String? = nil, _ change: @escaping @Sendable (LoadRequest) async throws -> LoadRequest) {
        self.name = name
        self.change = change
    }

    /// Sets a method, header fields and a body, as far as they are given.
    public static func setting(
        method: String? = nil,
        headers: HTTPFields = HTTPFields(),
        body: Data? = nil,
        name: String? = nil
    ) -> RequestModifier {
        RequestModifier(name: name) { request in
            var request = request
            if let method { request.method = method }
            for field in headers.fields { request.headers[field.name] = field.value }
            if let body { request.body = body }
            return request
        }
    }

    /// The changed request.
    public func modified(_ request: LoadRequest) async throws -> LoadRequest { try await change(request) }
}

/// Changes, or refuses, what a server said before its body is taken. Runs on a thread that all loads share, so it must
/// return soon.
public struct ResponseModifier: Sendable {
    /// As ``RequestModifier/name``.
    public let name: String?

    private let change: @Sendable (StoredResponse) throws -> StoredResponse

    /// Makes a modifier from a function. What it throws ends the load with the code `response-refused` and the thrown
    /// error as cause, or with the thrown ``ImageError``.
    public init(name: String? = nil, _ change: @escaping @Sendable (StoredResponse) throws -> StoredResponse) {
        self.name = name
        self.change = change
    }

    /// Sets a status and header fields, as far as they are given.
    public static func setting(
        status: Int? = nil,
        headers: HTTPFields = HTTPFields(),
        name: String? = nil
    ) -> ResponseModifier {
        ResponseModifier(name: name) { response in
            var response = response
            if let status { response.status = status }
            for field in headers.fields { response.fields[field.name] = field.value }
            return response
        }
    }

    /// The changed answer.
    public func modified(_ response: StoredResponse) throws -> StoredResponse { try change(response) }
}

/// Turns the body that came into the bytes of the picture. Runs on a thread of its own.
public struct BodyTransformer: Sendable {
    /// As ``RequestModifier/name``.
    public let name: String?

    private let change: @Sendable (Data, StoredResponse?) throws -> Data

    /// Makes a transformer from a function. What it throws ends the load with the code `body-transform-failed` and the
    /// thrown error as cause, or with the thrown ``ImageError``.
    public init(name: String? = nil, _ change: @escaping @Sendable (Data, StoredResponse?) throws -> Data) {
        self.name = name
        self.change = change
    }

    /// Decodes base64 (RFC 4648 §4), white space ignored.
    public static let base64 = BodyTransformer(name: "base64") { data, _ in
        guard let decoded = Data(base64Encoded: data, options: .ignoreUnknownCharacters) else {
            throw ImageError(
                .bodyTransformFailed,
                "the body is not base64",
                advice: "check what the server sends, or leave the transformer out"
            )
        }
        return decoded
    }

    /// The bytes of the picture.
    public func transformed(_ data: Data, response: StoredResponse?) throws -> Data { try change(data, response) }
}
