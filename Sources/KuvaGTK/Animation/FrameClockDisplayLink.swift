internal import CGTK
internal import KuvaMainLoop
public import KuvaUI

/// A display link that ticks with the frame clock of a widget's window.
///
/// Awake it is a tick callback of the widget, so that it ticks only while the widget is mapped, in step with what GTK
/// draws. Asleep it is one timer, and while it is paused nothing at all. It does not keep the widget alive and ends with
/// it. Times are those of the frame clock, which are those of the monotonic clock.
@MainActor
public final class FrameClockDisplayLink: DisplayLink {
    private let widget: UnsafeMutableRawPointer
    /// See ``DisplayLink``.
    public var gate = RefreshGate(period: .zero)
    private var onTick: (@MainActor (any DisplayLink) -> Void)?
    private var destruction: Signal.Connection?
    private var callback: UInt32?
    private var cancelTimer: (@MainActor () -> Void)?

    /// Makes a link for a widget.
    ///
    /// - Parameter widget: a `GtkWidget`.
    public init(widget: UnsafeMutableRawPointer, onTick: @escaping @MainActor (any DisplayLink) -> Void) {
        self.widget = widget
        self.onTick = onTick
        MainLoop.attach()
        destruction = Signal.connect(widget, "destroy") { [weak self] in self?.invalidate() }
        schedule()
    }

    isolated deinit { invalidate() }

    /// See ``DisplayLink``.
    public var now: Duration { .microseconds(g_get_monotonic_time()) }

    /// See ``DisplayLink``.
    public var isPaused = false {
        didSet {
            guard isPaused != oldValue else { return }
            gate.interrupt()
            schedule()
        }
    }

    /// See ``DisplayLink``.
    public func sleep(until time: Duration) {
        guard time != gate.wakeTime else { return }
        gate.sleep(until: time)
        schedule()
    }

    /// See ``DisplayLink``.
    public func invalidate() {
        guard onTick != nil else { return }
        onTick = nil
        removeCallback()
        removeTimer()
        destruction?.disconnect()
        destruction = nil
    }

    /// Whether the wait is long enough for a timer: the frame clock runs at the screen's rate as long as anything
    /// listens to it.
    private var timeToWake: Duration? {
        let wait = gate.wakeTime - .microseconds(g_get_monotonic_time()) - gate.period
        return wait > gate.period / 2 ? wait : nil
    }

    private func schedule() {
        removeTimer()
        guard onTick != nil, !isPaused else { return removeCallback() }
        guard let wait = timeToWake else { return addCallback() }
        removeCallback()
        cancelTimer = TimerDisplayLink.onMainQueue(wait, .milliseconds(1)) { [weak self] in
            self?.cancelTimer = nil
            self?.addCallback()
        }
    }

    private func refresh(_ clock: OpaquePointer) {
        let time = gdk_frame_clock_get_frame_time(clock)
        var (interval, presentation): (gint64, gint64) = (0, 0)
        gdk_frame_clock_get_refresh_info(clock, time, &interval, &presentation)
        let isTick = gate.refresh(at: .microseconds(time), period: .microseconds(interval))
        guard isTick, let onTick else { return }
        onTick(self)
    }

    private func addCallback() {
        guard callback == nil, onTick != nil, !isPaused else { return }
        let reference = Unmanaged.passRetained(Reference(self)).toOpaque()
        callback = gtk_widget_add_tick_callback(
            widget.assumingMemoryBound(to: GtkWidget.self),
            { _, clock, data in
                guard let clock, let data else { return 0 }
                // Unsafe: GTK ticks on the main thread, and there both stay.
                nonisolated(unsafe) let (frameClock, reference) = (clock, data)
                MainActor.assumeIsolated {
                    Unmanaged<Reference>.fromOpaque(reference).takeUnretainedValue().link?.refresh(frameClock)
                }
                return 1
            },
            reference,
            { data in
                guard let data else { return }
                Unmanaged<AnyObject>.fromOpaque(data).release()
            }
        )
    }

    private func removeCallback() {
        guard let callback else { return }
        self.callback = nil
        gtk_widget_remove_tick_callback(widget.assumingMemoryBound(to: GtkWidget.self), callback)
    }

    private func removeTimer() {
        cancelTimer?()
        cancelTimer = nil
    }

    /// What the tick callback holds, so that it does not keep the link.
    private final class Reference {
        private(set) weak var link: FrameClockDisplayLink?
        init(_ link: FrameClockDisplayLink) { self.link = link }
    }
}
