internal import KuvaCore

/// Decodes the image data of one frame and hands its rows to a frame writer.
///
/// Where the canvas has the frame's size, rows are unfiltered straight into it. Otherwise they go through a band of a
/// few rows, or, interlaced, through a frame in scratch memory, since the last pass touches every row.
final class PNGFrameDecoder {
    private let control: PNGFrameControl
    private let canvasSize: PixelSize
    private let isInterlaced: Bool
    private var pixels: PNGPixels
    private var writer: FrameWriter
    private let makeWriter: () throws(ImageError) -> FrameWriter
    /// `nil` if the canvas itself is written to.
    private let scratch: ScratchMemory?
    private let rowsPerCall: Int
    /// Whether there is anything to show.
    private(set) var hasRows = false
    /// Whether the last row has come.
    private(set) var isWhole = false

    /// How many bytes of rows are written before the caller may look at its cancellation flag; small enough that they
    /// are still in the cache when the writer multiplies them.
    private static let batchByteCount = 256 << 10

    private var isWholeCanvas: Bool { control.size == canvasSize }
    private var scratchStride: Int { control.size.width * 4 }

    /// - Parameter mayPause: whether the canvas may be looked at before the frame is finished.
    /// - Throws: `out-of-memory`.
    init(
        _ metadata: PNGMetadata,
        control: PNGFrameControl,
        options: DecodeOptions,
        colour: ColourPlan,
        mayPause: Bool,
        canvas: inout PixelCanvas
    ) throws(ImageError) {
        self.control = control
        canvasSize = metadata.header.size
        isInterlaced = metadata.header.isInterlaced
        let isOpaque = !metadata.hasAlpha && control.size == metadata.header.size
        pixels = try PNGPixels(metadata, size: control.size)
        let layout = canvas.layout
        makeWriter = { () throws(ImageError) in
            try FrameWriter(
                storedSize: metadata.header.size,
                rowAlpha: isOpaque ? .opaque : .straight,
                orientation: options.appliedOrientation(metadata.orientation),
                output: layout,
                converter: colour.converter
            )
        }
        writer = try makeWriter()
        let rowBytes = control.size.width * 4
        rowsPerCall = min(control.size.height, max(1, Self.batchByteCount / rowBytes))
        if writer.isDirect, control.size == metadata.header.size {
            scratch = nil
        } else {
            let rows = metadata.header.isInterlaced ? control.size.height : rowsPerCall
            scratch = try ScratchMemory(byteCount: rowBytes * rows)
        }
        // A preview must not show what the memory held before.
        if mayPause { canvas.clear(rows: 0..<canvas.layout.height) }
        write(blankRows: control.top, to: &writer, into: &canvas)
    }

    /// Rows that the writer has had.
    var rowCount: Int { writer.rowCount }

    /// The interlace pass that is under way, from 0: as many have come.
    var pass: Int { pixels.pass }

    /// Draws an interlaced frame as far as it has come: pixels that have not come are like those left of and above them.
    ///
    /// - Parameter held: the canvas that the frame goes to.
    func preview(of held: inout PixelCanvas, into canvas: inout PixelCanvas) throws(ImageError) {
        let copy = try ScratchMemory(byteCount: scratchStride * control.size.height)
        if let scratch {
            copy.start.copyMemory(from: scratch.start, byteCount: copy.byteCount)
        } else {
            held.withUnsafeBytes { copy.start.copyMemory(from: $0.baseAddress!, byteCount: copy.byteCount) }
        }
        pixels.fillHoles(in: copy.start, bytesPerRow: scratchStride)
        var writer = try makeWriter()
        write(blankRows: control.top, to: &writer, into: &canvas)
        write(copy.start, rows: control.size.height, to: &writer, into: &canvas)
        _ = writer.finish(into: &canvas)
    }

    /// Decodes one batch of rows from `input`; returns how much of it was used.
    func decode(_ input: UnsafeRawBufferPointer, into canvas: inout PixelCanvas) -> (step: PNGPixels.Step, used: Int) {
        var result: (step: PNGPixels.Step, used: Int, rows: Int) = (.needsInput, 0, 0)
        if let scratch {
            let limit = rowsPerCall
            result = pixels.read(input, into: scratch.start, bytesPerRow: scratchStride, maximumRows: limit)
            if !isInterlaced { write(rows: result.rows, into: &canvas) }
        } else {
            let (isInterlaced, limit) = (isInterlaced, rowsPerCall)
            writer.writeDirectly(into: &canvas) { out, bytesPerRow in
                guard let start = out.baseAddress else { return 0 }
                let room = isInterlaced ? limit : min(limit, out.count / bytesPerRow)
                result = pixels.read(input, into: start, bytesPerRow: bytesPerRow, maximumRows: room)
                return isInterlaced ? 0 : result.rows
            }
        }
        if result.rows > 0 { hasRows = true }
        if case .done = result.step { isWhole = true }
        return (result.step, result.used)
    }

    /// Ends the frame, whole or not; rows that did not come are transparent.
    func finish(into canvas: inout PixelCanvas) -> AlphaMode {
        if isInterlaced { finishInterlaced(into: &canvas) }
        if isWhole {
            write(blankRows: canvasSize.height - control.top - control.size.height, to: &writer, into: &canvas)
        }
        return writer.finish(into: &canvas)
    }

    private func finishInterlaced(into canvas: inout PixelCanvas) {
        if let scratch {
            if !isWhole { pixels.fillHoles(in: scratch.start, bytesPerRow: scratchStride) }
            write(rows: control.size.height, into: &canvas)
        } else {
            writer.writeDirectly(into: &canvas) { out, bytesPerRow in
                if !isWhole, let start = out.baseAddress { pixels.fillHoles(in: start, bytesPerRow: bytesPerRow) }
                return out.count / bytesPerRow
            }
        }
    }

    /// Writes rows of the scratch memory.
    private func write(rows: Int, into canvas: inout PixelCanvas) {
        guard let scratch else { return }
        write(scratch.start, rows: rows, to: &writer, into: &canvas)
    }

    /// Writes rows of the frame, each in its place on the canvas's width.
    private func write(
        _ start: UnsafeMutableRawPointer,
        rows: Int,
        to writer: inout FrameWriter,
        into canvas: inout PixelCanvas
    ) {
        guard rows > 0 else { return }
        if isWholeCanvas {
            writer.write(start, bytesPerRow: scratchStride, count: rows, into: &canvas)
            return
        }
        withBlankRow { row in
            for index in 0..<rows {
                (row + control.left * 4).copyMemory(from: start + index * scratchStride, byteCount: scratchStride)
                writer.write(row, bytesPerRow: canvasSize.width * 4, count: 1, into: &canvas)
            }
        }
    }

    private func write(blankRows count: Int, to writer: inout FrameWriter, into canvas: inout PixelCanvas) {
        guard count > 0 else { return }
        withBlankRow { row in
            for _ in 0..<count { writer.write(row, bytesPerRow: canvasSize.width * 4, count: 1, into: &canvas) }
        }
    }

    private func withBlankRow(_ body: (UnsafeMutableRawPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: canvasSize.width * 4, alignment: 16) { row in
            row.initializeMemory(as: UInt8.self, repeating: 0)
            body(row.baseAddress!)
        }
    }
}
