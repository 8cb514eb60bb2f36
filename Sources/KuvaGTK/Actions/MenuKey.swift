internal import CGTK

/// The keys that open context menus: the menu key, and Shift and F10 on keyboards without one.
@MainActor
enum MenuKey {
    private final class Handler {
        let open: @MainActor () -> Bool
        init(_ open: @escaping @MainActor () -> Bool) { self.open = open }
    }

    /// Calls back when one of the keys is pressed while a widget, or one inside it, has the keyboard.
    ///
    /// - Parameter open: opens the menu; returns whether there was one.
    /// - Returns: the controller, which belongs to the widget.
    @discardableResult
    static func add(to widget: UnsafeMutableRawPointer, open: @escaping @MainActor () -> Bool) -> OpaquePointer? {
        guard let controller = gtk_shortcut_controller_new() else { return nil }
        let action = gtk_callback_action_new(
            { _, _, data in
                guard let data else { return 0 }
                // Unsafe: GTK calls on the main thread, and there the handler stays.
                nonisolated(unsafe) let pointer = data
                return MainActor.assumeIsolated {
                    Unmanaged<Handler>.fromOpaque(pointer).takeUnretainedValue().open().gboolean
                }
            },
            Unmanaged.passRetained(Handler(open)).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<Handler>.fromOpaque(data).release()
            }
        )
        // The controller takes over the shortcut, which takes over trigger and action.
        gtk_shortcut_controller_add_shortcut(
            controller,
            gtk_shortcut_new(gtk_shortcut_trigger_parse_string("Menu|<Shift>F10"), action)
        )
        gtk_widget_add_controller(widget.asWidget, controller)
        return controller
    }
}

extension ImageView {
    /// Opens the menu of ``ImageActionSet/contextMenu`` in the middle of the view. Returns whether there is one.
    @discardableResult
    public func openContextMenu() -> Bool { isAlive && actions?.openMenu() == true }

    /// Lets the menu key open the view's menu while another widget has the keyboard: one around the view that takes the
    /// focus in its place, such as a page. Rows of an ``ImageListFactory`` do so by themselves.
    ///
    /// - Parameter widget: a `GtkWidget`.
    public func takeMenuKey(of widget: UnsafeMutableRawPointer) {
        MenuKey.add(to: widget) { [weak self] in self?.openContextMenu() ?? false }
    }
}
