internal import KuvaCore

/// Draws any frame of a GIF on the frames before it, as browsers do.
final class GIFAnimator {
    private let screen: AnimationScreen
    private var pixels: GIFPixels
    /// Whether the last frame drawn has a row to show.
    private(set) var hasPicture = false

    /// How many bytes are decoded between two looks at the cancellation flag.
    private static let batchByteCount = 64 << 10

    /// - Throws: `out-of-memory`.
    init(screen size: PixelSize) throws(ImageError) {
        screen = try AnimationScreen(size: size)
        pixels = try GIFPixels()
    }

    /// Draws up to the frame `target`, whose bytes must all be there unless no more will come, and writes the screen.
    ///
    /// - Throws: `cancelled`, `out-of-memory`, `limit-exceeded`.
    func show(
        _ target: Int,
        of index: inout GIFIndex,
        file: InputBytes,
        options: DecodeOptions,
        into output: inout PixelCanvas
    ) throws(ImageError) -> FrameInfo {
        let frames = index.frames
        let shown = try screen.show(target, of: &index.chain, into: &output) { number, canvas throws(ImageError) in
            try draw(frames[number], file: file, options: options, on: &canvas)
        }
        let duration = frames[target].duration ?? .zero
        return FrameInfo(index: target, duration: duration, alpha: shown.alpha, damage: shown.damage)
    }

    private func draw(
        _ frame: GIFFrame,
        file: InputBytes,
        options: DecodeOptions,
        on canvas: inout AnimationCanvas
    ) throws(ImageError) -> ImageError? {
        hasPicture = false
        try options.limits.check(output: frame.size)
        try canvas.begin(frame.rect, disposal: frame.disposal.onCanvas)
        do throws(ImageError) {
            try pixels.start(frame)
        } catch {
            // A frame that cannot be read leaves what is there.
            guard error.code == .corruptImage else { throw error }
            return error
        }
        let damage = try decode(frame, file: file, options: options)
        let (count, size) = (pixels.count, canvas.size)
        let rows = file.withBytes { GIFRows(frame, screen: size, file: BoundedBytes($0)) }
        hasPicture = rows.hasPicture(indices: count)
        canvas.withRows { rows.draw(pixels, indices: count, on: $0) }
        if damage == nil, frame.covers(size) { canvas.markOpaque() }
        return damage
    }

    /// - Returns: what is wrong with the data.
    private func decode(
        _ frame: GIFFrame,
        file: InputBytes,
        options: DecodeOptions
    ) throws(ImageError) -> ImageError? {
        var offset = frame.dataOffset
        while true {
            try options.checkpoint()
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
