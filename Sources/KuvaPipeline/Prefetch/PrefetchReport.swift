public import KuvaCore

/// How far a prefetch is.
public struct PrefetchProgress: Hashable, Sendable {
    /// Requests that have ended, well or not.
    public let endedCount: Int
    /// Requests in all.
    public let totalCount: Int
}

/// How a prefetch ended, request by request.
public struct PrefetchReport: Sendable {
    /// The requests, in the order in which they were given.
    public let requests: [ImageRequest]
    /// For each request: where its picture was found, or why there is none; the code `cancelled` for those that a
    /// cancel cut off.
    public let outcomes: [Result<ImageResponse.Origin, ImageError>]

    /// Requests whose picture is now cached.
    public var finishedCount: Int { outcomes.count { if case .success = $0 { true } else { false } } }

    /// Requests without a picture.
    public var failedCount: Int { outcomes.count - finishedCount }
}
