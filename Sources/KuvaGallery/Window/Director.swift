import CGTK
import KuvaGTK

/// Watches the window for a script: waits until the pictures in view are there, scrolls to the others if all are
/// wanted, back to the top, and tells once that has been drawn.
@MainActor
final class Director {
    private enum Step {
        case loading
        /// Back at the top; frames to be drawn before the end.
        case settling(frames: Int)
        case done
    }

    private let window: GalleryWindow
    private let loadsAll: Bool
    private let onEnd: @MainActor () -> Void
    private var step = Step.loading

    init(window: GalleryWindow, loadsAll: Bool, onEnd: @escaping @MainActor () -> Void) {
        self.window = window
        self.loadsAll = loadsAll
        self.onEnd = onEnd
        gtk_widget_realize(window.widget)
        guard let clock = gtk_widget_get_frame_clock(window.widget) else { return }
        Signal.connect(UnsafeMutableRawPointer(clock), "after-paint") { [weak self] in self?.frameWasDrawn() }
    }

    private func frameWasDrawn() {
        switch step {
        case .done: return
        case .loading:
            requestFrame()
            guard window.grid.isSettled else { return }
            if loadsAll, let next = window.gallery.firstUnsettled {
                window.grid.scroll(to: next)
            } else {
                window.grid.scroll(to: 0)
                step = .settling(frames: 3)
            }
        case .settling(let frames):
            if frames > 0 || !window.grid.isSettled {
                step = .settling(frames: max(0, frames - 1))
                return requestFrame()
            }
            step = .done
            // Not in the middle of a frame.
            Task { onEnd() }
        }
    }

    /// Frames come only when something changes; ask for one.
    private func requestFrame() {
        gdk_frame_clock_request_phase(gtk_widget_get_frame_clock(window.widget), GDK_FRAME_CLOCK_PHASE_UPDATE)
    }
}
