import CGTK
import KuvaGTK

/// Leads the window for a script: waits until the pictures in view are there, scrolls to the others if all are wanted,
/// back to the top, goes to the scene that is wanted, and tells once that has been drawn.
@MainActor
final class Director {
    private let window: GalleryWindow
    private let loadsAll: Bool
    private let scene: Options.Scene
    private var waiter: CheckedContinuation<Void, Never>?
    /// Frames that were drawn since something changed.
    private var quietFrames = 0

    /// A frame lays out and draws what has changed. What is drawn in another size than it was decoded for is loaded once
    /// more after that, and the second frame comes when it has been asked for.
    private static let enoughFrames = 2

    init(window: GalleryWindow, loadsAll: Bool, scene: Options.Scene, onEnd: @escaping @MainActor () -> Void) {
        self.window = window
        self.loadsAll = loadsAll
        self.scene = scene
        gtk_widget_realize(window.widget)
        window.onSettle = { [weak self] in self?.somethingChanged() }
        if let clock = gtk_widget_get_frame_clock(window.widget) {
            Signal.connect(UnsafeMutableRawPointer(clock), "after-paint") { [weak self] in self?.frameWasDrawn() }
        }
        Task {
            await run()
            onEnd()
        }
    }

    private func run() async {
        await settled()
        while loadsAll, let next = window.gallery.firstUnsettled {
            window.grid.scroll(to: next)
            await settled()
        }
        window.grid.scroll(to: 0)
        await settled()
        switch scene {
        case .grid: return
        case .view: window.open(0)
        case .info:
            window.open(0)
            window.toggle(.info)
        case .zoom:
            window.open(0)
            await settled()
            window.viewer.area.zoom(by: 2.5)
        case .cache: window.toggle(.cache)
        }
        await settled()
    }

    /// Waits until nothing that is seen is on its way, and that has been drawn.
    private func settled() async {
        repeat {
            await withCheckedContinuation { continuation in
                waiter = continuation
                somethingChanged()
            }
        } while !window.isSettled
    }

    private func somethingChanged() {
        quietFrames = 0
        // Frames come only when something changes; ask for one.
        if waiter != nil { requestFrame() }
    }

    private func frameWasDrawn() {
        // While something is on its way there is nothing to do: the window tells when it has come.
        guard waiter != nil, window.isSettled else { return }
        quietFrames += 1
        guard quietFrames >= Self.enoughFrames else { return requestFrame() }
        let waiter = waiter
        self.waiter = nil
        waiter?.resume()
    }

    private func requestFrame() {
        gdk_frame_clock_request_phase(gtk_widget_get_frame_clock(window.widget), GDK_FRAME_CLOCK_PHASE_UPDATE)
    }
}
