public import KuvaCore

/// When a transfer that failed is tried again: only errors that can heal, after a time that doubles each time.
public struct RetryPolicy: Hashable, Sendable {
    /// Further attempts at most; 2 by default, 0 for none.
    public var maximumCount = 2
    /// The time before the first further attempt; 0.3 seconds by default.
    public var firstDelay = Duration.milliseconds(300)
    /// By what the time grows from one attempt to the next; 2 by default.
    public var growth = 2.0
    /// The longest time between two attempts; 10 seconds by default.
    public var maximumDelay = Duration.seconds(10)
    /// The part of each time that chance takes away, so that programs that failed together do not come back together;
    /// from 0 to 1, a half by default.
    public var jitter = 0.5
    /// The longest time that a server may ask to wait by `Retry-After` (RFC 9110 §10.2.3); a load that would have to
    /// wait longer fails. 30 seconds by default.
    public var maximumRetryAfter = Duration.seconds(30)

    /// The defaults.
    public init() {}

    /// No further attempts.
    public static let never: RetryPolicy = {
        var policy = RetryPolicy()
        policy.maximumCount = 0
        return policy
    }()

    /// The time to wait before the next attempt; `nil` if there is to be none.
    ///
    /// - Parameters:
    ///   - retryCount: further attempts made so far.
    ///   - retryAfter: what the server asked for, if it did.
    ///   - random: a number from 0 to 1.
    public func delay(
        after error: ImageError,
        retryCount: Int,
        retryAfter: Duration? = nil,
        random: Double
    ) -> Duration? {
        guard error.outlook == .canHeal, retryCount < maximumCount else { return nil }
        let grown = firstDelay * Self.power(growth, retryCount)
        let delay = min(grown, maximumDelay) * (1 - jitter * min(1, max(0, random)))
        guard let retryAfter else { return delay }
        return retryAfter <= maximumRetryAfter ? max(delay, retryAfter) : nil
    }

    /// Bounded, so that no delay becomes too large to count.
    private static func power(_ base: Double, _ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<min(exponent, 64) where result < 1e6 { result *= base }
        return min(result, 1e6)
    }
}
