internal import CGTK
internal import CKuvaGTK
public import Kuva
public import KuvaCore
public import KuvaPipeline
internal import KuvaUI

/// Fills the rows of a `GtkListView` or `GtkGridView` with pictures as they scroll into view.
///
/// It makes cells and uses them for one row after another: binds and unbinds them, loads their pictures in the size in
/// which they are shown, those in view before the others, and cancels what has scrolled away. The pictures of the rows
/// that come next in the way in which the user scrolls are fetched ahead.
///
/// GTK binds and unbinds hundreds of rows in a frame of a fling. All that is done then is to note it. When the list has
/// been laid out, before the frame is drawn, the pictures of the rows in view that are in memory are shown, so that a
/// row never flashes empty. The others begin to load once their rows are likely to stay: as long as half of the rows in
/// view were there in the frame before. What starts and ends loads runs away from the main thread.
///
/// ```swift
/// let factory = ImageListFactory(
///     count: { urls.count },
///     request: { ImageRequest(url: urls[$0]) },
///     makeCell: { PlainImageCell(ImageView()) }
/// )
/// let grid = gtk_grid_view_new(model, factory.makeFactory())
/// ```
///
/// The `GtkListItemFactory` keeps this object alive.
@MainActor
public final class ImageListFactory {
    /// How many rows are fetched ahead of those that have cells; 24 by default, 0 for none.
    public var prefetchCount: Int {
        get { loader.prefetchCount }
        set { loader.prefetchCount = newValue }
    }

    /// Whether pictures come from their source, whatever the caches have; `false` by default. For rows loaded later.
    public var reloads: Bool {
        get { loader.reloads }
        set { loader.reloads = newValue }
    }

    private let makeCell: @MainActor () -> any ImageCell
    private let loader: ListLoader
    private var rows: [ListRow] { loader.currentRows }

    /// - Parameters:
    ///   - manager: who fetches ahead; the cells' views load through their own.
    ///   - count: how many rows the list has now.
    ///   - request: the picture of a row; `nil` for a row without one.
    ///   - makeCell: makes a cell; a list needs a few more than are visible.
    public init(
        manager: ImageManager = .shared,
        count: @escaping @MainActor () -> Int,
        request: @escaping @MainActor (Int) -> ImageRequest?,
        makeCell: @escaping @MainActor () -> any ImageCell
    ) {
        self.makeCell = makeCell
        loader = ListLoader(manager: manager, count: count, request: request)
    }

    /// A new `GtkListItemFactory`, which `gtk_list_view_new` and `gtk_grid_view_new` take over.
    public func makeFactory() -> UnsafeMutableRawPointer {
        let factory = UnsafeMutableRawPointer(gtk_signal_list_item_factory_new()!)
        typealias Item = UnsafeMutableRawPointer
        Signal.connect(factory, "setup") { [self] (item: Item) in setUp(item) }
        // The handler above keeps the loader while there is a factory.
        loader.listen(to: factory)
        Signal.connect(factory, "teardown") { [loader] (item: Item) in loader.remove(item) }
        return factory
    }

    /// The cells that show a row now, by the position of the row.
    public var cells: [Int: any ImageCell] {
        var cells: [Int: any ImageCell] = [:]
        for row in rows { if let position = row.position { cells[position] = row.cell } }
        return cells
    }

    /// Loads the picture of a row again, if it has a cell: after its request has changed, or its load has failed.
    public func reload(_ position: Int) {
        for row in rows where row.position == position { loader.load(row) }
    }

    /// Loads the pictures of all rows that have cells again.
    public func reloadAll() {
        for row in rows { loader.load(row) }
    }

    private func setUp(_ item: UnsafeMutableRawPointer) {
        let cell = makeCell()
        let widget = cell.widget
        loader.add(cell, for: item)
        gtk_list_item_set_child(item.opaque, widget.asWidget)
        var hasMenuKey = false
        Signal.connect(widget, "map", after: true) { [weak loader, weak cell] in
            loader?.isShown(widget)
            // The row has the keyboard, and the picture is in it; only now is it there.
            guard !hasMenuKey, let cell, let row = gtk_widget_get_parent(widget.asWidget)?.raw else { return }
            hasMenuKey = true
            cell.imageView.takeMenuKey(of: row)
        }
        // A page that is hidden, or a window that is minimised, waits behind those that are seen.
        Signal.connect(widget, "unmap") { [weak cell] in cell?.imageView.imageBinding.setPriority(.low) }
    }
}
