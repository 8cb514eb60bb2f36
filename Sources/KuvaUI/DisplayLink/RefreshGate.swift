public import KuvaCore

/// Decides which refreshes of a screen tick. A value; every ``DisplayLink`` has one.
public struct RefreshGate: Hashable, Sendable {
    /// See ``DisplayLink``.
    public private(set) var timestamp = Duration.zero
    /// See ``DisplayLink``.
    public private(set) var period: Duration
    /// See ``DisplayLink``.
    public private(set) var frameInterval = 1
    /// See ``DisplayLink``.
    public var preferredFramesPerSecond = 0
    /// See ``DisplayLink``.
    public private(set) var missedRefreshCount = 0
    /// No tick before it.
    public private(set) var wakeTime = Duration.zero

    /// The last refresh that ticked or that the gate held back while it was awake.
    private var lastTick: Duration?

    /// Makes a gate for a screen whose refreshes are nominally `period` apart.
    public init(period: Duration) { self.period = period > .zero ? period : .nanoseconds(16_666_667) }

    /// When the refresh after the last tick is.
    public var targetTimestamp: Duration { timestamp + period * frameInterval }

    /// Refreshes that one tick takes, the preferred rate included.
    public var effectiveInterval: Int {
        guard preferredFramesPerSecond > 0 else { return frameInterval }
        let wanted = Duration.seconds(1) / preferredFramesPerSecond / period
        return max(frameInterval, Int(wanted.rounded()))
    }

    /// - Throws: ``ImageError`` with the code `invalid-configuration` below 1.
    public mutating func setFrameInterval(_ interval: Int) throws(ImageError) {
        guard interval >= 1 else {
            throw ImageError(
                .invalidConfiguration,
                "a frame interval of \(interval) refreshes cannot be",
                advice: "give 1 for each refresh, or more"
            )
        }
        frameInterval = interval
    }

    /// See ``DisplayLink/sleep(until:)``.
    public mutating func sleep(until time: Duration) { wakeTime = time }

    /// The link was paused or goes on after a pause: what lies between is not missed.
    public mutating func interrupt() { lastTick = nil }

    /// The screen is refreshed at `time`.
    ///
    /// - Parameter period: the nominal time between refreshes, where the screen says so.
    /// - Returns: whether the link ticks.
    public mutating func refresh(at time: Duration, period newPeriod: Duration? = nil) -> Bool {
        if let newPeriod, newPeriod > .zero { period = newPeriod }
        guard time >= wakeTime else {
            lastTick = nil
            return false
        }
        if let lastTick {
            let passed = Int(((time - lastTick) / period).rounded())
            guard passed >= effectiveInterval else { return false }
            missedRefreshCount += passed / effectiveInterval - 1
        }
        lastTick = time
        timestamp = time
        return true
    }
}
