internal import CGTK

/// Whether the user wants things to move.
@MainActor
enum Motion {
    /// What the desktop's setting says (`gtk-enable-animations`); `true` where there is none.
    static func isEnabled(for widget: UnsafeMutableRawPointer) -> Bool {
        guard let settings = gtk_widget_get_settings(widget.asWidget) else { return true }
        var value = GValue()
        g_value_init(&value, FundamentalType.boolean)
        defer { g_value_unset(&value) }
        let object = UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self)
        g_object_get_property(object, "gtk-enable-animations", &value)
        return g_value_get_boolean(&value) != 0
    }
}
