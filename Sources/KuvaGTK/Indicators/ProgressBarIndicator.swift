internal import CGTK
public import KuvaCore

/// A bar that fills with the bytes of a picture.
@MainActor
public final class ProgressBarIndicator: WidgetIndicator {
    /// The `GtkProgressBar`.
    public let widget: UnsafeMutableRawPointer

    /// Makes an empty bar.
    public init() {
        let bar = gtk_progress_bar_new()!
        gtk_widget_set_halign(bar, GTK_ALIGN_FILL)
        gtk_widget_set_valign(bar, GTK_ALIGN_END)
        gtk_progress_bar_set_pulse_step(bar.opaque, 0.05)
        widget = UnsafeMutableRawPointer(bar)
    }

    /// Empties the bar.
    public func start() { gtk_progress_bar_set_fraction(widget.opaque, 0) }

    /// Fills the bar as far as the bytes have come; without their number it moves a little with each piece.
    public func update(_ progress: LoadProgress) {
        if let fraction = progress.fraction {
            gtk_progress_bar_set_fraction(widget.opaque, fraction)
        } else if progress.receivedByteCount > 0 {
            gtk_progress_bar_pulse(widget.opaque)
        }
    }

    /// Fills the bar.
    public func stop() { gtk_progress_bar_set_fraction(widget.opaque, 1) }
}
