internal import CKuvaPixels

/// The screen on which the frames of an animation are drawn, one over the other, in the size that the file has.
///
/// It is RGBA8 and starts transparent. One thread at a time.
package struct AnimationCanvas: ~Copyable {
    /// What becomes of a frame before the next one is drawn.
    package typealias Disposal = AnimationFrame.Disposal

    /// How a frame's pixels meet those that are there.
    package enum Blend: Sendable {
        /// They are drawn over them.
        case over
        /// They take their place, transparency included.
        case replace
    }

    /// What the colours of the screen mean, and with that how pixels are drawn over others.
    package enum Composition: Sendable {
        /// Multiplied by alpha: to be shown.
        case premultiplied
        /// Independent of alpha: as the file has them, mixed as PNG wants it (third edition, §13.16).
        case straight
        /// Independent of alpha, mixed with the arithmetic of libwebp's `WebPAnimDecoder`, which rounds down; where the
        /// screen is known to be empty the frame's pixels are taken as they are.
        case straightOfWebP
    }

    /// Width and height of the screen.
    package let size: PixelSize
    private let composition: Composition
    private let pool: PixelBufferPool
    private let level = kuva_pixels_best_level()
    private var pixels: PixelCanvas
    private var frame = PixelRect(x: 0, y: 0, size: Self.nothing)
    private var disposal = Disposal.keep
    /// What the frame's rectangle was before it, if that comes back.
    private var saved: PixelCanvas?
    private var wasOpaque = false
    /// Where the screen is known to be empty as the frame begins.
    private var vacant: PixelRect
    private let multiplied: ScratchMemory

    /// Whether every pixel is known to be opaque.
    package private(set) var isOpaque = false

    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    package init(
        size: PixelSize,
        composition: Composition = .premultiplied,
        pool: PixelBufferPool = .shared
    ) throws(ImageError) {
        let multiplied = try ScratchMemory(rows: 1, rowBytes: size.width * 4)
        var pixels = try pool.canvas(PixelLayout(size: size))
        pixels.clear(rows: 0..<size.height)
        self.size = size
        self.composition = composition
        self.pool = pool
        vacant = PixelRect(x: 0, y: 0, size: size)
        self.multiplied = multiplied
        self.pixels = pixels
    }

    /// Makes the screen what it is before the first frame.
    package mutating func reset() {
        pixels.clear(rows: 0..<size.height)
        disposal = .keep
        saved = nil
        isOpaque = false
        vacant = PixelRect(x: 0, y: 0, size: size)
        frame.size = Self.nothing
    }

    private static let nothing = PixelSize(width: 0, height: 0)

    /// Disposes of the frame before and begins the next.
    ///
    /// - Parameter rect: where it is; parts may lie outside of the screen.
    /// - Throws: ``ImageError`` with the code `out-of-memory`; nothing has changed then.
    package mutating func begin(_ rect: PixelRect, disposal next: Disposal) throws(ImageError) {
        let rect = rect.clamped(to: size)
        // Made first, so that a failure changes nothing.
        var room: PixelCanvas?
        if next == .restore, !rect.size.isEmpty { room = try pool.canvas(PixelLayout(size: rect.size)) }
        dispose()
        (frame, disposal, wasOpaque) = (rect, next, isOpaque)
        guard var made = room.take() else { return }
        Self.copy(rect, ofWidth: size.width, from: &pixels, to: &made, isSaving: true)
        saved = consume made
    }

    private mutating func dispose() {
        switch disposal {
        case .keep: if !frame.isEmpty { vacant.size = Self.nothing }
        case .clear:
            clearFrame()
            if !frame.isEmpty, vacant.size != size { vacant = frame }
        case .restore:
            if var before = saved.take() {
                Self.copy(frame, ofWidth: size.width, from: &before, to: &pixels, isSaving: false)
            }
            isOpaque = wasOpaque
        }
        disposal = .keep
    }

    private mutating func clearFrame() {
        guard !frame.size.isEmpty else { return }
        isOpaque = false
        let (frame, stride) = (frame, pixels.layout.bytesPerRow)
        if frame.size.width == size.width {
            pixels.clear(rows: frame.y..<(frame.y + frame.size.height))
            return
        }
        pixels.withUnsafeMutableBytes { bytes in
            for y in frame.y..<(frame.y + frame.size.height) {
                let row = bytes.baseAddress! + y * stride + frame.x * 4
                row.initializeMemory(as: UInt8.self, repeating: 0, count: frame.size.width * 4)
            }
        }
    }

    /// Copies a rectangle between a screen of the given width and a canvas of the rectangle's size.
    private static func copy(
        _ frame: PixelRect,
        ofWidth screenWidth: Int,
        from source: inout PixelCanvas,
        to target: inout PixelCanvas,
        isSaving: Bool
    ) {
        let (screenStride, width) = (screenWidth * 4, frame.size.width * 4)
        source.withUnsafeMutableBytes { from in
            target.withUnsafeMutableBytes { to in
                for y in 0..<frame.size.height {
                    let onScreen = (frame.y + y) * screenStride + frame.x * 4
                    let (read, write) = isSaving ? (onScreen, y * width) : (y * width, onScreen)
                    (to.baseAddress! + write).copyMemory(from: from.baseAddress! + read, byteCount: width)
                }
            }
        }
    }

    /// Says that the frame has made every pixel of the screen opaque.
    package mutating func markOpaque() { isOpaque = true }

    /// Lends the screen's memory, rows packed tightly, to draw opaque pixels into, or straight ones that are settled
    /// next.
    package mutating func withRows<R>(_ body: (UnsafeMutableRawPointer) -> R) -> R {
        pixels.withUnsafeMutableBytes { body($0.baseAddress!) }
    }

    /// Draws pixels with straight alpha on a row of the screen, cut at its edges.
    package mutating func draw(_ row: UnsafeRawPointer, count: Int, x: Int, y: Int, blend: Blend) {
        guard x >= 0, x < size.width, y >= 0, y < size.height, count > 0 else { return }
        let columns = x..<min(size.width, x + count)
        guard blend == .over else { return replace(columns, y, with: row) }
        guard composition == .straightOfWebP, vacant.y..<(vacant.y + vacant.size.height) ~= y else {
            return mix(columns, y, with: row)
        }
        let empty = (vacant.x..<(vacant.x + vacant.size.width)).clamped(to: columns)
        mix(x..<empty.lowerBound, y, with: row)
        replace(empty, y, with: row + (empty.lowerBound - x) * 4)
        mix(empty.upperBound..<columns.upperBound, y, with: row + (empty.upperBound - x) * 4)
    }

    private mutating func replace(_ columns: Range<Int>, _ y: Int, with row: UnsafeRawPointer) {
        let source = row.assumingMemoryBound(to: UInt8.self)
        let (level, composition) = (level, composition)
        let isRowOpaque = withPixels(columns.lowerBound, y) { target in
            guard composition != .premultiplied else {
                return kuva_pixels_premultiply(level, target, source, columns.count) != 0
            }
            target.update(from: source, count: columns.count * 4)
            return false
        }
        if !isRowOpaque { isOpaque = false }
    }

    private mutating func mix(_ columns: Range<Int>, _ y: Int, with row: UnsafeRawPointer) {
        let source = row.assumingMemoryBound(to: UInt8.self)
        let scratch = multiplied.address.assumingMemoryBound(to: UInt8.self)
        let (level, composition) = (level, composition)
        withPixels(columns.lowerBound, y) { target in
            switch composition {
            case .premultiplied:
                _ = kuva_pixels_premultiply(level, scratch, source, columns.count)
                kuva_pixels_draw_over(level, target, scratch, columns.count)
            case .straight: kuva_pixels_draw_straight_over(target, source, columns.count)
            case .straightOfWebP: kuva_pixels_draw_straight_over_webp(target, source, columns.count)
            }
        }
    }

    private mutating func withPixels<R>(_ x: Int, _ y: Int, _ body: (UnsafeMutablePointer<UInt8>) -> R) -> R {
        let offset = (y * size.width + x) * 4
        return pixels.withUnsafeMutableBytes { bytes in
            body((bytes.baseAddress! + offset).assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Makes rows of a rectangle, drawn with straight alpha in place of what was there, what the screen has.
    package mutating func settle(_ rect: PixelRect, rows: Int) {
        let rect = rect.clamped(to: size)
        guard composition == .premultiplied else {
            isOpaque = false
            return
        }
        let (level, stride) = (level, size.width * 4)
        pixels.withUnsafeMutableBytes { bytes in
            for y in rect.y..<(rect.y + min(rows, rect.size.height)) {
                let row = (bytes.baseAddress! + y * stride + rect.x * 4).assumingMemoryBound(to: UInt8.self)
                if kuva_pixels_premultiply(level, row, row, rect.size.width) == 0 { isOpaque = false }
            }
        }
    }

    /// Hands rows to a writer that was made with ``rowAlpha``.
    package mutating func emit(rows: Range<Int>, to writer: inout FrameWriter, into canvas: inout PixelCanvas) {
        let stride = size.width * 4
        pixels.withUnsafeBytes { bytes in
            writer.write(
                bytes.baseAddress! + rows.lowerBound * stride,
                bytesPerRow: stride,
                count: rows.count,
                into: &canvas
            )
        }
    }

    /// What the alpha bytes of the screen mean now.
    package var rowAlpha: FrameWriter.RowAlpha {
        isOpaque ? .opaque : composition == .premultiplied ? .premultiplied : .straight
    }
}
