public import KuvaCore

/// Calls back once for each refresh of a screen, so that what is drawn moves in step with it.
///
/// Refreshes that are missed are skipped and counted, never replayed. It lives on the main actor. Implementations hold
/// their owner weakly or not at all; ``invalidate()`` lets go of it and of the callback.
///
/// What `CADisplayLink` chooses by run-loop mode, whether it goes on while something scrolls, needs no choice here: GTK
/// scrolls inside the same main loop and the frame clock goes on. Ticks come before other work of the loop that waits
/// at the default priority, since GDK paints at `GDK_PRIORITY_REDRAW`.
@MainActor
public protocol DisplayLink: AnyObject {
    /// The time on the link's own clock, also while it sleeps.
    var now: Duration { get }

    /// Which refreshes tick: the state behind all that the protocol's extension has. Whoever writes a link keeps it and
    /// asks it at each refresh; others leave it alone.
    var gate: RefreshGate { get set }

    /// Whether no tick comes now. A paused link costs nothing.
    var isPaused: Bool { get set }

    /// Lets no tick come before the first refresh at or after `time`, on the clock of ``timestamp``. In between the link
    /// costs nothing. A time in the past, or zero, wakes it for the next refresh.
    func sleep(until time: Duration)

    /// Ends the link for good and lets go of its callback. Further calls of anything do nothing.
    func invalidate()
}

extension DisplayLink {
    /// When the refresh of the last tick was, on the link's own clock; zero before the first.
    public var timestamp: Duration { gate.timestamp }

    /// When the refresh after the last tick is: `timestamp` plus ``duration`` times ``frameInterval``.
    public var targetTimestamp: Duration { gate.targetTimestamp }

    /// The nominal time between two refreshes of the screen; ``frameInterval`` does not change it.
    public var duration: Duration { gate.period }

    /// How many refreshes one tick takes: 1 by default; 2 ticks 30 times a second on a screen of 60 Hz.
    public var frameInterval: Int { gate.frameInterval }

    /// Sets ``frameInterval``.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` below 1.
    public func setFrameInterval(_ interval: Int) throws(ImageError) { try gate.setFrameInterval(interval) }

    /// Ticks a second that are enough; 0, the default, is each refresh. Never more often than ``frameInterval`` says.
    public var preferredFramesPerSecond: Int {
        get { gate.preferredFramesPerSecond }
        set { gate.preferredFramesPerSecond = newValue }
    }

    /// Refreshes that should have ticked and did not, since the main thread was busy.
    public var missedRefreshCount: Int { gate.missedRefreshCount }
}

/// Makes a link that calls back on each tick.
public typealias DisplayLinkMaker =
    @MainActor (_ onTick: @escaping @MainActor (any DisplayLink) -> Void) ->
    any DisplayLink

/// A callback for a link that holds its target weakly, as `CADisplayLink` users had to arrange by themselves: once the
/// target is gone, the link is invalidated by its next tick.
@MainActor
public func weakly<Target: AnyObject>(
    _ target: Target,
    _ action: @escaping @MainActor (Target, any DisplayLink) -> Void
) -> @MainActor (any DisplayLink) -> Void {
    { [weak target] link in
        guard let target else { return link.invalidate() }
        action(target, link)
    }
}
