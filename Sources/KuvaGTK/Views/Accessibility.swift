internal import CGTK

/// What assistive technology is told.
@MainActor
enum Accessibility {
    /// Whether the widget's content is about to change.
    static func setBusy(_ isBusy: Bool, _ widget: UnsafeMutableRawPointer) {
        var value = GValue()
        g_value_init(&value, FundamentalType.boolean)
        g_value_set_boolean(&value, isBusy.gboolean)
        var state = GTK_ACCESSIBLE_STATE_BUSY
        gtk_accessible_update_state_value(widget.opaque, 1, &state, &value)
        g_value_unset(&value)
    }

    /// The name under which the widget is read out; `nil` takes it away.
    static func setName(_ name: String?, _ widget: UnsafeMutableRawPointer) {
        guard let name else { return gtk_accessible_reset_property(widget.opaque, GTK_ACCESSIBLE_PROPERTY_LABEL) }
        var value = GValue()
        g_value_init(&value, FundamentalType.string)
        g_value_set_string(&value, name)
        var property = GTK_ACCESSIBLE_PROPERTY_LABEL
        gtk_accessible_update_property_value(widget.opaque, 1, &property, &value)
        g_value_unset(&value)
    }

    /// How far something is, from 0 to 100; `nil` where no one knows.
    static func setProgress(_ percent: Int?, _ text: String, _ widget: UnsafeMutableRawPointer) {
        guard let percent else {
            for property in [GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT] {
                gtk_accessible_reset_property(widget.opaque, property)
            }
            return
        }
        var properties = [
            GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
            GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
        ]
        var values = [0, 100, Double(percent)].map { number in
            var value = GValue()
            g_value_init(&value, FundamentalType.double)
            g_value_set_double(&value, number)
            return value
        }
        var name = GValue()
        g_value_init(&name, FundamentalType.string)
        g_value_set_string(&name, text)
        values.append(name)
        gtk_accessible_update_property_value(widget.opaque, CInt(values.count), &properties, &values)
        for index in values.indices { g_value_unset(&values[index]) }
    }
}
