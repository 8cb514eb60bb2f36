import CGTK
import KuvaGTK
import KuvaPipeline

/// The window: a header, the grid or one picture, a panel at the side, and a line that says what came from where.
@MainActor
final class GalleryWindow {
    let gallery: Gallery
    let grid: Grid
    let viewer: Viewer
    let infoPanel: InfoPanel
    let cachePanel: CachePanel
    /// The window itself.
    let widget: Widget
    /// Called when something that was on its way has come; others may still be.
    var onSettle: @MainActor () -> Void = {}

    private let title = Make.label("Gallery", "title")
    private let subtitle = Make.label("", "subtitle")
    private let back = Make.button(icon: "go-previous-symbolic", tooltip: "All pictures (Esc)", action: "app.back")
    private let reload = Make.button(
        icon: "view-refresh-symbolic",
        tooltip: "Load again (Ctrl+R)",
        action: "app.reload"
    )
    private let info = Make.button(
        icon: "document-properties-symbolic",
        tooltip: "About this picture (I)",
        action: "app.info"
    )
    private let progress: Widget = gtk_progress_bar_new().styled("loading")
    private let offline = Make.label("Offline", "offline")
    private let status = Make.label("")
    private let problems = Make.label("", "problems")
    private let size = Make.label("")
    private let stack: Widget = gtk_stack_new()
    private let panels: Widget = gtk_stack_new()
    private let panel: Widget = gtk_revealer_new()
    private let line: Widget

