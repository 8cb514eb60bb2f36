import CGTK
import Foundation
import KuvaGTK

/// A button with a picture for each state: `ButtonStates NORMAL HOVER PRESSED BACKGROUND`, all of them URLs.
@main @MainActor
struct ButtonStates {
    static func main() {
        gtk_init()
        let urls = CommandLine.arguments.dropFirst().map { URL(string: $0) }
        let button = ImageButton()
        button.showsIndicator = true
        for (state, url) in zip([ButtonState.normal, .hover, .active], urls) { button.setImage(from: url, for: state) }
        if urls.count > 3 { button.setBackgroundImage(from: urls[3]) }

        let window = UnsafeMutableRawPointer(gtk_window_new()!).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_default_size(window, 320, 240)
        gtk_window_set_child(window, button.widget.assumingMemoryBound(to: GtkWidget.self))
        gtk_window_present(window)
        while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
    }
}
