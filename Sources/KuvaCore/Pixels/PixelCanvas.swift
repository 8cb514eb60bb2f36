internal import Glibc

/// Pixels being written: one owner, one thread at a time.
///
/// Decoders and transformers write into a canvas; ``freeze(alpha:)`` turns it, without a copy, into a ``PixelBuffer``
/// that any thread may read. A canvas that is dropped gives its memory back to the pool it came from.
public struct PixelCanvas: ~Copyable, Sendable {
    /// Size, stride, format, alpha and colour space of what is being written.
    public private(set) var layout: PixelLayout

    private let storage: PixelStorage

    init(storage: PixelStorage, layout: PixelLayout) {
        self.storage = storage
        self.layout = layout
    }

    /// All bytes of the canvas: `layout.byteCount` of them, row 0 first.
    ///
    /// The pointer is valid inside `body`. The memory does not move, so the owner of a canvas may let a C library write
    /// there between calls, for as long as the canvas is neither frozen nor dropped.
    public mutating func withUnsafeMutableBytes<R, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeMutableRawBufferPointer(start: storage.block.address, count: layout.byteCount))
    }

    /// All bytes of the canvas, to read. The pointer is valid inside `body` only.
    public borrowing func withUnsafeBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: storage.block.address, count: layout.byteCount))
    }

    /// Makes the given rows transparent black. Rows outside the canvas are ignored.
    public mutating func clear(rows: Range<Int>) {
        let rows = rows.clamped(to: 0..<layout.height)
        guard !rows.isEmpty else { return }
        memset(storage.block.address + rows.lowerBound * layout.bytesPerRow, 0, rows.count * layout.bytesPerRow)
    }

    /// Ends the writing and shares the pixels. No copy is made.
    ///
    /// - Parameter alpha: what alpha turned out to mean; `nil` keeps what the layout says.
    public consuming func freeze(alpha: AlphaMode? = nil) -> PixelBuffer {
        var layout = layout
        if let alpha { layout.alpha = alpha }
        return PixelBuffer(storage: storage, layout: layout)
    }
}
