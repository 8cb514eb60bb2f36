import CGTK

/// How the window looks. Colours come from the user's theme, so that light and dark both work.
enum Style {
    private static let css = """
        window.gallery { background-color: @theme_bg_color; }
        window.frameless { padding: 0; border: none; box-shadow: none; border-radius: 0; }
        .gallery headerbar { background: @theme_bg_color; border: none; box-shadow: none; min-height: 48px; }
        .gallery headerbar .title { font-weight: bold; }
        .gallery headerbar .subtitle { font-size: smaller; opacity: 0.6; }
        .gallery gridview { background: none; padding: 10px; }
        .gallery gridview > child { padding: 6px; background: none; outline-offset: -5px; border-radius: 18px; }
        .cell {
            border-radius: 12px;
            background-color: alpha(@theme_fg_color, 0.07);
            transition: box-shadow 150ms ease-out;
        }
        .cell.loaded { box-shadow: 0 1px 3px alpha(black, 0.28); }
        gridview > child:hover .cell.loaded { box-shadow: 0 4px 12px alpha(black, 0.38); }
        .cell spinner { opacity: 0.55; }
        .cell .caption {
            color: white;
            padding: 24px 12px 8px;
            font-size: smaller;
            background-image: linear-gradient(to top, alpha(black, 0.62), transparent);
            opacity: 0;
            transition: opacity 150ms ease-out;
        }
        gridview > child:hover .cell.loaded .caption,
        gridview > child:focus-visible .cell.loaded .caption { opacity: 1; }
        .failure { color: alpha(@theme_fg_color, 0.66); padding: 12px; }
        .failure image { -gtk-icon-size: 32px; opacity: 0.75; }
        .cell .failure { margin: 0; border-spacing: 0; }
        .cell .failure .heading { font-size: 0.95em; }
        .cell .failure .name { font-size: smaller; opacity: 0.75; }
        .cell .failure button { margin-top: 6px; padding: 2px 12px; border-radius: 99px; font-size: smaller; }
        @define-color kuva_progress_track alpha(@theme_fg_color, 0.15);
        @define-color kuva_progress_arc @theme_selected_bg_color;
        .viewer .failure image { -gtk-icon-size: 64px; }
        .viewer { background-color: shade(@theme_bg_color, 0.94); }
        .viewer > button.osd { margin: 12px; min-width: 40px; min-height: 40px; border-radius: 99px; }
        .viewer > button.osd:disabled { opacity: 0; }
        .gallery .side { border-left: 1px solid alpha(@borders, 0.6); }
        .panel { padding: 18px; }
        .panel .second { margin-top: 18px; }
        .panel .fact .name { font-size: smaller; opacity: 0.6; }
        .panel levelbar block { min-height: 8px; border-radius: 99px; border: none; }
        .panel levelbar trough { padding: 0; border-radius: 99px; border: none; }
        .panel levelbar block.filled { background-color: @theme_selected_bg_color; }
        .panel levelbar block.empty { background-color: alpha(@theme_fg_color, 0.12); }
        .title-1 { font-weight: 800; font-size: 20pt; }
        .title-2 { font-weight: 800; font-size: 15pt; }
        .title-4 { font-weight: 700; font-size: 13pt; }
        .welcome image { -gtk-icon-size: 96px; opacity: 0.35; }
        .welcome .hint { opacity: 0.7; }
        button.pill { border-radius: 99px; padding: 8px 28px; }
        .gallery progressbar.loading, .gallery progressbar.loading trough {
            min-height: 3px; border: none; border-radius: 0; background: none; padding: 0; margin: 0;
        }
        .gallery progressbar.loading progress { min-height: 3px; border: none; border-radius: 0; margin: 0; }
        .gallery .status {
            padding: 8px 18px;
            border-top: 1px solid alpha(@borders, 0.5);
            font-size: smaller;
        }
        .gallery .status label { color: alpha(@theme_fg_color, 0.72); }
        .gallery .status .problems { color: mix(@error_color, @theme_fg_color, 0.3); }
        .gallery .status .offline {
            background-color: alpha(@warning_color, 0.25);
            border-radius: 99px;
            padding: 0 10px;
        }
        """

    /// Dark or light, for the whole program.
    @MainActor
    static func setDark(_ isDark: Bool) { set("gtk-application-prefer-dark-theme", isDark) }

    /// Lets nothing move, so that a picture of the window never shows half of a transition.
    @MainActor
    static func stopMotion() { set("gtk-enable-animations", false) }

    @MainActor
    private static func set(_ property: String, _ isOn: Bool) {
        guard let settings = gtk_settings_get_default() else { return }
        var value = GValue()
        // G_TYPE_BOOLEAN, which is a macro.
        g_value_init(&value, GType(5 << 2))
        g_value_set_boolean(&value, isOn ? 1 : 0)
        g_object_set_property(UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self), property, &value)
        g_value_unset(&value)
    }

    /// Gives the style to everything on a display.
    static func apply(to display: OpaquePointer?) {
        guard let display, let provider = gtk_css_provider_new() else { return }
        gtk_css_provider_load_from_data(provider, css, -1)
        gtk_style_context_add_provider_for_display(
            display,
            OpaquePointer(provider),
            guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION)
        )
        g_object_unref(UnsafeMutableRawPointer(provider))
    }
}
