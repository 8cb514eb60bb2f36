internal import KuvaCore

/// Draws any frame of an APNG on the frames before it.
final class APNGAnimator {
    private let metadata: PNGMetadata
    private let options: DecodeOptions
    private let screen: AnimationScreen
    /// Whether the last frame drawn has a row to show.
    private(set) var hasPicture = false

    /// How many bytes of rows are decoded between two looks at the cancellation flag.
    private static let batchByteCount = 256 << 10

    /// - Throws: `out-of-memory`, `limit-exceeded`.
    init(_ metadata: PNGMetadata, options: DecodeOptions) throws(ImageError) {
        try options.limits.check(output: metadata.header.size)
        self.metadata = metadata
        self.options = options
        screen = try AnimationScreen(
            size: metadata.header.size,
            orientation: options.appliedOrientation(metadata.orientation),
            composition: options.pixels == .stored ? .straight : .premultiplied
        )
    }

    /// Draws up to the frame `target`, whose bytes must all be there unless no more will come, and writes the screen.
    ///
    /// - Throws: `cancelled`, `out-of-memory`.
    func show(
        _ target: Int,
        of index: inout APNGIndex,
        file: InputBytes,
        into output: inout PixelCanvas
    ) throws(ImageError) -> FrameInfo {
        let frames = index.frames
        let shown = try screen.show(target, of: &index.chain, into: &output) { number, canvas throws(ImageError) in
            try draw(frames[number], file: file, on: &canvas)
        }
        let duration = frames[target].control.duration
        return FrameInfo(index: target, duration: duration, alpha: shown.alpha, damage: shown.damage)
    }

    private func draw(
        _ frame: APNGIndex.Frame,
        file: InputBytes,
        on canvas: inout AnimationCanvas
    ) throws(ImageError) -> ImageError? {
        let control = frame.control
        let isInterlaced = metadata.header.isInterlaced
        let stride = control.size.width * 4
        let rowsPerCall = min(control.size.height, max(1, Self.batchByteCount / stride))
        let scratch = try ScratchMemory(byteCount: stride * (isInterlaced ? control.size.height : rowsPerCall))
        var pixels = try PNGPixels(metadata, size: control.size)
        try canvas.begin(control.rect, disposal: control.disposal)
        hasPicture = false
        var (row, outcome) = (0, PNGPixels.Step.needsInput)
        parts: for part in frame.data {
            var offset = part.lowerBound
            repeat {
                try options.checkpoint()
                let result = file.withBytes { bytes in
                    pixels.read(
                        UnsafeRawBufferPointer(rebasing: bytes[offset..<part.upperBound]),
                        into: scratch.start,
                        bytesPerRow: stride,
                        maximumRows: rowsPerCall
                    )
                }
                offset += result.used
                if result.rows > 0 { hasPicture = true }
                if !isInterlaced {
                    draw(rows: row..<(row + result.rows), from: scratch, of: control, on: &canvas)
                    row += result.rows
                }
                outcome = result.step
                switch outcome {
                case .done, .damaged: break parts
                case .rowsFull: continue
                case .needsInput: continue parts
                }
            } while true
        }
        let damage = Self.damage(after: outcome)
        if isInterlaced, hasPicture {
            if damage != nil { pixels.fillHoles(in: scratch.start, bytesPerRow: stride) }
            draw(rows: 0..<control.size.height, from: scratch, of: control, on: &canvas)
        }
        if damage == nil, !metadata.hasAlpha, control.size == canvas.size { canvas.markOpaque() }
        return damage
    }

    private func draw(
        rows: Range<Int>,
        from scratch: ScratchMemory,
        of control: PNGFrameControl,
        on canvas: inout AnimationCanvas
    ) {
        let stride = control.size.width * 4
        for (index, y) in rows.enumerated() {
            let row = scratch.start + index * stride
            canvas.draw(row, count: control.size.width, x: control.left, y: control.top + y, blend: control.blend)
        }
    }

    private static func damage(after outcome: PNGPixels.Step) -> ImageError? {
        switch outcome {
        case .done: nil
        case .damaged(let message): PNGChunkReader.corrupt(message)
        default: PNGDecoder.truncated("the data of a frame end before its last row")
        }
    }
}
