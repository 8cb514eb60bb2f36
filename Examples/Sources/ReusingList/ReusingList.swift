import CGTK
import Foundation
import KuvaGTK

/// A grid of any number of pictures that has cells only for those in view: `ReusingList URL…`.
@main @MainActor
struct ReusingList {
    static func main() {
        gtk_init()
        let urls = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }
        let texts = gtk_string_list_new(nil)
        for url in urls { gtk_string_list_append(texts, url.absoluteString) }

        // Makes cells, loads into them what scrolls into view, cancels what scrolls away, fetches ahead.
        let factory = ImageListFactory(
            count: { urls.count },
            request: { ImageRequest(url: urls[$0]) },
            makeCell: {
                let view = ImageView()
                view.contentFit = .cover
                gtk_widget_set_size_request(view.widget.assumingMemoryBound(to: GtkWidget.self), 160, 120)
                return PlainImageCell(view)
            }
        )
        let grid = gtk_grid_view_new(gtk_no_selection_new(texts), OpaquePointer(factory.makeFactory()))
        let scrolled = gtk_scrolled_window_new()!
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), grid)

        let window = UnsafeMutableRawPointer(gtk_window_new()!).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_default_size(window, 800, 600)
        gtk_window_set_child(window, scrolled)
        gtk_window_present(window)
        while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
    }
}
