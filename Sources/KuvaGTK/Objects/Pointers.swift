internal import CGTK

extension UnsafeMutableRawPointer {
    /// The pointer as GTK's functions for all widgets take it.
    var asWidget: UnsafeMutablePointer<GtkWidget> { assumingMemoryBound(to: GtkWidget.self) }

    /// The pointer as functions of classes take it whose structs GTK hides.
    var opaque: OpaquePointer { OpaquePointer(self) }

    /// Whether the object is of a class or one made from it.
    func isInstance(of type: GType) -> Bool {
        g_type_check_instance_is_a(assumingMemoryBound(to: GTypeInstance.self), type) != 0
    }
}

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// The pointer without a type.
    var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }

    /// The pointer as functions of classes take it whose structs GTK hides.
    var opaque: OpaquePointer { OpaquePointer(self) }
}

extension Bool {
    /// The number that GLib takes for it.
    var gboolean: CInt { self ? 1 : 0 }
}
