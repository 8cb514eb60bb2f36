internal import CGTK
public import KuvaCore

extension PixelBuffer {
    /// The `GdkTexture` of the pixels: the same one for all who ask while one of them holds it, so that pixels are
    /// uploaded once however many views show them.
    ///
    /// Nothing is copied: the texture keeps the buffer alive and lets it go when it is finalised, on whichever thread
    /// that happens. Any thread may call it, before `gtk_init` and without a display too.
    ///
    /// - Returns: a new reference that the caller owns and ends with `g_object_unref`; `nil` if a side has more
    ///   pixels than an `Int32` counts or the format is none that GDK knows.
    public func sharedTexture() -> OpaquePointer? { TextureTable.shared.texture(of: self) }
}

extension PixelLayout {
    /// What GDK calls the pixels. It has no four-byte format without alpha (before GTK 4.14), so opaque pixels go as
    /// premultiplied ones, which they also are.
    var memoryFormat: GdkMemoryFormat? {
        guard format == .rgba8 else { return nil }
        return switch alpha {
        case .opaque, .premultiplied: GDK_MEMORY_R8G8B8A8_PREMULTIPLIED
        case .straight: GDK_MEMORY_R8G8B8A8
        }
    }
}
