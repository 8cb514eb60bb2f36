public import FoundationEssentials
public import KuvaCore

/// A clock that stands still until a test moves it.
public final class ManualTime: Sendable {
    private let elapsed = Lock(Duration.zero)
    private let start: Date

    /// - Parameter start: the date at which the clock stands first.
    public init(start: Date = Date(timeIntervalSince1970: 1_000_000_000)) { self.start = start }

    /// Moves the clock forward.
    public func advance(by duration: Duration) { elapsed.withLock { $0 += duration } }

    /// The time source to inject.
    public var source: TimeSource {
        TimeSource(
            monotonic: { self.elapsed.withLock { $0 } },
            wall: {
                let (seconds, attoseconds) = self.elapsed.withLock { $0.components }
                return self.start.addingTimeInterval(Double(seconds) + Double(attoseconds) * 1e-18)
            }
        )
    }
}
