public import FoundationEssentials
internal import Glibc

/// Where Kuva gets the time from. Tests put a hand-cranked one in its place.
public struct TimeSource: Sendable {
    private let monotonicTime: @Sendable () -> Duration
    private let wallTime: @Sendable () -> Date

    /// Makes a time source from two functions that any thread may call.
    ///
    /// - Parameters:
    ///   - monotonic: time since some fixed moment; never goes back.
    ///   - wall: the date and time of day, which may jump.
    public init(monotonic: @escaping @Sendable () -> Duration, wall: @escaping @Sendable () -> Date) {
        monotonicTime = monotonic
        wallTime = wall
    }

    /// Time since some fixed moment, for measuring and for deadlines.
    public var monotonic: Duration { monotonicTime() }

    /// The date and time of day, for ages that outlive the program.
    public var wall: Date { wallTime() }

    /// `CLOCK_MONOTONIC` and `CLOCK_REALTIME` of the system.
    public static let system = TimeSource(
        monotonic: {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        },
        wall: { Date() }
    )
}
