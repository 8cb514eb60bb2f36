internal import CGTK

/// Waits until a widget has been laid out, and tells once.
///
/// It listens to the widget's frame clock, after GTK has given all widgets their sizes and before they are drawn, so a
/// picture that is in memory is there in the first frame. A widget on a hidden page is not laid out until it is shown.
@MainActor
final class AllocationWatch {
    private let widget: UnsafeMutableRawPointer
    private let onAllocated: @MainActor () -> Void
    private var life: [Signal.Connection] = []
    private var frames: [Signal.Connection] = []
    private var clock: OpaquePointer?
    private var wasMappedInLayout = false

    /// - Parameter onAllocated: called once, when the widget is shown and has a size, or has been drawn without one
    ///   because its size follows its picture.
    init(_ widget: UnsafeMutableRawPointer, onAllocated: @escaping @MainActor () -> Void) {
        self.widget = widget
        self.onAllocated = onAllocated
        life = [
            Signal.connect(widget, "realize", after: true) { [weak self] in self?.listen() },
            Signal.connect(widget, "unrealize") { [weak self] in self?.stopListening() },
        ]
        listen()
    }

    /// Ends the waiting. The widget must still live.
    func stop() {
        stopListening()
        for connection in life { connection.disconnect() }
        life = []
    }

    private func listen() {
        let widget = widget.assumingMemoryBound(to: GtkWidget.self)
        guard clock == nil, gtk_widget_get_realized(widget) != 0, let found = gtk_widget_get_frame_clock(widget)
        else { return }
        let object = UnsafeMutableRawPointer(found)
        g_object_ref(object)
        clock = found
        frames = [
            Signal.connect(object, "layout", after: true) { [weak self] in self?.wasLaidOut() },
            Signal.connect(object, "after-paint") { [weak self] in self?.wasPainted() },
        ]
        gdk_frame_clock_request_phase(found, GDK_FRAME_CLOCK_PHASE_LAYOUT)
    }

    private func stopListening() {
        guard let clock else { return }
        for connection in frames { connection.disconnect() }
        frames = []
        self.clock = nil
        g_object_unref(UnsafeMutableRawPointer(clock))
    }

    private func wasLaidOut() {
        let widget = widget.assumingMemoryBound(to: GtkWidget.self)
        wasMappedInLayout = gtk_widget_get_mapped(widget) != 0
        if gtk_widget_get_width(widget) > 0, gtk_widget_get_height(widget) > 0 { end() }
    }

    private func wasPainted() {
        if wasMappedInLayout { end() }
    }

    private func end() {
        stop()
        onAllocated()
    }
}
