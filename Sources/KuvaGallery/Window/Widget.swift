import CGTK

/// A pointer to a widget, as most GTK functions take it.
typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// The same pointer, for the widgets whose structs GTK hides.
    var opaque: OpaquePointer { OpaquePointer(self) }

    /// The same pointer without a type.
    var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }

    /// The same pointer as that of a base class or a subclass.
    func cast<Object>(to type: Object.Type) -> UnsafeMutablePointer<Object> { raw.assumingMemoryBound(to: type) }

    /// Adds CSS classes.
    @discardableResult
    func styled(_ classes: String...) -> Widget {
        for name in classes { gtk_widget_add_css_class(self, name) }
        return self
    }
}

/// The few kinds of widgets that the window is made of.
enum Make {
    /// A box with children.
    static func box(_ orientation: GtkOrientation, spacing: Int32, _ children: [Widget]) -> Widget {
        let box: Widget = gtk_box_new(orientation, spacing)
        for child in children { gtk_box_append(box.cast(to: GtkBox.self), child) }
        return box
    }

    /// A line of text that is cut off with dots where there is no room.
    static func label(_ text: String, _ classes: String...) -> Widget {
        let label: Widget = gtk_label_new(text)
        gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END)
        for name in classes { gtk_widget_add_css_class(label, name) }
        return label
    }

    /// A button with a symbolic icon.
    static func button(icon: String, tooltip: String, action: String) -> Widget {
        let button: Widget = gtk_button_new_from_icon_name(icon).styled("flat")
        gtk_widget_set_tooltip_text(button, tooltip)
        gtk_actionable_set_action_name(button.opaque, action)
        return button
    }
}
