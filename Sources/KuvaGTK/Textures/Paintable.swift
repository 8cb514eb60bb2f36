internal import CGTK
internal import CKuvaGTK
internal import KuvaCore

/// Owns a `GdkPaintable` that shows one picture at a time.
///
/// It stays in its widget while pictures come and go, has their size in points, and says when it has been drawn.
struct Paintable: ~Copyable {
    /// The `GdkPaintable`.
    let pointer: UnsafeMutableRawPointer

    init() { pointer = kuva_gtk_paintable_new() }

    deinit {
        stopObserving()
        g_object_unref(pointer)
    }

    /// Calls `drawn` each time that the paintable has been drawn: in the middle of drawing, when no widget may change.
    ///
    /// - Parameter owner: what `drawn` gets; not kept alive.
    func observe(_ owner: UnsafeMutableRawPointer, drawn: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void) {
        kuva_gtk_paintable_observe(pointer, drawn, owner)
    }

    /// Ends the calls.
    func stopObserving() { kuva_gtk_paintable_observe(pointer, nil, nil) }

    /// The `GdkTexture` that is shown; no new reference.
    var texture: UnsafeMutableRawPointer? { kuva_gtk_paintable_texture(pointer) }

    /// Shows a picture, or nothing.
    func show(_ image: Image?) {
        guard let image, let texture = image.pixels.makeTexture() else {
            return kuva_gtk_paintable_show(pointer, nil, 0, 0)
        }
        kuva_gtk_paintable_show(pointer, UnsafeMutableRawPointer(texture), image.width, image.height)
        g_object_unref(UnsafeMutableRawPointer(texture))
    }
}
