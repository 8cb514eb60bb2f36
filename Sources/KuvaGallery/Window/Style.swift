import CGTK

/// How the window looks. Colours come from the user's theme, so that light and dark both work.
enum Style {
    private static let css = """
        window.gallery { background-color: @theme_bg_color; }
        window.frameless { padding: 0; border: none; box-shadow: none; }
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
        .cell .failure { color: alpha(@theme_fg_color, 0.62); padding: 12px; }
        .cell .failure image { -gtk-icon-size: 32px; opacity: 0.75; }
        .cell .failure .name { font-size: smaller; opacity: 0.75; }
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
        .gallery .status .problems { color: @error_color; }
        """

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
