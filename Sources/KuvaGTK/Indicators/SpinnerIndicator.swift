internal import CGTK
public import KuvaCore

/// A spinner that turns while something loads.
@MainActor
public final class SpinnerIndicator: WidgetIndicator {
    /// How large a spinner is; the raw value is its side in points.
    public enum Size: Int32, Sendable, CaseIterable {
        /// As high as a line of text.
        case small = 16
        /// The default.
        case medium = 24
        /// For a picture that fills a window.
        case large = 48
    }

    /// The `GtkSpinner`.
    public let widget: UnsafeMutableRawPointer

    /// Makes a spinner that does not turn yet.
    public init(_ size: Size = .medium) {
        let spinner = gtk_spinner_new()!
        gtk_widget_set_size_request(spinner, size.rawValue, size.rawValue)
        widget = UnsafeMutableRawPointer(spinner)
        centre(widget)
    }

    /// Turns.
    public func start() { gtk_spinner_start(widget.opaque) }

    /// A spinner knows nothing of progress.
    public func update(_ progress: LoadProgress) {}

    /// Stands still.
    public func stop() { gtk_spinner_stop(widget.opaque) }
}
