import CGTK
import KuvaGTK
import KuvaPipeline

/// The scrolling grid of all pictures. It has widgets for what is in view and a little more, however many there are.
@MainActor
final class Grid {
    /// The scrolled window with the grid in it.
    let widget: Widget

    /// Whether pictures come from their source, not from a cache.
    var isFresh = false

    private let gallery: Gallery
    private let manager: ImageManager
    private let grid: Widget
    private var cells: [UnsafeMutableRawPointer: Cell] = [:]
    private var cellWidth: Int32 = 216

    init(gallery: Gallery, manager: ImageManager) {
        self.gallery = gallery
        self.manager = manager
        let texts = gtk_string_list_new(nil)
        for item in gallery.items { gtk_string_list_append(texts, item.text) }
        let factory = gtk_signal_list_item_factory_new()
        grid = gtk_grid_view_new(gtk_no_selection_new(texts), factory)
        gtk_grid_view_set_min_columns(grid.opaque, 1)
        gtk_grid_view_set_max_columns(grid.opaque, 16)
        gtk_scrollable_set_vscroll_policy(grid.opaque, GTK_SCROLL_NATURAL)
        widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(widget.opaque, grid)
        gtk_widget_set_vexpand(widget, 1)
        if let factory { connect(UnsafeMutableRawPointer(factory)) }
    }

    private func connect(_ factory: UnsafeMutableRawPointer) {
        Signal.connect(factory, "setup") { [weak self] (item: UnsafeMutableRawPointer) in self?.setUp(item) }
        Signal.connect(factory, "bind") { [weak self] (item: UnsafeMutableRawPointer) in self?.bind(item) }
        Signal.connect(factory, "unbind") { [weak self] (item: UnsafeMutableRawPointer) in self?.cells[item]?.unbind() }
        Signal.connect(factory, "teardown") { [weak self] (item: UnsafeMutableRawPointer) in self?.cells[item] = nil }
    }

    private func setUp(_ item: UnsafeMutableRawPointer) {
        let cell = Cell(gallery: gallery, manager: manager, width: cellWidth)
        cells[item] = cell
        gtk_list_item_set_child(OpaquePointer(item), cell.widget)
        gtk_list_item_set_activatable(OpaquePointer(item), 0)
    }

    private func bind(_ item: UnsafeMutableRawPointer) {
        let index = Int(gtk_list_item_get_position(OpaquePointer(item)))
        cells[item]?.bind(index, isFresh: isFresh && !gallery.items[index].isSettled)
    }

    /// Whether no cell in view waits for its picture.
    var isSettled: Bool { !cells.values.contains { $0.isLoading } }

    /// Makes the cells larger or smaller, within limits.
    func zoom(by factor: Double) {
        cellWidth = Int32(min(480, max(120, (Double(cellWidth) * factor).rounded())))
        for cell in cells.values { cell.setWidth(cellWidth) }
    }

    /// Loads all pictures in view again.
    func reload() {
        for item in cells.keys { bind(item) }
    }

    /// Scrolls until a picture is in view.
    func scroll(to index: Int) {
        gtk_widget_activate_action_variant(grid, "list.scroll-to-item", g_variant_new_uint32(guint32(index)))
    }
}
