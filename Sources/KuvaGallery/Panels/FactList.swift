import CGTK

/// Facts one below the other: what it is called, small, and what it is.
@MainActor
final class FactList {
    /// The list.
    let widget: Widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 12, [])

    private var values: [(row: Widget, label: Widget)] = []

    init(_ names: [String]) {
        for name in names {
            let value = Make.text("", "value")
            gtk_label_set_selectable(value.opaque, 1)
            // A selectable text would take the keyboard from the picture.
            gtk_widget_set_focusable(value, 0)
            let row = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 2, [Make.text(name, "name"), value]).styled("fact")
            gtk_box_append(widget.cast(to: GtkBox.self), row)
            values.append((row, value))
        }
    }

    /// Sets what they are, in order; those that are `nil` are hidden.
    func set(_ texts: [String?]) {
        for (value, text) in zip(values, texts) {
            gtk_label_set_text(value.label.opaque, text ?? "")
            value.row.setVisible(text != nil)
        }
    }
}
