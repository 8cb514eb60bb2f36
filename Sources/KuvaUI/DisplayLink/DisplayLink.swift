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
    /// When the refresh of the last tick was, on the link's own clock; zero before the first.
    var timestamp: Duration { get }

    /// When the refresh after the last tick is: `timestamp` plus ``duration`` times ``frameInterval``.
    var targetTimestamp: Duration { get }

    /// The nominal time between two refreshes of the screen; ``frameInterval`` does not change it.
    var duration: Duration { get }

    /// How many refreshes one tick takes: 1 by default; 2 ticks 30 times a second on a screen of 60 Hz.
    var frameInterval: Int { get }

    /// Sets ``frameInterval``.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` below 1.
    func setFrameInterval(_ interval: Int) throws(ImageError)

    /// Ticks a second that are enough; 0, the default, is each refresh. Never more often than ``frameInterval`` says.
    var preferredFramesPerSecond: Int { get set }

    /// Whether no tick comes now. A paused link costs nothing.
    var isPaused: Bool { get set }

    /// Refreshes that should have ticked and did not, since the main thread was busy.
    var missedRefreshCount: Int { get }

    /// Lets no tick come before the first refresh at or after `time`, on the clock of ``timestamp``. In between the link
    /// costs nothing. A time in the past, or zero, wakes it for the next refresh.
    func sleep(until time: Duration)

    /// Ends the link for good and lets go of its callback. Further calls of anything do nothing.
    func invalidate()
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
