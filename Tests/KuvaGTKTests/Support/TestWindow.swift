import CGTK
import Glibc
import KuvaGTK
import Testing

/// Whether GTK can open a window here; without one the tests of widgets are skipped.
let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { (name: String) in
    getenv(name).map { $0.pointee != 0 } ?? false
}

/// All tests that open windows: one after the other, since GTK has one loop.
@Suite("Widgets", .serialized, .enabled(if: hasDisplay), .opensDisplay, .timeLimit(.minutes(10)))
enum WidgetTests {}

/// Starts GTK before the first test of a suite, whichever that is.
struct DisplayTrait: SuiteTrait {
    func prepare(for test: Test) async throws {
        try await MainActor.run { try #require(gtk_init_check() != 0) }
    }
}

extension SuiteTrait where Self == DisplayTrait {
    static var opensDisplay: Self { Self() }
}

/// A window on the screen with one widget in it.
@MainActor
final class TestWindow {
    private let window: UnsafeMutablePointer<GtkWidget>
    private let box: UnsafeMutablePointer<GtkWidget>

    init() throws {
        window = gtk_window_new()
        box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_window_set_default_size(asWindow, 400, 300)
        gtk_window_set_child(asWindow, box)
    }

    private var asWindow: UnsafeMutablePointer<GtkWindow> {
        UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
    }

    private var asBox: UnsafeMutablePointer<GtkBox> {
        UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self)
    }

    isolated deinit { gtk_window_destroy(asWindow) }

    /// Puts a widget into the window, which fills it unless told to keep to its own size.
    func add(_ raw: UnsafeMutableRawPointer, fills: Bool = true) {
        let widget = raw.assumingMemoryBound(to: GtkWidget.self)
        gtk_widget_set_hexpand(widget, fills ? 1 : 0)
        gtk_widget_set_vexpand(widget, fills ? 1 : 0)
        gtk_widget_set_halign(widget, fills ? GTK_ALIGN_FILL : GTK_ALIGN_START)
        gtk_widget_set_valign(widget, fills ? GTK_ALIGN_FILL : GTK_ALIGN_START)
        gtk_box_append(asBox, widget)
    }

    /// Takes a widget out, which ends it unless someone else holds it.
    func remove(_ raw: UnsafeMutableRawPointer) {
        gtk_box_remove(asBox, raw.assumingMemoryBound(to: GtkWidget.self))
    }

    func present() { gtk_window_present(asWindow) }

    /// Gives the window a title by which other programs find it.
    func setTitle(_ title: String) { gtk_window_set_title(asWindow, title) }

    /// Where a place of a widget is in the window of the display.
    func place(x: Double, y: Double, of raw: UnsafeMutableRawPointer) -> (x: Int, y: Int)? {
        var place = (x: 0.0, y: 0.0)
        let widget = raw.assumingMemoryBound(to: GtkWidget.self)
        guard gtk_widget_translate_coordinates(widget, window, x, y, &place.x, &place.y) != 0 else { return nil }
        var shadow = (x: 0.0, y: 0.0)
        gtk_native_get_surface_transform(gtk_widget_get_native(window), &shadow.x, &shadow.y)
        return (Int(place.x + shadow.x), Int(place.y + shadow.y))
    }

    /// Runs the loop until the window has drawn a frame with everything that has changed so far.
    func drawFrame() async {
        guard let clock = gtk_widget_get_frame_clock(window) else { return }
        var isDrawn = false
        gtk_widget_queue_draw(window)
        let connection = Signal.connect(UnsafeMutableRawPointer(clock), "after-paint") { isDrawn = true }
        await pump { isDrawn }
        connection.disconnect()
    }

    /// Calls `body` when the window is about to draw a frame.
    func onPaint(_ body: @escaping @MainActor () -> Void) {
        gtk_widget_realize(window)
        guard let clock = gtk_widget_get_frame_clock(window) else { return }
        Signal.connect(UnsafeMutableRawPointer(clock), "paint", body)
    }

    /// What the window shows at a place, from its top left corner, in its next frame.
    func colour(x: Int, y: Int) async -> [UInt8]? {
        await drawFrame()
        return drawnColour(x: x, y: y)
    }

    private func drawnColour(x: Int, y: Int) -> [UInt8]? {
        guard let paintable = gtk_widget_paintable_new(box), let snapshot = gtk_snapshot_new() else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let (width, height) = (gtk_widget_get_width(box), gtk_widget_get_height(box))
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
        defer { gsk_render_node_unref(node) }
        let renderer = gtk_native_get_renderer(gtk_widget_get_native(box))
        var area = graphene_rect_t()
        graphene_rect_init(&area, 0, 0, Float(width), Float(height))
        guard let texture = gsk_renderer_render_texture(renderer, node, &area) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height) * 4)
        gdk_texture_download(texture, &pixels, gsize(width) * 4)
        let offset = (y * Int(width) + x) * 4
        // GDK downloads as Cairo has it: blue, green, red, alpha on a little-endian machine.
        return [pixels[offset + 2], pixels[offset + 1], pixels[offset], pixels[offset + 3]]
    }
}

/// Runs GTK's loop and the main queue until something holds, or the time limit ends the test.
@MainActor
func pump(until condition: @MainActor () -> Bool) async {
    while !condition(), !Task.isCancelled {
        g_main_context_iteration(nil, 0)
        await Task.yield()
    }
}

/// Runs GTK's loop and the main queue through that many turns, for things that must not happen.
@MainActor
func pump(turns: Int) async {
    var count = 0
    await pump {
        count += 1
        return count > turns
    }
}
