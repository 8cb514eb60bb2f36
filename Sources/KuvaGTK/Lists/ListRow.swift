internal import CGTK
internal import KuvaCore

/// A list item of GTK with its cell: what it shows, and how far that has come.
@MainActor
final class ListRow {
    /// The way of a row's picture, from the time when the list binds the row.
    enum Stage {
        /// Nothing is to be shown, or the row's picture has been asked for.
        case done
        /// Nobody has looked for the picture yet.
        case bound
        /// It is not in memory, and its load has not begun.
        case missed
    }

    let cell: any ImageCell
    /// The cell, if it is to hear of its rows.
    let listener: (any RowListening)?
    /// The cell's `GtkWidget`.
    let widget: UnsafeMutableRawPointer
    /// The row of the list that the cell shows; `nil` for none.
    var position: Int?
    var stage = Stage.done
    var isInView = false
    /// Whether the view may still show, or load, the picture of a row that the cell showed before.
    var isStale = false
    /// How often a row was bound or loaded, so that what an earlier one brings is told from the newest.
    var number = 0
    /// What is loaded, or missed, as it was asked for; of an earlier row while the stage is ``Stage/bound``. The last of
    /// all, so that the rest is together in memory.
    var request: ImageRequest?

    init(_ cell: any ImageCell) {
        self.cell = cell
        listener = cell as? any RowListening
        widget = cell.widget
    }

    /// Whether the cell is in a list that is on the screen, in view or not: `GtkListView` unmaps the rows out of view.
    var isMapped: Bool {
        if gtk_widget_get_mapped(widget.asWidget) != 0 { return true }
        guard let row = gtk_widget_get_parent(widget.asWidget), let list = gtk_widget_get_parent(row) else {
            return false
        }
        return gtk_widget_get_mapped(list) != 0
    }

    /// Whether a row is bound whose load has not begun.
    var isWaiting: Bool { position != nil && stage != .done }

    /// Takes away what the cell showed before.
    func clear() {
        guard isStale else { return }
        isStale = false
        cell.imageView.show(nil)
    }
}
