extension ImageError {
    /// Whether trying the same again has a chance.
    public enum Outlook: Hashable, Sendable {
        /// The cause can pass by itself: no network, a busy server, a broken connection.
        case canHeal
        /// The same will happen again until someone changes something.
        case willNotHeal
        /// Nobody wants it any longer.
        case cancelled
    }

    /// Whether trying the same again has a chance; what failure policies and retries go by.
    public var outlook: Outlook {
        switch code {
        case .cancelled, .replaced: .cancelled
        case .hostNotFound, .cannotConnect, .connectionLost, .timedOut, .tooSlow, .networkCancelled: .canHeal
        case .httpStatus:
            // RFC 9110 §15.5.9, §15.6.3 to §15.6.5, RFC 6585 §4, RFC 8470 §5.2.
            [408, 425, 429, 500, 502, 503, 504].contains(httpStatus) ? .canHeal : .willNotHeal
        default: .willNotHeal
        }
    }
}

/// The errors of all places of one picture, in the order in which they were asked; the cause of the last one.
public struct FailedAlternatives: Error, Sendable {
    /// One error for each place.
    public let errors: [ImageError]

    /// Makes a list.
    public init(_ errors: [ImageError]) { self.errors = errors }
}
