internal import CGTK
internal import KuvaCore
public import KuvaUI

/// An indicator that is a widget.
@MainActor
public protocol WidgetIndicator: LoadIndicator {
    /// The `GtkWidget`. A view puts it over its picture and shows it while something loads. New widgets are floating, as
    /// GTK makes them.
    var widget: UnsafeMutableRawPointer { get }
}

extension WidgetIndicator {
    /// Puts a widget into the middle of the view.
    func centre(_ widget: UnsafeMutableRawPointer) {
        gtk_widget_set_halign(widget.asWidget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(widget.asWidget, GTK_ALIGN_CENTER)
    }
}

/// Which indicator a view shows while a picture loads, if it shows one.
public enum IndicatorStyle {
    /// A spinner in the middle.
    case spinner(SpinnerIndicator.Size)
    /// A bar along the lower edge that fills with the bytes, and moves to and fro while their number is not known.
    case progressBar
    /// A ring in the middle that fills with the bytes, and turns while their number is not known.
    case progressRing
    /// Any widget; made once for each view when it first loads.
    case custom(@MainActor () -> any WidgetIndicator)

    /// Makes the indicator.
    @MainActor
    func make() -> any WidgetIndicator {
        switch self {
        case .spinner(let size): SpinnerIndicator(size)
        case .progressBar: ProgressBarIndicator()
        case .progressRing: ProgressRingIndicator()
        case .custom(let make): make()
        }
    }
}
