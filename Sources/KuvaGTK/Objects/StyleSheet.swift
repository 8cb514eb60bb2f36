internal import CGTK

/// CSS of Kuva's own for what its widgets need.
struct StyleSheet {
    /// The rules.
    let css: String
    /// Whether the user's theme comes first; the program always does.
    let yieldsToTheme: Bool
    /// Under which a display says that it has the rules.
    let key: String

    /// Gives the rules to a display, once.
    @MainActor
    func apply(to display: OpaquePointer?) {
        guard let display else { return }
        let object = UnsafeMutableRawPointer(display).assumingMemoryBound(to: GObject.self)
        guard g_object_get_data(object, key) == nil, let provider = gtk_css_provider_new() else { return }
        g_object_set_data(object, key, UnsafeMutableRawPointer(display))
        gtk_css_provider_load_from_data(provider, css, -1)
        let priority = yieldsToTheme ? GTK_STYLE_PROVIDER_PRIORITY_FALLBACK : GTK_STYLE_PROVIDER_PRIORITY_SETTINGS
        gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), guint(priority))
        g_object_unref(UnsafeMutableRawPointer(provider))
    }
}
