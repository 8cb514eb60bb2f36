internal import CKuvaPixels

/// Takes the rows of a stored frame, top row first, and puts them converted, scaled, premultiplied and upright into a
/// canvas. A canvas of straight alpha gets the rows as they come; they must be straight then, and are not scaled.
///
/// Every decoder writes through one, so that target size, orientation and alpha are handled in one place, and memory
/// follows the output and a few rows, not the input. Rows are `storedSize.width` RGBA8 pixels. One thread at a time.
///
/// Scaling is Lanczos with three lobes in premultiplied space, one axis after the other. The same rows give the same
/// bytes on every machine.
///
/// Where the rows need no scaling and no turning, a decoder may write into the canvas itself; see
/// ``writeDirectly(into:_:)``.
public struct FrameWriter: ~Copyable {
    /// What the alpha bytes of the rows that come in mean.
    public enum RowAlpha: Sendable {
        /// All 255.
        case opaque
        /// Colour is multiplied by alpha already. Colour above alpha, which only a broken file has, is cut to it.
        case premultiplied
        /// Colour is independent of alpha; the writer multiplies.
        case straight
    }

    /// The size of the stored frame as the rows come in, before orientation and scaling.
    public let storedSize: PixelSize
    /// What the alpha bytes of the rows mean.
    public let rowAlpha: RowAlpha
    /// How the stored frame is turned to be upright.
    public let orientation: Orientation
    /// Rows taken so far.
    public private(set) var rowCount = 0

    private let output: PixelLayout
    private let converter: (any PixelRowConverter)?
    private let level: Int32
    private var placer: RowPlacer
    private var resampler: Resampler?
    /// One row, multiplied, on its way to the resampler.
    private let multiplied: ScratchMemory
    private var isOpaque = true

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - output: the layout of the canvas: upright and in the size wanted.
    ///   - converter: makes sRGB of the rows before anything else is done to them; `nil` if they are sRGB, or are to
    ///     stay what they are. With one, rows are never `premultiplied`.
    /// - Throws: ``ImageError`` with the code `out-of-memory` if the rows it must hold back do not fit, and
    ///   `corrupt-image` for a stored size without pixels.
    public init(
        storedSize: PixelSize,
        rowAlpha: RowAlpha,
        orientation: Orientation = .up,
        output: PixelLayout,
        converter: (any PixelRowConverter)? = nil
    ) throws(ImageError) {
        let sides = 1...Int(Int32.max / 8)
        guard sides.contains(storedSize.width), sides.contains(storedSize.height) else {
            throw ImageError(.corruptImage, "the file says that its picture is \(storedSize) pixels")
        }
        let level = kuva_pixels_best_level()
        let placer = try RowPlacer(orientation: orientation, output: output, level: level)
        let isScaled = placer.storedSize != storedSize
        let multiplied = try ScratchMemory(rows: isScaled ? 1 : 0, rowBytes: storedSize.width * 4)
        resampler = isScaled ? try Resampler(from: storedSize, to: placer.storedSize, level: level) : nil
        self.placer = placer
        self.multiplied = multiplied
        self.level = level
        self.storedSize = storedSize
        self.rowAlpha = rowAlpha
        self.orientation = orientation
        self.output = output
        self.converter = converter
    }

    /// Whether rows may be written into the canvas itself: neither scaled nor turned.
    public var isDirect: Bool { orientation == .up && storedSize == output.size }

