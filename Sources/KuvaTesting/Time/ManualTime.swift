public import FoundationEssentials
public import KuvaCore

/// A clock that stands still until a test moves it.
///
/// Any thread may call every method.
public final class ManualTime: Sendable {
    private let elapsed = Lock(Duration.zero)
    private let start: Date

    /// Makes a clock that shows `start`, by default the first second of 2026 in UTC.
    public init(start: Date = Date(timeIntervalSince1970: 1_767_225_600)) { self.start = start }

    /// The clock, for what takes a ``TimeSource``.
    public var source: TimeSource {
        TimeSource(monotonic: { self.elapsed.withLock { $0 } }, wall: { self.wall })
    }

    /// The date and time that the clock shows.
    public var wall: Date {
        start.addingTimeInterval(elapsed.withLock { $0 } / .seconds(1))
    }

    /// Moves the clock on.
    public func advance(by duration: Duration) { elapsed.withLock { $0 += duration } }
}
