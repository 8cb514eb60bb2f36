internal import CGTK

/// What a widget keeps alive and ends when it is finalised.
@MainActor
protocol WidgetCompanion: AnyObject {
    /// The widget is gone, or about to be: its pointers must not be used any more.
    func widgetIsGone()
}

/// Companions of widgets, one of a kind for each.
@MainActor
enum Companions {
    /// Lets a widget keep a companion alive until it is finalised.
    ///
    /// - Parameter key: under which it is found.
    static func attach(_ companion: any WidgetCompanion, to widget: UnsafeMutableRawPointer, key: String) {
        let box = Box(companion)
        g_object_set_data_full(
            widget.assumingMemoryBound(to: GObject.self),
            key,
            Unmanaged.passRetained(box).toOpaque(),
            { data in
                guard let data else { return }
                // Unsafe: GTK ends its widgets on the main thread, and there companions stay.
                nonisolated(unsafe) let pointer = data
                MainActor.assumeIsolated {
                    Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().companion.widgetIsGone()
                }
            }
        )
    }

    /// The companion of a widget under a key.
    static func find(_ key: String, of widget: UnsafeMutableRawPointer) -> (any WidgetCompanion)? {
        guard let data = g_object_get_data(widget.assumingMemoryBound(to: GObject.self), key) else { return nil }
        return Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().companion
    }

    private final class Box {
        let companion: any WidgetCompanion
        init(_ companion: any WidgetCompanion) { self.companion = companion }
    }
}
