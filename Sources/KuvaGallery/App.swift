import CGTK
import FoundationEssentials
import KuvaCore
import KuvaGTK
import KuvaMainLoop
import KuvaPipeline

/// The program: one window, its actions, and what scripts ask of it.
@MainActor
final class App {
    private let options: Options
    private let manager: ImageManager
    private let gallery: Gallery
    private let application: UnsafeMutablePointer<GtkApplication>
    private var window: GalleryWindow?
    private var director: Director?
    private var hasFailed = false

    init(options: Options, manager: ImageManager) {
        self.options = options
        self.manager = manager
        gallery = Gallery(texts: options.urls)
        application = gtk_application_new("org.kuva.Gallery", G_APPLICATION_NON_UNIQUE)
    }

    /// Runs until the window is closed or the work for the script is done.
    ///
    /// - Returns: the exit status.
    func run() -> Int32 {
        MainLoop.attach()
        Signal.connect(UnsafeMutableRawPointer(application), "activate") { [weak self] in self?.activate() }
        addAction("reload", "<Control>r") { app in
            app.window?.grid.isFresh = true
            app.gallery.restart()
            app.window?.grid.reload()
        }
        addAction("zoom-in", "<Control>plus") { $0.window?.grid.zoom(by: 1.25) }
        addAction("zoom-out", "<Control>minus") { $0.window?.grid.zoom(by: 0.8) }
        addAction("quit", "<Control>q") { $0.quit() }
        let status = g_application_run(asGApplication, 0, nil)
        let windowFailed = window == nil
        window = nil
        finishStores()
        if let report = options.report { write(gallery.report, to: report) }
        g_object_unref(UnsafeMutableRawPointer(application))
        if status != 0 || windowFailed { return 1 }
        return hasFailed || gallery.summary.failed > 0 ? 1 : 0
    }

    private var asGApplication: UnsafeMutablePointer<GApplication> {
        UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)
    }

    private func activate() {
        let window = GalleryWindow(application: application, gallery: gallery, manager: manager)
        self.window = window
        if options.screenshot != nil { window.widget.styled("frameless") }
        if options.screenshot != nil || options.quitsWhenLoaded {
            director = Director(window: window, loadsAll: options.quitsWhenLoaded) { [weak self] in self?.directed() }
        }
        window.present()
    }

    /// Everything that a script waits for is there.
    private func directed() {
        if let path = options.screenshot, let window, !Screenshot.write(window.widget, to: path) {
            complain("“\(path)” cannot be written; is there room, and may you write there?")
        }
        quit()
    }

    private func quit() { g_application_quit(asGApplication) }

    private func addAction(_ name: String, _ key: String, _ act: @escaping @MainActor (App) -> Void) {
        guard let action = g_simple_action_new(name, nil) else { return }
        Signal.connect(UnsafeMutableRawPointer(action), "activate") { [weak self] in
            if let self { act(self) }
        }
        g_action_map_add_action(OpaquePointer(application), action)
        g_object_unref(UnsafeMutableRawPointer(action))
        key.withCString { key in
            var keys: [UnsafePointer<CChar>?] = [key, nil]
            gtk_application_set_accels_for_action(application, "app.\(name)", &keys)
        }
    }

    /// Lets the pictures that are on their way to the disk cache arrive.
    private func finishStores() {
        var isDone = false
        Task { [manager] in
            await manager.flush()
            isDone = true
        }
        while !isDone { g_main_context_iteration(nil, 1) }
    }

    private func write(_ text: String, to path: String) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            complain("“\(path)” cannot be written; is there room, and may you write there?")
        }
    }

    private func complain(_ message: String) {
        hasFailed = true
        StandardError.write("kuva-gallery: \(message)\n")
    }
}
