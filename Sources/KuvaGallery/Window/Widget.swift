import CGTK
import KuvaGTK

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

    /// Shows or hides it.
    func setVisible(_ isVisible: Bool) { gtk_widget_set_visible(self, isVisible ? 1 : 0) }
}

/// The few kinds of widgets that the window is made of.
@MainActor
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

    /// Text that takes as many lines as it needs.
    static func text(_ text: String, _ classes: String...) -> Widget {
        let label: Widget = gtk_label_new(text)
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_xalign(label.opaque, 0)
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

    /// A button with words.
    static func button(_ text: String, _ act: @escaping @MainActor () -> Void) -> Widget {
        let button: Widget = gtk_button_new_with_label(text)
        Signal.connect(button.raw, "clicked", act)
        return button
    }

    /// Gives a widget keys that count while the keyboard's focus is in it.
    static func keys(_ widget: Widget, _ keys: [(trigger: String, action: String)]) {
        let controller = gtk_shortcut_controller_new()
        for (trigger, action) in keys {
            let shortcut = gtk_shortcut_new(
                gtk_shortcut_trigger_parse_string(trigger),
                gtk_named_action_new(action)
            )
            gtk_shortcut_controller_add_shortcut(controller, shortcut)
        }
        gtk_widget_add_controller(widget, controller)
    }
}
