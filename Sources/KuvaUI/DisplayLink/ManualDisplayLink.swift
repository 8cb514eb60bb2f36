/// A display link whose screen is refreshed by hand, for tests and for rendering to files.
@MainActor
public final class ManualDisplayLink: DisplayLink {
    /// See ``DisplayLink``.
    public var gate: RefreshGate
    private var onTick: (@MainActor (any DisplayLink) -> Void)?

    /// The time of the last refresh, whether or not it ticked.
    public private(set) var now = Duration.zero

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
        now = time
        guard !isPaused, let onTick, gate.refresh(at: time) else { return }
        tickCount += 1
        onTick(self)
    }

    /// See ``DisplayLink``.
    public var isPaused = false { didSet { if isPaused != oldValue { gate.interrupt() } } }

    /// See ``DisplayLink``.
    public func sleep(until time: Duration) { gate.sleep(until: time) }

    /// See ``DisplayLink``.
    public func invalidate() { onTick = nil }
}
