public import KuvaCore

/// A display link whose screen is refreshed by hand, for tests and for rendering to files.
@MainActor
public final class ManualDisplayLink: DisplayLink {
    private var gate: RefreshGate
    private var onTick: (@MainActor (any DisplayLink) -> Void)?

    /// How often it has ticked.
    public private(set) var tickCount = 0
    /// Whether it has been invalidated.
    public var isInvalidated: Bool { onTick == nil }

    /// Makes a link for a screen of so many refreshes a second.
    public init(framesPerSecond: Double = 60, onTick: @escaping @MainActor (any DisplayLink) -> Void) {
        gate = RefreshGate(period: .seconds(1) / max(1, framesPerSecond))
        self.onTick = onTick
    }

    /// Refreshes the screen at `time`, and ticks unless the link is paused, asleep or invalidated.
    public func refresh(at time: Duration) {
        guard !isPaused, let onTick, gate.refresh(at: time) else { return }
        tickCount += 1
        onTick(self)
    }

    /// See ``DisplayLink``.
    public var timestamp: Duration { gate.timestamp }
    /// See ``DisplayLink``.
    public var targetTimestamp: Duration { gate.targetTimestamp }
    /// See ``DisplayLink``.
    public var duration: Duration { gate.period }
    /// See ``DisplayLink``.
    public var frameInterval: Int { gate.frameInterval }
    /// See ``DisplayLink``.
    public func setFrameInterval(_ interval: Int) throws(ImageError) { try gate.setFrameInterval(interval) }
    /// See ``DisplayLink``.
    public var missedRefreshCount: Int { gate.missedRefreshCount }

    /// See ``DisplayLink``.
    public var preferredFramesPerSecond: Int {
        get { gate.preferredFramesPerSecond }
        set { gate.preferredFramesPerSecond = newValue }
    }

    /// See ``DisplayLink``.
    public var isPaused = false { didSet { if isPaused != oldValue { gate.interrupt() } } }

    /// See ``DisplayLink``.
    public func sleep(until time: Duration) { gate.sleep(until: time) }

    /// See ``DisplayLink``.
    public func invalidate() { onTick = nil }
}
