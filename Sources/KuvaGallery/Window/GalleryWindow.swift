import CGTK
import KuvaGTK
import KuvaPipeline

/// The window: a header with the number of pictures, the grid, and a line that says what came from where.
@MainActor
final class GalleryWindow {
    let gallery: Gallery
    let grid: Grid
    /// The window itself.
    let widget: Widget

    private let subtitle = Make.label("", "subtitle")
    private let progress: Widget = gtk_progress_bar_new().styled("loading")
    private let status = Make.label("")
    private let problems = Make.label("", "problems")
    private let size = Make.label("")

    init(application: UnsafeMutablePointer<GtkApplication>, gallery: Gallery, manager: ImageManager) {
        self.gallery = gallery
        grid = Grid(gallery: gallery, manager: manager)
        widget = gtk_application_window_new(application).styled("gallery")
        let window = widget.cast(to: GtkWindow.self)
        gtk_window_set_default_size(window, 1_180, 660)
        gtk_window_set_title(window, "Gallery")
        gtk_window_set_titlebar(window, makeHeader())
        gtk_window_set_child(window, makeContent())
        gallery.onChange = { [weak self] in self?.update() }
        update()
        Style.apply(to: gtk_widget_get_display(widget))
    }

    func present() { gtk_window_present(widget.cast(to: GtkWindow.self)) }

    private func makeHeader() -> Widget {
        let header: Widget = gtk_header_bar_new()
        let title = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 0, [Make.label("Gallery", "title"), subtitle])
        gtk_widget_set_valign(title, GTK_ALIGN_CENTER)
        gtk_header_bar_set_title_widget(header.opaque, title)
        let reload = Make.button(icon: "view-refresh-symbolic", tooltip: "Load again (Ctrl+R)", action: "app.reload")
        gtk_header_bar_pack_start(header.opaque, reload)
        let zoom = Make.box(
            GTK_ORIENTATION_HORIZONTAL,
            spacing: 0,
            [
                Make.button(icon: "list-remove-symbolic", tooltip: "Smaller (Ctrl+−)", action: "app.zoom-out"),
                Make.button(icon: "list-add-symbolic", tooltip: "Larger (Ctrl++)", action: "app.zoom-in"),
            ]
        )
        gtk_header_bar_pack_end(header.opaque, zoom)
        return header
    }

    private func makeContent() -> Widget {
        let overlay: Widget = gtk_overlay_new()
        gtk_overlay_set_child(overlay.opaque, grid.widget)
        gtk_widget_set_valign(progress, GTK_ALIGN_START)
        gtk_widget_set_can_target(progress, 0)
        gtk_overlay_add_overlay(overlay.opaque, progress)
        gtk_widget_set_vexpand(overlay, 1)
        gtk_widget_set_hexpand(size, 1)
        gtk_widget_set_halign(size, GTK_ALIGN_END)
        let line = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, [status, problems, size]).styled("status")
        return Make.box(GTK_ORIENTATION_VERTICAL, spacing: 0, [overlay, line])
    }

    private func update() {
        let count = gallery.items.count
        let summary = gallery.summary
        let isLoading = summary.settled < count
        gtk_label_set_text(subtitle.opaque, Words.pictures(count))
        gtk_progress_bar_set_fraction(progress.opaque, Double(summary.settled) / Double(max(1, count)))
        gtk_widget_set_visible(progress, isLoading ? 1 : 0)
        let origins = Words.origins(summary.origins)
        let state = isLoading ? "Loading: \(summary.settled) of \(count)" : origins
        gtk_label_set_text(status.opaque, isLoading && !origins.isEmpty ? "\(state) — \(origins)" : state)
        gtk_label_set_text(problems.opaque, summary.failed == 0 ? "" : "\(summary.failed) failed")
        gtk_widget_set_visible(problems, summary.failed == 0 ? 0 : 1)
        gtk_label_set_text(size.opaque, summary.byteCount > 0 ? Words.bytes(summary.byteCount) : "")
    }
}