    init(
        application: UnsafeMutablePointer<GtkApplication>,
        gallery: Gallery,
        manager: ImageManager,
        settings: Settings
    ) {
        self.gallery = gallery
        grid = Grid(gallery: gallery, manager: manager, cellWidth: settings.cellWidth)
        viewer = Viewer(gallery: gallery, manager: manager)
        infoPanel = InfoPanel(gallery: gallery, manager: manager)
        cachePanel = CachePanel(manager: manager)
        widget = gtk_application_window_new(application).styled("gallery")
        gtk_widget_set_hexpand(size, 1)
        gtk_widget_set_halign(size, GTK_ALIGN_END)
        line = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, [offline, status, problems, size]).styled("status")
        let window = widget.cast(to: GtkWindow.self)
        gtk_window_set_default_size(window, Int32(settings.width), Int32(settings.height))
        if settings.isMaximised { gtk_window_maximize(window) }
        gtk_window_set_icon_name(window, "image-x-generic")
        gtk_window_set_titlebar(window, makeHeader())
        gtk_window_set_child(window, makeContent())
        gallery.onChange = { [weak self] in self?.update() }
        grid.onOpen = { [weak self] in self?.open($0) }
        viewer.onChange = { [weak self] in self?.viewerChanged() }
        let tell: @MainActor () -> Void = { [weak self] in self?.onSettle() }
        grid.onSettle = tell
        viewer.area.imageView.imageBinding.onIdle = tell
        infoPanel.onSettle = tell
        cachePanel.onSettle = tell
        update()
        showPage()
        Style.apply(to: gtk_widget_get_display(widget))
    }

    /// Shows the window, with the keyboard in the grid.
    func present() {
        gtk_window_present(widget.cast(to: GtkWindow.self))
        if !gallery.items.isEmpty { grid.focus(on: 0) }
    }

    /// What is to be remembered of the window.
    var settings: Settings {
        var settings = Settings()
        let window = widget.cast(to: GtkWindow.self)
        var (width, height) = (Int32(0), Int32(0))
        gtk_window_get_default_size(window, &width, &height)
        settings.width = Int(width)
        settings.height = Int(height)
        settings.isMaximised = gtk_window_is_maximized(window) != 0
        settings.cellWidth = grid.cellWidth
        return settings
    }

    // MARK: What the user does

    /// Shows one picture.
    func open(_ index: Int) {
        viewer.show(index)
        showPage()
        gtk_widget_grab_focus(viewer.widget)
    }

    /// Back to all pictures, or out of the full screen.
    func goBack() {
        let window = widget.cast(to: GtkWindow.self)
        if gtk_window_is_fullscreen(window) != 0 { return gtk_window_unfullscreen(window) }
        guard let index = viewer.index else { return setPanel(nil) }
        if gtk_revealer_get_reveal_child(panel.opaque) != 0 { setPanel(nil) }
        viewer.close()
        showPage()
        grid.scroll(to: index)
        grid.focus(on: index)
    }

    /// The next picture, or one before.
    func step(by distance: Int) {
        guard let index = viewer.index, gallery.items.indices.contains(index + distance) else { return }
        viewer.show(index + distance)
    }

    /// Larger or smaller: the picture, or the cells.
    func zoom(by factor: Double) {
        if viewer.index == nil { grid.zoom(by: factor) } else { viewer.area.zoom(by: factor * factor) }
    }

    /// Loads again what is seen, from where it comes from.
    func loadAgain() {
        if let index = viewer.index { return viewer.show(index, isFresh: true) }
        gallery.restart()
        grid.reload(isFresh: true)
    }

    /// Only the caches from now on, or everything.
    func setOffline(_ isOffline: Bool) {
        guard gallery.isOffline != isOffline else { return }
        gallery.isOffline = isOffline
        gallery.restart()
        grid.reload(isFresh: false)
    }

    /// The gallery has other pictures.
    func filled() {
        viewer.close()
        grid.fill()
        showPage()
    }

    /// A panel at the side.
    enum Panel: String { case info, cache }

    /// Shows a panel, or hides it if it is shown.
    func toggle(_ wanted: Panel) {
        let isShown = gtk_revealer_get_reveal_child(panel.opaque) != 0
        let current = gtk_stack_get_visible_child_name(panels.opaque).map { String(cString: $0) }
        setPanel(isShown && current == wanted.rawValue ? nil : wanted)
    }

    private func setPanel(_ wanted: Panel?) {
        gtk_revealer_set_reveal_child(panel.opaque, wanted == nil ? 0 : 1)
        guard let wanted else { return }
        gtk_stack_set_visible_child_name(panels.opaque, wanted.rawValue)
        if wanted == .cache { cachePanel.update() } else { infoPanel.update(viewer) }
    }

    /// Fills the screen with the window, or no longer.
    func toggleFullscreen() {
        let window = widget.cast(to: GtkWindow.self)
        if gtk_window_is_fullscreen(window) != 0 {
            gtk_window_unfullscreen(window)
        } else {
            gtk_window_fullscreen(window)
        }
    }

    /// Whether nothing that can be seen is on its way.
    var isSettled: Bool { grid.isSettled && viewer.isSettled && infoPanel.isSettled && cachePanel.isSettled }

    // MARK: Parts

    private func makeHeader() -> Widget {
        let header: Widget = gtk_header_bar_new()
        let titles = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 0, [title, subtitle])
        gtk_widget_set_valign(titles, GTK_ALIGN_CENTER)
        gtk_header_bar_set_title_widget(header.opaque, titles)
        for button in [back, reload] { gtk_header_bar_pack_start(header.opaque, button) }
        let menu: Widget = gtk_menu_button_new()
        gtk_menu_button_set_icon_name(menu.opaque, "open-menu-symbolic")
        gtk_menu_button_set_primary(menu.opaque, 1)
        gtk_menu_button_set_has_frame(menu.opaque, 0)
        gtk_widget_set_tooltip_text(menu, "Menu (F10)")
        let model = makeMenu()
        gtk_menu_button_set_menu_model(
            menu.opaque,
            UnsafeMutableRawPointer(model).assumingMemoryBound(to: GMenuModel.self)
        )
        g_object_unref(UnsafeMutableRawPointer(model))
        let larger = Make.button(icon: "zoom-in-symbolic", tooltip: "Larger (Ctrl++)", action: "app.zoom-in")
        let smaller = Make.button(icon: "zoom-out-symbolic", tooltip: "Smaller (Ctrl+−)", action: "app.zoom-out")
        for button in [menu, info, larger, smaller] { gtk_header_bar_pack_end(header.opaque, button) }
        return header
    }

    private func makeMenu() -> OpaquePointer {
        let menu = g_menu_new()!
        let sections: [[(String, String)]] = [
            [("_Open Folder…", "app.open"), ("_Load Again", "app.reload")],
            [("Work O_ffline", "app.offline"), ("_Dark", "app.dark"), ("_Full Screen", "app.fullscreen")],
            [("_Cache", "app.cache"), ("_Quit", "app.quit")],
        ]
        for items in sections {
            let section = g_menu_new()!
            for (label, action) in items { g_menu_append(section, label, action) }
            g_menu_append_section(menu, nil, UnsafeMutableRawPointer(section).assumingMemoryBound(to: GMenuModel.self))
            g_object_unref(UnsafeMutableRawPointer(section))
        }
        return menu
    }

    private func makeContent() -> Widget {
        let overlay: Widget = gtk_overlay_new()
        gtk_overlay_set_child(overlay.opaque, grid.widget)
        gtk_widget_set_valign(progress, GTK_ALIGN_START)
        gtk_widget_set_can_target(progress, 0)
        gtk_overlay_add_overlay(overlay.opaque, progress)
        gtk_stack_add_named(stack.opaque, overlay, "grid")
        gtk_stack_add_named(stack.opaque, viewer.widget, "viewer")
        gtk_stack_add_named(stack.opaque, Welcome.make(), "welcome")
        gtk_stack_set_transition_type(stack.opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
        gtk_widget_set_hexpand(stack, 1)
        gtk_widget_set_vexpand(stack, 1)
        for (part, name) in [(infoPanel.widget, Panel.info), (cachePanel.widget, Panel.cache)] {
            let scrolled: Widget = gtk_scrolled_window_new()
            gtk_scrolled_window_set_policy(scrolled.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
            gtk_scrolled_window_set_child(scrolled.opaque, part)
            gtk_widget_set_size_request(scrolled, 280, -1)
            gtk_stack_add_named(panels.opaque, scrolled, name.rawValue)
        }
        panels.styled("side")
        gtk_revealer_set_child(panel.opaque, panels)
        gtk_revealer_set_transition_type(panel.opaque, GTK_REVEALER_TRANSITION_TYPE_SLIDE_LEFT)
        let row = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 0, [stack, panel])
        return Make.box(GTK_ORIENTATION_VERTICAL, spacing: 0, [row, line])
    }

    // MARK: What is shown

    private func showPage() {
        let isViewing = viewer.index != nil
        let page = isViewing ? "viewer" : gallery.items.isEmpty ? "welcome" : "grid"
        gtk_stack_set_visible_child_name(stack.opaque, page)
        back.setVisible(isViewing)
        info.setVisible(isViewing)
        line.setVisible(page == "grid")
        updateTitle()
    }

    private func updateTitle() {
        let count = gallery.items.count
        let (name, place): (String, String) =
            if let index = viewer.index {
                (gallery.items[index].name, "\(index + 1) of \(count)")
            } else {
                ("Gallery", count == 0 ? "" : Words.pictures(count))
            }
        gtk_window_set_title(widget.cast(to: GtkWindow.self), name)
        gtk_label_set_text(title.opaque, name)
        gtk_label_set_text(subtitle.opaque, place)
        subtitle.setVisible(!place.isEmpty)
    }

    private func viewerChanged() {
        updateTitle()
        if gtk_revealer_get_reveal_child(panel.opaque) != 0 { infoPanel.update(viewer) }
    }

    private func update() {
        let summary = gallery.summary
        let visible = grid.loadedPart
        updateTitle()
        gtk_progress_bar_set_fraction(progress.opaque, visible)
        progress.setVisible(visible > 0 && visible < 1)
        offline.setVisible(gallery.isOffline)
        gtk_label_set_text(status.opaque, Words.origins(summary.origins))
        gtk_label_set_text(problems.opaque, summary.failed == 0 ? "" : "\(summary.failed) failed")
        problems.setVisible(summary.failed > 0)
        gtk_label_set_text(size.opaque, summary.byteCount > 0 ? Words.bytes(summary.byteCount) : "")
        let current = gtk_stack_get_visible_child_name(panels.opaque).map { String(cString: $0) }
        if gtk_revealer_get_reveal_child(panel.opaque) != 0, current == Panel.cache.rawValue { cachePanel.update() }
    }
}
