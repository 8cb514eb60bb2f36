internal import CGTK
internal import FoundationEssentials
internal import KuvaUI

/// The context menu of a view, and the actions in it, under the prefix `image`.
@MainActor
final class ImageMenu {
    private unowned let view: ImageView
    private let group: UnsafeMutableRawPointer
    private let popover: UnsafeMutableRawPointer
    private var controllers: [OpaquePointer] = []
    private var actions: [String: UnsafeMutableRawPointer] = [:]

    /// Themes style the boxes of rows, and would those of a menu in a row too.
    private static let sheet = StyleSheet(
        css: "popover.kuva-image-menu box { margin: 0; border-spacing: 0; }",
        yieldsToTheme: false,
        key: "kuva-image-menu-style"
    )

    private static let items = [
        ("copy", "_Copy Picture"), ("copy-address", "Copy _Address"), ("open", "_Open in Browser"),
        ("reload", "Load _Again"),
    ]

    init(of view: ImageView) {
        self.view = view
        group = UnsafeMutableRawPointer(g_simple_action_group_new())
        let model = g_menu_new()
        for (name, label) in Self.items { g_menu_append(model, label, "image.\(name)") }
        popover =
            gtk_popover_menu_new_from_model(
                UnsafeMutableRawPointer(model!).assumingMemoryBound(to: GMenuModel.self)
            ).raw
        g_object_unref(UnsafeMutableRawPointer(model!))
        gtk_widget_add_css_class(popover.asWidget, "kuva-image-menu")
        Self.sheet.apply(to: gtk_widget_get_display(popover.asWidget))
        gtk_popover_set_has_arrow(popover.assumingMemoryBound(to: GtkPopover.self), 0)
        gtk_widget_set_parent(popover.asWidget, view.widget.asWidget)
        add("copy") { $0.copyToClipboard() }
        add("copy-address") { $0.copyAddressToClipboard() }
        add("open") { view in
            guard let url = view.imageURL(in: view.currentSlot) else { return }
            gtk_show_uri(nil, url.absoluteString, 0)
        }
        add("reload") { $0.reload() }
        gtk_widget_insert_action_group(view.widget.asWidget, "image", group.opaque)
        addControllers()
        // A GtkPicture does not know of the child and would end before it. A GtkOverlay has ended it by then.
        let (widget, popover) = (view.widget, popover)
        Signal.connect(widget, "destroy") {
            if Self.hasChild(popover, widget) { gtk_widget_unparent(popover.asWidget) }
        }
    }

    private static func hasChild(_ child: UnsafeMutableRawPointer, _ widget: UnsafeMutableRawPointer) -> Bool {
        var next = gtk_widget_get_first_child(widget.asWidget)
        while let found = next {
            if found.raw == child { return true }
            next = gtk_widget_get_next_sibling(found)
        }
        return false
    }

    /// Ends it. The widget must still live.
    func stop() {
        for controller in controllers { gtk_widget_remove_controller(view.widget.asWidget, controller) }
        controllers = []
        gtk_widget_insert_action_group(view.widget.asWidget, "image", nil)
        gtk_widget_unparent(popover.asWidget)
    }

    /// What can be done depends on what is shown.
    func update() {
        let hasPicture = view.currentImage != nil
        let url = view.imageURL(in: view.currentSlot)
        set("copy", hasPicture)
        set("copy-address", url != nil)
        set("open", url != nil)
        set("reload", url != nil)
    }

    isolated deinit { g_object_unref(group) }

    private func add(_ name: String, _ act: @escaping @MainActor (ImageView) -> Void) {
        guard let action = g_simple_action_new(name, nil) else { return }
        let raw = UnsafeMutableRawPointer(action)
        Signal.connect(raw, "activate") { [weak self] in
            if let self, view.isAlive { act(view) }
        }
        g_action_map_add_action(group.opaque, action)
        actions[name] = raw
        g_object_unref(raw)
    }

    private func set(_ name: String, _ isEnabled: Bool) {
        if let action = actions[name] { g_simple_action_set_enabled(action.opaque, isEnabled.gboolean) }
    }

    private func addControllers() {
        if let click = gtk_gesture_click_new() {
            gtk_gesture_single_set_button(click, guint(GDK_BUTTON_SECONDARY))
            Signal.connect(UnsafeMutableRawPointer(click), "pressed") { [weak self] in self?.open(at: click) }
            attach(click)
        }
        if let press = gtk_gesture_long_press_new() {
            gtk_gesture_single_set_touch_only(press, 1)
            Signal.connect(UnsafeMutableRawPointer(press), "pressed") { [weak self] in self?.open(at: press) }
            attach(press)
        }
        let key = MenuKey.add(to: view.widget) { [weak self] in
            self?.open()
            return self != nil
        }
        if let key { controllers.append(key) }
    }

    private func attach(_ controller: OpaquePointer) {
        gtk_widget_add_controller(view.widget.asWidget, controller)
        controllers.append(controller)
    }

    private func open(at gesture: OpaquePointer) {
        var (x, y) = (0.0, 0.0)
        gtk_gesture_get_point(gesture, nil, &x, &y)
        open(x: Int32(x), y: Int32(y))
    }

    /// Opens the menu in the middle of the view.
    func open() {
        let widget = view.widget.asWidget
        open(x: gtk_widget_get_width(widget) / 2, y: gtk_widget_get_height(widget) / 2)
    }

    private func open(x: Int32, y: Int32) {
        var area = GdkRectangle(x: x, y: y, width: 1, height: 1)
        gtk_popover_set_pointing_to(popover.assumingMemoryBound(to: GtkPopover.self), &area)
        gtk_popover_popup(popover.assumingMemoryBound(to: GtkPopover.self))
    }
}
