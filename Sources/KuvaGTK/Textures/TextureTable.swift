internal import CGTK
internal import KuvaCore

/// The textures that exist, by their pixels. It keeps none of them alive.
final class TextureTable: Sendable {
    static let shared = TextureTable()

    private struct Entry: Sendable {
        let number: UInt64
        let texture: WeakTexture
    }

    private struct State: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        var lastNumber: UInt64 = 0
    }

    /// What a texture holds: its pixels, and where they stand in the table.
    private final class Owner: Sendable {
        let pixels: PixelBuffer
        let number: UInt64
        init(pixels: PixelBuffer, number: UInt64) {
            self.pixels = pixels
            self.number = number
        }
    }

    private let state = Lock(State())

    /// The texture of the pixels, as a new reference; see `PixelBuffer.sharedTexture`.
    func texture(of pixels: PixelBuffer) -> OpaquePointer? {
        let name = ObjectIdentifier(pixels)
        let (known, number) = state.withLock { state in
            state.lastNumber += 1
            return (state.entries[name]?.texture, state.lastNumber)
        }
        if let texture = known?.reference() { return texture }
        guard let texture = makeTexture(of: pixels, number: number) else { return nil }
        let entry = Entry(number: number, texture: WeakTexture(texture))
        state.withLock { $0.entries[name] = entry }
        return texture
    }

    /// How many textures exist; for tests of leaks.
    var count: Int { state.withLock { $0.entries.count } }

    private func makeTexture(of pixels: PixelBuffer, number: UInt64) -> OpaquePointer? {
        let layout = pixels.layout
        guard let width = Int32(exactly: layout.width), let height = Int32(exactly: layout.height),
            let format = layout.memoryFormat
        else { return nil }
        let owner = Unmanaged.passRetained(Owner(pixels: pixels, number: number))
        let bytes = pixels.withUnsafeBytes { bytes in
            g_bytes_new_with_free_func(
                bytes.baseAddress,
                gsize(bytes.count),
                { owner in
                    guard let owner else { return }
                    TextureTable.shared.wasFinalised(Unmanaged<Owner>.fromOpaque(owner).takeRetainedValue())
                },
                owner.toOpaque()
            )
        }
        defer { g_bytes_unref(bytes) }
        return gdk_memory_texture_new(width, height, format, bytes, gsize(layout.bytesPerRow))
    }

    /// The entry goes before the pixels do, so that other pixels at the same address never find it.
    private func wasFinalised(_ owner: Owner) {
        let name = ObjectIdentifier(owner.pixels)
        let gone = state.withLock { state -> Entry? in
            guard state.entries[name]?.number == owner.number else { return nil }
            return state.entries.removeValue(forKey: name)
        }
        withExtendedLifetime(gone) {}
    }
}

/// Finds a texture as long as it exists.
private final class WeakTexture: @unchecked Sendable {
    // Unchecked: GLib guards what the pointer points to; the pointer itself never changes.
    private let pointer: UnsafeMutablePointer<GWeakRef>

    init(_ texture: OpaquePointer) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: GWeakRef())
        g_weak_ref_init(pointer, UnsafeMutableRawPointer(texture))
    }

    deinit {
        g_weak_ref_clear(pointer)
        pointer.deallocate()
    }

    /// A new reference; `nil` if the texture is gone.
    func reference() -> OpaquePointer? { g_weak_ref_get(pointer).map { OpaquePointer($0) } }
}

/// How many textures of pixels exist in the process; for tests of leaks.
package enum TextureCount {
    /// The number now.
    package static var current: Int { TextureTable.shared.count }
}
