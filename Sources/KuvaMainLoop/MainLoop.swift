internal import CKuvaGLib
// Brings libdispatch into the program, whose main queue this module runs.
internal import Dispatch

/// Runs Swift's main actor and `DispatchQueue.main` from a GLib main loop.
///
/// `g_main_loop_run` and `g_application_run` know nothing of Swift: without this, `@MainActor` work never runs in a
/// GTK program. Call ``attach()`` once, before the loop starts:
///
/// ```swift
/// @main @MainActor struct App {
///     static func main() {
///         MainLoop.attach()
///         // g_application_run, or g_main_loop_run
///     }
/// }
/// ```
///
/// `main` must be synchronous. An `async` main gives the main queue to another thread at its first `await`, and GTK
/// must stay on the first one.
///
/// Nothing polls: libdispatch raises a descriptor when there is work, and the loop sleeps until then. Work runs at
/// GLib priority 200, below redrawing (120) and events (0), in the order in which it was submitted. A loop that main
/// actor work itself starts (a nested `g_main_loop_run`) runs GLib's sources but no further main actor work, since
/// the main actor is busy; one that a signal handler starts runs both.
///
/// `Timer` and `RunLoop` are not driven; use `Task.sleep`, a Dispatch timer or `g_timeout_add`.
@MainActor
public enum MainLoop {
    /// How main actor work gets to run.
    public enum Drive: Hashable, Sendable {
        /// The loop wakes when libdispatch says that there is work; about 6 µs a hop, nothing when idle.
        case descriptor
        /// The loop looks every 8 ms, since this libdispatch has no descriptor to watch.
        case polling
    }

    /// Starts to run main actor work from GLib's default main context. Does nothing if it already does.
    ///
    /// - Returns: how the work gets to run; `nil` if it cannot: on another thread than the one that the process
    ///   started with (under `swift test`, say, where the main queue runs without help), or if this libdispatch has
    ///   no descriptor and Foundation cannot be loaded either.
    @discardableResult
    public static func attach() -> Drive? { Bridge.shared.attach([.descriptor, .polling]) }

    /// Stops it again. Work that is submitted waits until the next ``attach()``. Does nothing if not attached.
    public static func detach() { Bridge.shared.detach() }

    /// How main actor work gets to run now; `nil` if not attached.
    public static var drive: Drive? { Bridge.shared.drive }

    /// Attaches in the given way only. For tests of the way that this machine does not need.
    package static func attach(by drive: Drive) -> Drive? { Bridge.shared.attach([drive]) }

    /// Whether this libdispatch has the descriptor.
    package static var hasDescriptor: Bool { kuva_glib_has_descriptor() == 1 }
}
