internal import CGTK
public import KuvaCore

extension PixelBuffer {
    /// Makes a `GdkTexture` of the pixels. Nothing is copied: the texture keeps the buffer alive and lets it go when it
    /// is finalised, on whichever thread that happens.
    ///
    /// Any thread may call it, before `gtk_init` and without a display too.
    ///
    /// - Returns: a new reference that the caller owns and ends with `g_object_unref`; `nil` if a side has more
    ///   pixels than an `Int32` counts or the format is none that GDK knows.
    public func makeTexture() -> OpaquePointer? {
        guard let width = Int32(exactly: layout.width), let height = Int32(exactly: layout.height),
            let format = layout.memoryFormat
        else { return nil }
        let owner = Unmanaged.passRetained(self)
        let bytes = withUnsafeBytes { bytes in
            g_bytes_new_with_free_func(
                bytes.baseAddress,
                gsize(bytes.count),
                { owner in
                    guard let owner else { return }
                    Unmanaged<PixelBuffer>.fromOpaque(owner).release()
                },
                owner.toOpaque()
            )
        }
        defer { g_bytes_unref(bytes) }
        return gdk_memory_texture_new(width, height, format, bytes, gsize(layout.bytesPerRow))
    }
}

extension PixelLayout {
    /// What GDK calls the pixels. It has no four-byte format without alpha (before GTK 4.14), so opaque pixels go as
    /// premultiplied ones, which they also are.
    fileprivate var memoryFormat: GdkMemoryFormat? {
        guard format == .rgba8 else { return nil }
        return switch alpha {
        case .opaque, .premultiplied: GDK_MEMORY_R8G8B8A8_PREMULTIPLIED
        case .straight: GDK_MEMORY_R8G8B8A8
        }
    }
}
