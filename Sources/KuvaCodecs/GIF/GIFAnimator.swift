internal import KuvaCore

/// Draws the frames of a GIF one over the other, as browsers do, and goes back to a frame that depends on none where
/// it must.
final class GIFAnimator {
    /// Holds the screen as the frame before `next` left it, before its disposal.
    private var screen: AnimationCanvas
    private var pixels: GIFPixels
    /// The frame that is drawn next; 0 for an empty screen.
    private var next = 0
    /// Whether a frame has been begun and not ended, so that the screen is of no use.
    private var isTorn = false
    /// What the last frame drawn lacks.
    private var damage: ImageError?
    /// Whether the last frame drawn has a row to show.
    private(set) var hasPicture = false

    /// How many bytes are decoded between two looks at the cancellation flag.
    private static let batchByteCount = 64 << 10

    /// - Throws: `out-of-memory`.
    init(screen size: PixelSize) throws(ImageError) {
        screen = try AnimationCanvas(size: size)
        pixels = try GIFPixels()
    }

    /// Draws up to the frame `target`, whose bytes must all be there unless no more will come, and writes the screen.
    ///
    /// - Throws: `cancelled`, `out-of-memory`, `limit-exceeded`.
    func show(
        _ target: Int,
        of index: inout GIFIndex,
        file: borrowing InputBytes,
        options: DecodeOptions,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> FrameInfo {
        if isTorn || target != next - 1 {
            var start = index.frames[target].keyIndex
            if !isTorn, (start...target).contains(next) { start = next } else { screen.reset() }
            while start <= target {
                try draw(start, of: index, file: file, options: options)
                let key = index.frames[start].keyIndex
                if damage != nil, key == start { index.frameHidesNothing(start) }
                if index.frames[start].keyIndex < key {
                    start = index.frames[start].keyIndex
                    screen.reset()
                } else {
                    start += 1
                }
            }
        }
        return FrameInfo(
            index: target,
            duration: index.frames[target].duration ?? .zero,
            alpha: try write(into: &canvas),
            damage: damage
        )
    }

    private func write(into canvas: inout PixelCanvas) throws(ImageError) -> AlphaMode {
        var writer = try FrameWriter(storedSize: screen.size, rowAlpha: screen.rowAlpha, output: canvas.layout)
        screen.emit(rows: 0..<screen.size.height, to: &writer, into: &canvas)
        return writer.finish(into: &canvas)
    }

    private func draw(
        _ number: Int,
        of index: GIFIndex,
        file: borrowing InputBytes,
        options: DecodeOptions
    ) throws(ImageError) {
        let frame = index.frames[number]
        isTorn = true
        damage = nil
        hasPicture = false
        try options.limits.check(output: frame.size)
        try screen.begin(frame.rect, disposal: AnimationCanvas.Disposal(frame.disposal))
        do throws(ImageError) {
            try pixels.start(frame)
            damage = try decode(frame, file: file, options: options)
            let count = pixels.count
            let rows = file.withBytes { GIFRows(frame, screen: screen.size, file: BoundedBytes($0)) }
            hasPicture = rows.hasPicture(indices: count)
            screen.withRows { rows.draw(pixels, indices: count, on: $0) }
            if damage == nil, frame.covers(screen.size) { screen.markOpaque() }
        } catch {
            // A frame with no pixels leaves what is there.
            guard error.code == .corruptImage else { throw error }
            damage = error
        }
        next = number + 1
        isTorn = false
    }

    /// - Returns: what is wrong with the data.
    private func decode(
        _ frame: GIFFrame,
        file: borrowing InputBytes,
        options: DecodeOptions
    ) throws(ImageError) -> ImageError? {
        var offset = frame.dataOffset
        while true {
            try options.cancellation?.check()
            let (start, end) = (offset, min(frame.dataEnd ?? .max, offset + Self.batchByteCount))
            let (step, used) = file.withBytes { bytes in
                pixels.read(UnsafeRawBufferPointer(rebasing: bytes[start..<min(end, bytes.count)]))
            }
            offset += used
            switch step {
            case .done: return nil
            case .damaged(let message): return GIFIndex.corrupt(message)
            case .needsInput where used > 0: continue
            case .needsInput: return GIFDecoder.truncated("the file ends before the last pixel of a frame")
            }
        }
    }
}

extension AnimationCanvas.Disposal {
    fileprivate init(_ disposal: GIFDisposal) {
        switch disposal {
        case .keep: self = .keep
        case .clear: self = .clear
        case .restore: self = .restore
        }
    }
}
