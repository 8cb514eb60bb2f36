internal import CGTK

/// Calls for each frame of a widget's window, while there are frames.
@MainActor
final class FrameTicker {
    private let widget: UnsafeMutableRawPointer
    private let onFrame: @MainActor (Duration) -> Bool
    private var id: guint = 0

    /// - Parameter onFrame: called with the time of the frame, which only differences have a meaning of; returns whether
    ///   to go on. It is called while the widget is in a window that is shown.
    init(_ widget: UnsafeMutableRawPointer, onFrame: @escaping @MainActor (Duration) -> Bool) {
        self.widget = widget
        self.onFrame = onFrame
        id = gtk_widget_add_tick_callback(
            widget.asWidget,
            { _, clock, data in
                guard let data else { return 0 }
                let time = Duration.microseconds(gdk_frame_clock_get_frame_time(clock))
                // Unsafe: frames come on the main thread, and there the ticker stays.
                nonisolated(unsafe) let pointer = data
                return MainActor.assumeIsolated {
                    Unmanaged<FrameTicker>.fromOpaque(pointer).takeUnretainedValue().frame(time).gboolean
                }
            },
            Unmanaged.passRetained(self).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<FrameTicker>.fromOpaque(data).release()
            }
        )
    }

    /// Ends the calls. The widget must still live.
    func stop() {
        guard id != 0 else { return }
        let id = id
        self.id = 0
        gtk_widget_remove_tick_callback(widget.asWidget, id)
    }

    private func frame(_ time: Duration) -> Bool {
        guard id != 0 else { return false }
        let goesOn = onFrame(time)
        if !goesOn { id = 0 }
        return goesOn
    }
}
