import CGTK
import CPlainWindow
import Foundation
import KuvaGTK

/// A window made by C code whose picture Kuva fills: `PlainC URL`.
@main @MainActor
struct PlainC {
    static func main() {
        gtk_init()
        var picture: OpaquePointer?
        let window = plain_window_new(&picture)
        if let picture {
            // The widget keeps the view alive, so nothing else has to.
            ImageView.adopting(UnsafeMutableRawPointer(picture))
                .setImage(from: URL(string: CommandLine.arguments.last ?? ""))
        }
        gtk_window_present(window)
        while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
    }
}
