import CGTK
import Foundation
import KuvaGTK

/// One picture in a window: `SmallestWindow URL`.
@main @MainActor
struct SmallestWindow {
    static func main() {
        gtk_init()
        let view = ImageView()
        view.showsIndicator = true

        let window = UnsafeMutableRawPointer(gtk_window_new()!).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_default_size(window, 800, 600)
        gtk_window_set_child(window, view.widget.assumingMemoryBound(to: GtkWidget.self))
        gtk_window_present(window)

        view.setImage(from: URL(string: CommandLine.arguments.last ?? ""))
        while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
    }
}
