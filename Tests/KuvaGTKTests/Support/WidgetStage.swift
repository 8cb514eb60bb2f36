import CGTK
import FoundationEssentials
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

/// A window, and a manager whose loads the test answers by hand.
@MainActor
final class WidgetStage {
    let loader = FakeLoader()
    let memory = FakeImageCache()
    let manager: ImageManager
    let window: TestWindow

    init() throws {
        manager = ImageManager(
            configuration: .init(memoryCache: memory, loaders: [loader], decoders: FakeDecoders())
        )
        window = try TestWindow()
    }

    func url(_ name: String) throws -> URL { try #require(URL(string: "http://pictures.test/\(name)")) }

    /// The URLs that were loaded, in order, by their last part.
    var loaded: [String] { loader.loads.map(\.request.url.lastPathComponent) }

    /// Answers the load of a name with a picture; the fake decoder gives them all the same colour.
    func succeed(_ name: String, width: Int, height: Int) async {
        await pump { self.loaded.contains(name) }
        guard let id = loaded.lastIndex(of: name) else { return }
        loader.succeed(id, with: FakeDecoders.file(width: width, height: height))
    }

    /// A view in the window that has been laid out and drawn.
    func shownView() async -> ImageView {
        let view = ImageView(manager: manager)
        window.add(view.widget)
        window.present()
        await pump { gtk_widget_get_width(asWidget(view.picture)) > 0 }
        return view
    }
}

/// The pointer as GTK's functions for all widgets take it.
func asWidget(_ raw: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GtkWidget> {
    raw.assumingMemoryBound(to: GtkWidget.self)
}

/// The context menu of a view, shown or not.
@MainActor
func popover(of view: ImageView) -> UnsafeMutablePointer<GtkWidget>? {
    var child = gtk_widget_get_first_child(asWidget(view.widget))
    while let found = child {
        let instance = UnsafeMutableRawPointer(found).assumingMemoryBound(to: GTypeInstance.self)
        if g_type_check_instance_is_a(instance, gtk_popover_get_type()) != 0 { return found }
        child = gtk_widget_get_next_sibling(found)
    }
    return nil
}

let red: (UInt8, UInt8, UInt8, UInt8) = (255, 0, 0, 255)
let green: (UInt8, UInt8, UInt8, UInt8) = (0, 255, 0, 255)
let blue: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 255, 255)
