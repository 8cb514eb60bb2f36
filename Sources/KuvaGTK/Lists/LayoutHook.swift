internal import CGTK

/// Calls when a window has been laid out and is about to be drawn, in the next frame.
@MainActor
final class LayoutHook {
    private let onLaidOut: @MainActor () -> Void
    private var clock: UnsafeMutableRawPointer?
    private var connections: [Signal.Connection] = []
    private var isAskedFor = false
    private var isAskedForNext = false

    /// - Parameter onLaidOut: what is called, once for each ``request(by:)``, however often that was made.
    init(onLaidOut: @escaping @MainActor () -> Void) { self.onLaidOut = onLaidOut }

    isolated deinit { stop() }

    /// Asks for a call in the next frame, or in this one before it is drawn.
    ///
    /// - Parameters:
    ///   - widget: a widget of the window. Nothing happens while it has none that is on the screen.
    ///   - isShown: whether the widget has just come on the screen, perhaps in another window than before.
    /// - Returns: whether the call will come.
    @discardableResult
    func request(by widget: UnsafeMutableRawPointer, isShown: Bool = false) -> Bool {
        if isAskedFor, clock != nil, !isShown { return true }
        guard let found = gtk_widget_get_frame_clock(widget.asWidget).map({ UnsafeMutableRawPointer($0) }) else {
            return false
        }
        if found != clock { listen(to: found) }
        isAskedFor = true
        gdk_frame_clock_request_phase(found.opaque, GDK_FRAME_CLOCK_PHASE_LAYOUT)
        return true
    }

    /// Asks for a call in the frame after this one, from within a call.
    func requestNext() { isAskedForNext = true }

    /// Ends the calls.
    func stop() {
        isAskedFor = false
        isAskedForNext = false
        guard let clock else { return }
        for connection in connections { connection.disconnect() }
        connections = []
        self.clock = nil
        g_object_unref(clock)
    }

    private func listen(to clock: UnsafeMutableRawPointer) {
        stop()
        g_object_ref(clock)
        self.clock = clock
        connections = [
            Signal.connect(clock, "layout", after: true) { [weak self] in self?.wasLaidOut() },
            Signal.connect(clock, "after-paint") { [weak self] in self?.wasPainted() },
        ]
    }

    private func wasLaidOut() {
        guard isAskedFor else { return }
        isAskedFor = false
        onLaidOut()
    }

    private func wasPainted() {
        guard let clock else { return }
        isAskedFor = isAskedFor || isAskedForNext
        isAskedForNext = false
        if isAskedFor { gdk_frame_clock_request_phase(clock.opaque, GDK_FRAME_CLOCK_PHASE_LAYOUT) }
    }
}
