import CGTK

/// Writes what a window shows to a PNG file, without help from the display.
enum Screenshot {
    /// Writes the window without its frame: the title bar and what is below it. It must have been drawn since its last
    /// change.
    ///
    /// - Returns: whether the file was written.
    static func write(_ window: Widget, to path: String) -> Bool {
        guard let paintable = gtk_widget_paintable_new(window), let snapshot = gtk_snapshot_new() else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let (width, height) = (gtk_widget_get_width(window), gtk_widget_get_height(window))
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return false }
        defer { gsk_render_node_unref(node) }
        guard let native = gtk_widget_get_native(window), let renderer = gtk_native_get_renderer(native) else {
            return false
        }
        var area = contentArea(of: window)
        guard let texture = gsk_renderer_render_texture(renderer, node, &area) else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return gdk_texture_save_to_png(texture, path) != 0
    }

    private static func contentArea(of window: Widget) -> graphene_rect_t {
        let gtkWindow = window.cast(to: GtkWindow.self)
        var area = graphene_rect_t()
        for part in [gtk_window_get_titlebar(gtkWindow), gtk_window_get_child(gtkWindow)] {
            var bounds = graphene_rect_t()
            guard let part, gtk_widget_compute_bounds(part, window, &bounds) != 0 else { continue }
            var union = bounds
            if area.size.width > 0 { graphene_rect_union(&area, &bounds, &union) }
            area = union
        }
        return area
    }
}
