import CGTK
import CLoopClock
import KuvaGTK

/// A window with a grid of many cells in it, six in a row.
@MainActor
final class ListWindow {
    private let window: UnsafeMutablePointer<GtkWidget>
    private let scrolled: UnsafeMutablePointer<GtkWidget>
    private let clock: OpaquePointer?
    /// Called after each frame; its time does not count as that of handlers.
    var onFrame: @MainActor () -> Void = {}

    static let columns = 6

    /// - Parameters:
    ///   - rows: cells in the list.
    ///   - makeFactory: makes the `GtkListItemFactory`.
    init(rows: Int, makeFactory: () -> OpaquePointer?) {
        window = gtk_window_new()
        scrolled = gtk_scrolled_window_new()
        let texts = gtk_string_list_new(nil)
        for row in 0..<rows { gtk_string_list_append(texts, "\(row)") }
        let grid = gtk_grid_view_new(gtk_no_selection_new(texts), makeFactory())
        gtk_grid_view_set_min_columns(OpaquePointer(grid), guint(Self.columns))
        gtk_grid_view_set_max_columns(OpaquePointer(grid), guint(Self.columns))
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), grid)
        gtk_window_set_default_size(window.window, 1_140, 720)
        gtk_window_set_child(window.window, scrolled)
        gtk_widget_realize(window)
        clock = gtk_widget_get_frame_clock(window)
        guard let clock else { return }
        loop_clock_connect_uncounted(
            UnsafeMutableRawPointer(clock),
            "after-paint",
            { data in
                guard let data else { return }
                // Unsafe: frames come on the main thread, and there the window stays.
                nonisolated(unsafe) let pointer = data
                MainActor.assumeIsolated {
                    Unmanaged<ListWindow>.fromOpaque(pointer).takeUnretainedValue().onFrame()
                }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    func present() { gtk_window_present(window.window) }

    /// Lets frames follow one another as fast as the screen has them.
    func beginFrames() { if let clock { gdk_frame_clock_begin_updating(clock) } }

    /// Ends that.
    func endFrames() { if let clock { gdk_frame_clock_end_updating(clock) } }

    /// Scrolls to a part of the whole way, from 0 to 1.
    func scroll(to part: Double) {
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled))
        let way = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        gtk_adjustment_set_value(adjustment, way * part)
    }

    /// Whether it is on the screen.
    var isMapped: Bool { gtk_widget_get_mapped(window) != 0 }

    /// Takes the window from the screen.
    func close() {
        onFrame = {}
        gtk_window_destroy(window.window)
    }
}

extension UnsafeMutablePointer where Pointee == GtkWidget {
    fileprivate var window: UnsafeMutablePointer<GtkWindow> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: GtkWindow.self)
    }
}

/// Runs the loop until something holds.
@MainActor
func runLoop(until condition: () -> Bool) { while !condition() { g_main_context_iteration(nil, 1) } }
