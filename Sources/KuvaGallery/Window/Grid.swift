import CGTK
import KuvaGTK
import KuvaPipeline

/// The scrolling grid of all pictures. It has widgets for what is in view and a little more, however many there are.
@MainActor
final class Grid {
    /// The scrolled window with the grid in it.
    let widget: Widget

    /// Called when the user opens a picture.
    var onOpen: @MainActor (Int) -> Void = { _ in }

    /// Called when the picture of a cell has come, or will not.
    var onSettle: @MainActor () -> Void = {}

    /// How wide a card wants to be.
    private(set) var cellWidth: Int

    private let gallery: Gallery
    private let grid: Widget
    private let texts: OpaquePointer?
    private let factory: ImageListFactory

    init(gallery: Gallery, manager: ImageManager, cellWidth: Int) {
        self.gallery = gallery
        self.cellWidth = cellWidth
        texts = gtk_string_list_new(nil)
        let box = Box()
        let factory = ImageListFactory(
            manager: manager,
            count: { gallery.items.count },
            request: { try? gallery.request($0).get() },
            makeCell: {
                let width = box.grid?.cellWidth ?? cellWidth
                let cell = Cell(gallery: gallery, manager: manager, width: width) { box.grid?.retry($0) }
                cell.imageView.imageBinding.onIdle = { box.grid?.onSettle() }
                return cell
            }
        )
        self.factory = factory
        let model = gtk_no_selection_new(texts)
        grid = gtk_grid_view_new(model, OpaquePointer(factory.makeFactory()))
        gtk_grid_view_set_min_columns(grid.opaque, 1)
        gtk_grid_view_set_max_columns(grid.opaque, 16)
        gtk_grid_view_set_single_click_activate(grid.opaque, 1)
        gtk_scrollable_set_vscroll_policy(grid.opaque, GTK_SCROLL_NATURAL)
        widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(widget.opaque, grid)
        gtk_widget_set_vexpand(widget, 1)
        box.grid = self
        Signal.connect(grid.raw, "activate") { [weak self] (position: Int32) in self?.onOpen(Int(position)) }
        fill()
    }

    /// Lets the makers of cells find the grid, which is not complete yet when they are made.
    private final class Box {
        weak var grid: Grid?
    }

    /// The gallery has other pictures now.
    func fill() {
        guard let texts else { return }
        gtk_string_list_splice(texts, 0, g_list_model_get_n_items(texts), nil)
        for item in gallery.items { gtk_string_list_append(texts, item.text) }
    }

    private var cells: [Cell] { factory.cells.values.compactMap { $0 as? Cell } }

    /// Whether no cell in view waits for its picture.
    var isSettled: Bool { !cells.contains { $0.isLoading } }

    /// How many of the cells have their picture, or the reason why there is none: from 0 to 1.
    var loadedPart: Double {
        let cells = cells
        guard !cells.isEmpty else { return 1 }
        return Double(cells.count { !$0.isLoading }) / Double(cells.count)
    }

    /// Makes the cells larger or smaller, within limits.
    func zoom(by factor: Double) {
        cellWidth = Int(min(480, max(120, (Double(cellWidth) * factor).rounded())))
        for cell in cells { cell.setWidth(cellWidth) }
    }

    /// Loads all pictures in view again.
    ///
    /// - Parameter isFresh: whether they, and those that scroll into view later, come from their source.
    func reload(isFresh: Bool) {
        factory.reloads = isFresh
        for (position, cell) in factory.cells { (cell as? Cell)?.bind(position) }
        factory.reloadAll()
    }

    /// Scrolls until a picture is in view.
    func scroll(to index: Int) {
        gtk_widget_activate_action_variant(grid, "list.scroll-to-item", g_variant_new_uint32(guint32(index)))
    }

    /// Gives a picture the keyboard, or the grid where that has no cell.
    func focus(on index: Int) {
        let cell = factory.cells[index]?.widget.assumingMemoryBound(to: GtkWidget.self)
        gtk_widget_grab_focus(cell.flatMap { gtk_widget_get_parent($0) } ?? grid)
    }

    private func retry(_ index: Int) {
        gallery.restart(index)
        guard let cell = factory.cells[index] else { return }
        (cell as? Cell)?.bind(index)
        factory.reloads = true
        factory.reload(index)
        factory.reloads = false
    }
}
