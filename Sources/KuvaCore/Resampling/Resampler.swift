internal import CKuvaPixels

/// Turns a stream of rows into a stream of rows of another size: a horizontal pass for each row that comes, and a
/// vertical pass as soon as the rows under its filter are there.
///
/// Memory: the rows under the filter, six times the factor of the shrink, in the width of the output.
struct Resampler: ~Copyable {
    private let source: PixelSize
    private let output: PixelSize
    private let level: Int32
    private let horizontal: LanczosFilter
    private let vertical: LanczosFilter
    /// One row of the source in 16 bits, followed by zeros for windows that reach past its end.
    private let wideRow: ScratchMemory
    /// The newest rows in 16 bits and the width of the output; row `i` is in slot `i % vertical.tapCount`.
    private let ring: ScratchMemory
    private var pushedCount = 0
    private var poppedCount = 0

    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    init(from source: PixelSize, to output: PixelSize, level: Int32) throws(ImageError) {
        let horizontal = LanczosFilter(
            from: source.width,
            to: output.width,
            startMultiple: 2,
            tapMultiple: 4,
            maximumValue: 255
        )
        let vertical = LanczosFilter(
            from: source.height,
            to: output.height,
            startMultiple: 1,
            tapMultiple: 1,
            maximumValue: 255 << Int(KUVA_PIXELS_FRACTION_BITS)
        )
        let wideRow = try ScratchMemory(rows: source.width + 4 + horizontal.tapCount, rowBytes: Self.widePixelBytes)
        ring = try ScratchMemory(rows: vertical.tapCount, rowBytes: output.width * Self.widePixelBytes)
        self.wideRow = wideRow
        self.horizontal = horizontal
        self.vertical = vertical
        self.source = source
        self.output = output
        self.level = level
    }

    private static let widePixelBytes = 8

    /// Takes the next row of the source: premultiplied, `source.width` pixels.
    mutating func push(_ row: UnsafeRawPointer) {
        let wide = wideRow.address.assumingMemoryBound(to: Int16.self)
        let slot = pushedCount % vertical.tapCount
        let narrowed = ring.address + slot * output.width * Self.widePixelBytes
        kuva_pixels_widen(level, wide, row.assumingMemoryBound(to: UInt8.self), source.width)
        kuva_pixels_resample_row(
            level,
            narrowed.assumingMemoryBound(to: Int16.self),
            output.width,
            wide,
            horizontal.starts,
            horizontal.weights,
            horizontal.tapCount,
            horizontal.bits
        )
        pushedCount += 1
    }

    /// Whether a row of the output is ready. All that are must be popped before the next push.
    var hasRow: Bool {
        poppedCount < output.height
            && pushedCount >= min(Int(vertical.starts[poppedCount]) + vertical.tapCount, source.height)
    }

    /// Whether a row of the output would get anything from the rows that have come, taking the others as transparent.
    var hasPartialRow: Bool { poppedCount < output.height && pushedCount > Int(vertical.starts[poppedCount]) }

    /// Writes the next row of the output: premultiplied, `output.width` pixels. Rows that did not come are transparent.
    ///
    /// - Returns: whether every alpha is 255.
    mutating func pop(into row: UnsafeMutableRawPointer) -> Bool {
        let first = Int(vertical.starts[poppedCount])
        let offset = poppedCount * vertical.tapCount
        let isOpaque = vertical.weights.withUnsafeBufferPointer { weights in
            kuva_pixels_resample_column(
                level,
                row.assumingMemoryBound(to: UInt8.self),
                output.width,
                ring.address.assumingMemoryBound(to: Int16.self),
                output.width * 4,
                vertical.tapCount,
                first % vertical.tapCount,
                weights.baseAddress! + offset,
                min(vertical.tapCount, pushedCount - first),
                vertical.bits
            )
        }
        poppedCount += 1
        return isOpaque != 0
    }
}
