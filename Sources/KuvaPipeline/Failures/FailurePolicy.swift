public import KuvaCore

/// How long a failure is remembered, so that a broken URL in a list that scrolls is not asked for again and again.
public struct FailurePolicy: Sendable {
    /// How long one failure is remembered.
    public enum Memory: Hashable, Sendable {
        /// Not at all: the next request tries again.
        case none
        /// For a time; then the next request tries again.
        case limited(Duration)
        /// For a time; after that the next request asks the source whether its file is still the same that was no
        /// picture, and fails without decoding it if so. For failures that no file led to, as ``limited(_:)``.
        case untilChanged(Duration)
        /// Until it is removed by hand or a request with ``ImageRequest/retriesFailed`` succeeds.
        case unlimited
    }

    private let rule: @Sendable (ImageError) -> Memory

    /// Makes a policy from a rule that any thread may call.
    public init(_ rule: @escaping @Sendable (ImageError) -> Memory) { self.rule = rule }

    /// How long the failure is remembered. Cancelling and misses of cache-only requests are never remembered.
    public func memory(of error: ImageError) -> Memory {
        error.isCancellation || error.code == .notInCache ? .none : rule(error)
    }

    /// The default: what is gone (404, 410), for five minutes; what is not a picture, until it changes, looked at every
    /// five minutes at most; what a limit stopped, for requests with the same limits, for five minutes; other refusals of
    /// the server and secure connections that fail, for half a minute; what can heal by itself (no network, time-outs,
    /// busy servers), not at all.
    public static let standard = FailurePolicy { error in
        switch error.code {
        case .notAnImage, .unsupportedFormat, .corruptImage, .truncatedImage, .emptyBody: .untilChanged(.seconds(300))
        case .limitExceeded: .limited(.seconds(300))
        case .tooManyRedirects, .tlsFailed, .bodyTooLarge: .limited(.seconds(30))
        case .httpStatus:
            switch error.httpStatus ?? 0 {
            case 404, 410: .limited(.seconds(300))
            case 408, 425, 429, 500...: .none
            default: .limited(.seconds(30))
            }
        default: .none
        }
    }

    /// SDWebImage's blacklist: invalid URLs, bad picture data and those transfer errors that it does not count as
    /// passing are remembered until removed; HTTP statuses never are.
    public static let sdWebImage = FailurePolicy { error in
        switch error.code {
        case .invalidURL, .notAnImage, .unsupportedFormat, .corruptImage, .truncatedImage, .emptyBody: .unlimited
        case .tlsFailed, .tooManyRedirects, .unsupportedScheme, .transferFailed: .unlimited
        default: .none
        }
    }

    /// Nothing is remembered.
    public static let forgetful = FailurePolicy { _ in .none }
}
