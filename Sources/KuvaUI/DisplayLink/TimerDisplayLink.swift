internal import Dispatch
public import KuvaCore

/// A display link without a screen: a timer on the main queue, for programs that draw to no window.
///
/// Ticks may be late by ``tolerance``, which lets the system wake less often. A late tick fires once; the next comes at
/// its place on the grid and not at once.
@MainActor
public final class TimerDisplayLink: DisplayLink {
    /// Calls `work` on the main actor after `delay`, or up to `tolerance` later; returns what takes it back.
    public typealias Scheduler =
        @MainActor (_ delay: Duration, _ tolerance: Duration, _ work: @escaping @MainActor () -> Void) ->
        @MainActor () -> Void

    /// How late a tick may be.
    public var tolerance: Duration

    /// See ``DisplayLink``.
    public var gate: RefreshGate
    private var onTick: (@MainActor (any DisplayLink) -> Void)?
    private let clock: TimeSource
    private let schedule: Scheduler
    private let start: Duration
    private var takeBack: (@MainActor () -> Void)?

    /// Makes a link that ticks so many times a second.
    ///
    /// - Parameters:
    ///   - clock: the clock of the timestamps.
    ///   - schedule: how it waits; a timer of the main queue by default.
    public init(
        framesPerSecond: Double = 60,
        tolerance: Duration = .milliseconds(1),
        clock: TimeSource = .system,
        schedule: @escaping Scheduler = TimerDisplayLink.onMainQueue,
        onTick: @escaping @MainActor (any DisplayLink) -> Void
    ) {
        gate = RefreshGate(period: .seconds(1) / max(1, framesPerSecond))
        self.tolerance = tolerance
        self.clock = clock
        self.schedule = schedule
        self.onTick = onTick
        start = clock.monotonic
        scheduleNext()
    }

    /// See ``DisplayLink``.
    public var now: Duration { clock.monotonic }

    /// See ``DisplayLink``.
    public var isPaused = false {
        didSet {
            guard isPaused != oldValue else { return }
            gate.interrupt()
            scheduleNext()
        }
    }

    /// See ``DisplayLink``.
    public func sleep(until time: Duration) {
        gate.sleep(until: time)
        scheduleNext()
    }

    /// See ``DisplayLink``.
    public func invalidate() {
        onTick = nil
        takeBack?()
        takeBack = nil
    }

    /// Waits for the first place on the grid at or after the time until which the link sleeps.
    private func scheduleNext() {
        takeBack?()
        takeBack = nil
        guard onTick != nil, !isPaused else { return }
        let now = clock.monotonic
        let last = (now - start) / gate.period
        let wanted = ((gate.wakeTime - start) / gate.period).rounded(.up)
        let step = max(last.rounded(.down) + 1, wanted)
        let due = start + gate.period * Int(step)
        takeBack = schedule(due - now, tolerance) { [weak self] in self?.fire(due) }
    }

    private func fire(_ due: Duration) {
        takeBack = nil
        guard let onTick, !isPaused else { return }
        // A tick within its tolerance counts as on time; a later one as the refresh that it has come to.
        let late = ((clock.monotonic - due) / gate.period).rounded(.down)
        let isTick = gate.refresh(at: due + gate.period * Int(max(0, late)))
        if isTick { onTick(self) }
        if takeBack == nil { scheduleNext() }
    }

    /// A timer of the main queue.
    public static let onMainQueue: Scheduler = { delay, tolerance, work in
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(
            deadline: .now() + .nanoseconds(max(0, delay.nanoseconds)),
            leeway: .nanoseconds(max(0, tolerance.nanoseconds))
        )
        timer.setEventHandler { MainActor.assumeIsolated(work) }
        timer.resume()
        return { timer.cancel() }
    }
}

extension Duration {
    /// Whole nanoseconds, cut to what an `Int` holds.
    fileprivate var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let (product, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product + Int(attoseconds / 1_000_000_000)
    }
}
