import CGTK
import FoundationEssentials
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

/// A list in a window of 300 points: rows of 100 points, whose pictures the test answers by hand.
@MainActor
final class ListStage {
    let stage: WidgetStage
    let factory: ImageListFactory
    let list: UnsafeMutableRawPointer
    /// How the loads of rows ended, in order: the row, and whether with a picture.
    private(set) var ends: [(row: Int, isPicture: Bool)] = []
    private let scrolled: UnsafeMutableRawPointer
    private let count: Int

    static let rowHeight: Int32 = 100

    private class Cell: ImageCell {
        let imageView: ImageView
        var onEnd: @MainActor (Int, Bool) -> Void = { _, _ in }
        var widget: UnsafeMutableRawPointer { imageView.widget }

        init(_ imageView: ImageView) { self.imageView = imageView }

        func loadEnded(_ position: Int, _ result: ImageBinding.Outcome) {
            if case .success = result { onEnd(position, true) } else { onEnd(position, false) }
        }
    }

    /// A cell that hears of the rows that it shows.
    private final class ListeningCell: Cell, RowListening {
        private(set) var row: Int?

        func bind(_ position: Int) { row = position }
        func unbind() { row = nil }
    }

    /// The rows that have cells, and of which row each cell has heard last.
    var heardRows: [(row: Int, heard: Int?)] { factory.cells.map { ($0, ($1 as? ListeningCell)?.row) } }

    private final class Box { weak var stage: ListStage? }

    /// - Parameter listen: whether cells hear of the rows that they show.
    init(rows: Int, listen: Bool = false) throws {
        let stage = try WidgetStage()
        self.stage = stage
        count = rows
        let box = Box()
        factory = ImageListFactory(
            manager: stage.manager,
            count: { rows },
            request: { URL(string: "http://pictures.test/\($0)").map { ImageRequest(url: $0) } },
            makeCell: {
                let view = ImageView(manager: stage.manager)
                view.enabledActions = .contextMenu
                gtk_widget_set_size_request(asWidget(view.widget), ListStage.rowHeight, ListStage.rowHeight)
                gtk_widget_set_halign(asWidget(view.widget), GTK_ALIGN_START)
                let cell = listen ? ListeningCell(view) : Cell(view)
                cell.onEnd = { box.stage?.ends.append(($0, $1)) }
                return cell
            }
        )
        factory.prefetchCount = 0
        let texts = gtk_string_list_new(nil)
        for row in 0..<rows { gtk_string_list_append(texts, "\(row)") }
        list = UnsafeMutableRawPointer(
            try #require(gtk_list_view_new(gtk_no_selection_new(texts), OpaquePointer(factory.makeFactory())))
        )
        scrolled = UnsafeMutableRawPointer(try #require(gtk_scrolled_window_new()))
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), asWidget(list))
        stage.window.add(scrolled)
        box.stage = self
    }

    /// Shows the window and waits for its first frame.
    func present() async {
        stage.window.present()
        await pump { self.factory.cells[0].map { gtk_widget_get_mapped(asWidget($0.widget)) != 0 } ?? false }
        await stage.window.drawFrame()
    }

    /// Scrolls so that a row is the first in view.
    func scroll(to row: Int) {
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled))
        gtk_adjustment_set_value(adjustment, Double(row) * rowStep)
    }

    /// Points from row to row.
    var rowStep: Double {
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled))
        return gtk_adjustment_get_upper(adjustment) / Double(count)
    }

    /// The rows whose cells are seen, at least in part.
    var rowsInView: [Int] {
        let height = Double(gtk_widget_get_height(asWidget(list)))
        return factory.cells.compactMap { position, cell in
            var (x, y) = (0.0, 0.0)
            guard gtk_widget_get_mapped(asWidget(cell.widget)) != 0,
                gtk_widget_translate_coordinates(asWidget(cell.widget), asWidget(list), 0, 0, &x, &y) != 0
            else {
                return nil
            }
            return y < height && y + Double(Self.rowHeight) > 0 ? position : nil
        }.sorted()
    }

}
