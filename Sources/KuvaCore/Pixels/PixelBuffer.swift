/// Finished pixels that never change again; any number of threads may read them at once.
///
/// The memory goes back to its pool when the last reference is gone. GDK textures and caches share it without a copy.
public final class PixelBuffer: Sendable {
    /// Size, stride, format, alpha and colour space.
    public let layout: PixelLayout

    private let storage: PixelStorage

    init(storage: PixelStorage, layout: PixelLayout) {
        self.storage = storage
        self.layout = layout
    }

    /// All bytes: `layout.byteCount` of them, row 0 first. The pointer is valid inside `body` only, unless the caller
    /// keeps a reference to the buffer for as long as it uses the pointer.
    public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: storage.block.address, count: layout.byteCount))
    }

    /// The bytes of memory that the buffer holds, what a cache should count; at least `layout.byteCount`.
    public var residentByteCount: Int { storage.block.capacity }

    /// The bytes of one pixel, as red, green, blue and alpha; `nil` outside the picture. For tests and tools: one call
    /// a pixel is slow, so read rows in loops.
    public func rgba(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)? {
        guard layout.format == .rgba8, (0..<layout.width).contains(x), (0..<layout.height).contains(y) else {
            return nil
        }
        return withUnsafeBytes { bytes in
            let offset = y * layout.bytesPerRow + x * 4
            return (bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3])
        }
    }
}
