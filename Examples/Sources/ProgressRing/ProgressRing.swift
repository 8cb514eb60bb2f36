import CGTK
import Foundation
import KuvaGTK

/// A picture with a ring that fills as its bytes come, and their number in the title: `ProgressRing URL`.
@main @MainActor
struct ProgressRing {
    static func main() {
        gtk_init()
        let view = ImageView()
        view.showsIndicator = true
        view.indicatorStyle = .progressRing

        let window = UnsafeMutableRawPointer(gtk_window_new()!).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_default_size(window, 800, 600)
        gtk_window_set_child(window, view.widget.assumingMemoryBound(to: GtkWidget.self))
        gtk_window_present(window)

        view.setImage(
            from: URL(string: CommandLine.arguments.last ?? ""),
            options: ViewLoadOptions(transition: .crossfade, showsPreviews: true),
            progress: { gtk_window_set_title(window, "\($0.receivedByteCount / 1_000) kB") },
            completion: { result in
                if case .failure(let error) = result { gtk_window_set_title(window, error.message) }
            }
        )
        while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
    }
}
