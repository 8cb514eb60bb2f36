internal import CGTK

/// The CSS nodes of a ring: widgets that are never shown and say how wide its lines are, and in which colours.
@MainActor
struct ProgressNodes {
    private let track: UnsafeMutablePointer<GtkWidget>
    private let arc: UnsafeMutablePointer<GtkWidget>

    /// Adds them to a ring.
    init(in overlay: UnsafeMutablePointer<GtkWidget>) {
        track = Self.makeNode("trough")
        arc = Self.makeNode("progress")
        for node in [track, arc] {
            gtk_overlay_add_overlay(overlay.opaque, node)
            gtk_widget_set_child_visible(node, 0)
        }
    }

    var trackWidth: Double { Self.width(track) }
    var arcWidth: Double { Self.width(arc) }
    var trackColour: GdkRGBA { Self.colour(track) }
    var arcColour: GdkRGBA { Self.colour(arc) }

    /// A `GtkOverlay` that is a progress bar to CSS and assistive technology.
    static func makeRing() -> UnsafeMutablePointer<GtkWidget> {
        var role = GValue()
        g_value_init(&role, gtk_accessible_role_get_type())
        defer { g_value_unset(&role) }
        g_value_set_enum(&role, CInt(GTK_ACCESSIBLE_ROLE_PROGRESS_BAR.rawValue))
        return make(gtk_overlay_get_type(), ["css-name": string("circularprogress"), "accessible-role": role])
    }

    private static func makeNode(_ name: String) -> UnsafeMutablePointer<GtkWidget> {
        make(gtk_box_get_type(), ["css-name": string(name)])
    }

    private static func string(_ text: String) -> GValue {
        var value = GValue()
        g_value_init(&value, FundamentalType.string)
        g_value_set_string(&value, text)
        return value
    }

    private static func make(_ type: GType, _ properties: [String: GValue]) -> UnsafeMutablePointer<GtkWidget> {
        let names = properties.map { UnsafePointer(g_strdup($0.key)) }
        defer { for name in names { g_free(UnsafeMutableRawPointer(mutating: name)) } }
        var (keys, values) = (names, properties.map(\.value))
        let object = g_object_new_with_properties(type, guint(keys.count), &keys, &values)!
        return UnsafeMutableRawPointer(object).asWidget
    }

    private static func width(_ node: UnsafeMutablePointer<GtkWidget>) -> Double {
        var width: CInt = 0
        gtk_widget_measure(node, GTK_ORIENTATION_HORIZONTAL, -1, &width, nil, nil, nil)
        return Double(width)
    }

    private static func colour(_ node: UnsafeMutablePointer<GtkWidget>) -> GdkRGBA {
        var colour = GdkRGBA()
        gtk_style_context_get_color(gtk_widget_get_style_context(node), &colour)
        return colour
    }

    /// Gives every ring of the display its looks, below the theme and whatever the program says; once.
    static func installDefaults() {
        guard let display = gdk_display_get_default() else { return }
        let (object, key) = (UnsafeMutableRawPointer(display).assumingMemoryBound(to: GObject.self), "kuva-progress")
        guard g_object_get_data(object, key) == nil, let provider = gtk_css_provider_new() else { return }
        let rules = """
            circularprogress > trough { color: lightgrey; min-width: 4px; }
            circularprogress > progress { color: red; min-width: 4px; }
            """
        gtk_css_provider_load_from_data(provider, rules, -1)
        gtk_style_context_add_provider_for_display(
            display,
            OpaquePointer(provider),
            guint(GTK_STYLE_PROVIDER_PRIORITY_FALLBACK)
        )
        // The display owns it.
        g_object_set_data_full(object, key, provider) { g_object_unref($0) }
    }
}
