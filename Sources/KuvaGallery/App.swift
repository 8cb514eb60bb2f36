import CGTK
import FoundationEssentials
import Glibc
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
    private var isDark = false
    private var hasFailed = false

    init(options: Options, manager: ImageManager) {
        self.options = options
        self.manager = manager
        gallery = Gallery(options.entries)
        gallery.isOffline = options.isOffline
        application = gtk_application_new("org.kuva.Gallery", G_APPLICATION_NON_UNIQUE)
    }

    /// Runs until the window is closed or the work for the script is done.
    ///
    /// - Returns: the exit status.
    func run() -> Int32 {
        MainLoop.attach()
        Signal.connect(UnsafeMutableRawPointer(application), "activate") { [weak self] in self?.activate() }
        addActions()
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
        guard window == nil else { return }
        // What a script sees must not depend on how someone left the window.
        let settings = options.isScripted ? Settings() : Settings.read()
        setDark(options.isDark ?? settings.isDark)
        if options.isScripted { Style.stopMotion() }
        let window = GalleryWindow(application: application, gallery: gallery, manager: manager, settings: settings)
        self.window = window
        Signal.connect(
            window.widget.raw,
            "close-request",
            deciding: { [weak self] _, _ in
                self?.remember()
                return false
            }
        )
        if options.screenshot != nil { window.widget.styled("frameless") }
        if options.isScripted {
            director = Director(window: window, loadsAll: options.quitsWhenLoaded, scene: options.scene) {
                [weak self] in self?.directed()
            }
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

    private func quit() {
        remember()
        g_application_quit(asGApplication)
    }

    private func remember() {
        guard !options.isScripted, var settings = window?.settings else { return }
        settings.isDark = isDark
        settings.write()
    }

    private func setDark(_ isDark: Bool) {
        self.isDark = isDark
        Style.setDark(isDark)
    }

    // MARK: Actions

    private func addActions() {
        addAction("reload", "<Control>r|F5") { $0.window?.loadAgain() }
        addAction("zoom-in", "<Control>plus|<Control>equal") { $0.window?.zoom(by: 1.25) }
        addAction("zoom-out", "<Control>minus") { $0.window?.zoom(by: 0.8) }
        addAction("zoom-fit", "<Control>0") { $0.window?.viewer.area.fit() }
        addAction("back", "<Alt>Left|Escape") { $0.window?.goBack() }
        addAction("next", "<Alt>Right") { $0.window?.step(by: 1) }
        addAction("previous", "") { $0.window?.step(by: -1) }
        addAction("info", "<Control>i") { app in
            if app.window?.viewer.index != nil { app.window?.toggle(.info) }
        }
        addAction("cache", "<Control>d") { $0.window?.toggle(.cache) }
        addAction("fullscreen", "F11") { $0.window?.toggleFullscreen() }
        addAction("open", "<Control>o") { $0.openFolder() }
        addAction("quit", "<Control>q|<Control>w") { $0.quit() }
        addSwitch("offline", isOn: options.isOffline) { $0.window?.setOffline($1) }
        addSwitch("dark", isOn: options.isDark ?? (options.isScripted ? false : Settings.read().isDark)) {
            $0.setDark($1)
        }
    }

    private func addAction(_ name: String, _ keys: String, _ act: @escaping @MainActor (App) -> Void) {
        guard let action = g_simple_action_new(name, nil) else { return }
        Signal.connect(UnsafeMutableRawPointer(action), "activate") { [weak self] in
            if let self { act(self) }
        }
        add(action)
        let list = keys.split(separator: "|").map { strdup(String($0)) }
        var accelerators = list.map { UnsafePointer<CChar>($0) } + [nil]
        gtk_application_set_accels_for_action(application, "app.\(name)", &accelerators)
        for key in list { free(key) }
    }

    private func addSwitch(_ name: String, isOn: Bool, _ act: @escaping @MainActor (App, Bool) -> Void) {
        guard let action = g_simple_action_new_stateful(name, nil, g_variant_new_boolean(isOn ? 1 : 0)) else { return }
        Signal.connect(UnsafeMutableRawPointer(action), "activate") { [weak self] in
            guard let self, let state = g_action_get_state(action) else { return }
            let isOn = g_variant_get_boolean(state) == 0
            g_variant_unref(state)
            g_simple_action_set_state(action, g_variant_new_boolean(isOn ? 1 : 0))
            act(self, isOn)
        }
        add(action)
    }

    private func add(_ action: OpaquePointer) {
        g_action_map_add_action(OpaquePointer(application), action)
        g_object_unref(UnsafeMutableRawPointer(action))
    }

    private func openFolder() {
        guard let window else { return }
        let chooser = gtk_file_chooser_native_new(
            "Open Folder",
            window.widget.cast(to: GtkWindow.self),
            GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
            "_Open",
            "_Cancel"
        )
        guard let chooser else { return }
        let raw = UnsafeMutableRawPointer(chooser)
        Signal.connect(raw, "response") { [weak self] (response: Int32) in
            defer { g_object_unref(raw) }
            guard response == GTK_RESPONSE_ACCEPT.rawValue, let file = gtk_file_chooser_get_file(OpaquePointer(raw))
            else { return }
            defer { g_object_unref(UnsafeMutableRawPointer(file)) }
            guard let path = g_file_get_path(file) else { return }
            defer { g_free(path) }
            self?.gallery.replace(by: PictureEntry.entries(named: String(cString: path)))
            self?.window?.filled()
        }
        gtk_native_dialog_show(raw.assumingMemoryBound(to: GtkNativeDialog.self))
    }

    // MARK: The end

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