    /// Lets `body` write the next rows into the canvas itself. Only if ``isDirect``; otherwise nothing happens.
    ///
    /// - Parameter body: gets the canvas's memory from the next row to its end, and the stride in bytes; returns how
    ///   many whole rows it has written.
    public mutating func writeDirectly<E: Error>(
        into canvas: inout PixelCanvas,
        _ body: (_ rows: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(E) -> Int
    ) throws(E) {
        guard isDirect, rowCount < output.height else { return }
        checkLayout(of: canvas)
        let (first, stride) = (rowCount, output.bytesPerRow)
        let written = try canvas.withUnsafeMutableBytes { bytes throws(E) in
            try body(UnsafeMutableRawBufferPointer(rebasing: bytes[(first * stride)...]), stride)
        }
        let count = max(0, min(written, output.height - first))
        canvas.withUnsafeMutableBytes { bytes in
            for row in first..<(first + count) {
                let start = bytes.baseAddress! + row * stride
                if isChanging { copy(start, to: start) }
            }
        }
        placer.commitInPlace(count)
        rowCount += count
    }

    /// Takes the next rows. Rows past the stored height are ignored.
    ///
    /// - Parameters:
    ///   - rows: whole rows, the first at its start.
    ///   - bytesPerRow: from the start of one row to the start of the next; negative where the next lies before it.
    ///   - count: how many rows.
    public mutating func write(
        _ rows: UnsafeRawPointer,
        bytesPerRow: Int,
        count: Int,
        into canvas: inout PixelCanvas
    ) {
        checkLayout(of: canvas)
        let count = max(0, min(count, storedSize.height - rowCount))
        canvas.withUnsafeMutableBytes { bytes in
            for index in 0..<count { take(rows + index * bytesPerRow, into: bytes.baseAddress!) }
        }
        rowCount += count
    }

    /// Ends the frame: writes what was held back and makes every row that did not come transparent.
    ///
    /// - Returns: what alpha turned out to mean: opaque if all rows came and every alpha is 255.
    public mutating func finish(into canvas: inout PixelCanvas) -> AlphaMode {
        checkLayout(of: canvas)
        if rowCount < storedSize.height { isOpaque = false }
        canvas.withUnsafeMutableBytes { bytes in
            while resampler?.hasPartialRow == true { placeResampledRow(into: bytes.baseAddress!) }
            placer.finish(in: bytes.baseAddress!)
        }
        return isOpaque ? .opaque : output.alpha == .straight ? .straight : .premultiplied
    }
}

extension FrameWriter {
    /// A canvas of another size would be written past its end.
    private func checkLayout(of canvas: borrowing PixelCanvas) {
        precondition(
            canvas.layout.size == output.size && canvas.layout.bytesPerRow == output.bytesPerRow,
            "the canvas must have the layout that the decoder's info gave"
        )
    }

    private mutating func take(_ row: UnsafeRawPointer, into canvas: UnsafeMutableRawPointer) {
        guard resampler != nil else {
            copy(row, to: placer.nextRow(in: canvas))
            placer.commit(in: canvas)
            return
        }
        if rowAlpha == .straight || converter != nil {
            copy(row, to: multiplied.address)
            resampler?.push(multiplied.address)
        } else {
            resampler?.push(row)
        }
        while resampler?.hasRow == true { placeResampledRow(into: canvas) }
    }

    private mutating func placeResampledRow(into canvas: UnsafeMutableRawPointer) {
        guard let isRowOpaque = resampler?.pop(into: placer.nextRow(in: canvas)) else { return }
        if !isRowOpaque { isOpaque = false }
        placer.commit(in: canvas)
    }

    /// Whether rows differ in the canvas from what they were, or must be looked at for transparency.
    private var isChanging: Bool { rowAlpha != .opaque || converter != nil }

    /// Copies a stored row, converted and premultiplied; `target` may be `row`.
    private mutating func copy(_ row: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        var input = row.assumingMemoryBound(to: UInt8.self)
        let output = target.assumingMemoryBound(to: UInt8.self)
        let width = storedSize.width
        if let converter {
            if row != UnsafeRawPointer(target) { target.copyMemory(from: row, byteCount: width * 4) }
            converter.convert(target, count: width)
            input = UnsafePointer(output)
        }
        switch rowAlpha {
        case .straight where self.output.alpha == .straight, .opaque:
            if input != UnsafePointer(output) { output.update(from: input, count: width * 4) }
            if rowAlpha == .straight, isOpaque { isOpaque = Self.isOpaque(output, count: width) }
        case .premultiplied:
            if kuva_pixels_clamp(level, output, input, width) == 0 { isOpaque = false }
        case .straight:
            if kuva_pixels_premultiply(level, output, input, width) == 0 { isOpaque = false }
        }
    }

    private static func isOpaque(_ pixels: UnsafePointer<UInt8>, count: Int) -> Bool {
        var all: UInt8 = 255
        for index in 0..<count { all &= pixels[4 * index + 3] }
        return all == 255
    }
}
