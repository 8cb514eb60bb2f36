internal import FoundationEssentials
internal import KuvaCore

/// Reads GIF87a and GIF89a: the index of all frames, and any frame on its logical screen.
///
/// As browsers do: the screen starts transparent, the background colour is not used, frames are cut at its edge. The
/// file's bytes are kept, since frames can be asked for again. The first frame alone goes row by row, and once begun
/// goes on, in the same canvas; for more, the decoder keeps a screen of its own.
final class GIFDecoder: AnimationDecoder, ProgressiveImageDecoder {
    let format = ImageFormat.gif

    private let options: DecodeOptions
    private var input = InputBytes()
    private var index = GIFIndex()
    private var layout: PixelLayout?
    private var frame: GIFFrameDecoder?
    /// `nil` as long as the first frame alone is wanted.
    private var animator: GIFAnimator?
    private var isAnimation = false
    private var nextFrame = 0
    private var hold = FrameHold()
    private var previewedPasses = 0
    private var lastingError = LastingError()

    /// How many bytes are decoded between two looks at the cancellation flag.
    private static let batchByteCount = 64 << 10

    init(options: DecodeOptions) { self.options = options }

    func append(_ bytes: Data, isLast: Bool) { input.append(bytes, isLast: isLast) }

    /// The number of frames grows while the file comes.
    func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
        try lastingError.run { () throws(ImageError) in try updateInfo() }
    }

    func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        try lastingError.check()
        return try hold.decodeFrame(into: &canvas) { canvas throws(ImageError) in try advance(into: &canvas) }
    }

    /// The first frame by rows; an interlaced one as a whole, coarse at first, after each pass.
    func decodePreview(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo(), let record = index.frames.first, !hold.isBypassed else {
            return .needsMoreBytes
        }
        try canvas.checkLayout(info.outputLayout)
        let step = try hold.decodePreview(
            into: &canvas,
            height: index.screen.height,
            rowCount: { record.isInterlaced ? 0 : frame?.rowCount ?? 0 },
            { canvas throws(ImageError) in try advance(into: &canvas) }
        )
        guard record.isInterlaced, case .needsMoreBytes = step, let frame, frame.passCount > previewedPasses else {
            return step
        }
        previewedPasses = frame.passCount
        try frame.preview(into: &canvas)
        return .done(FrameInfo(index: 0, alpha: .premultiplied))
    }

    private func advance(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        try lastingError.run { () throws(ImageError) in
            try options.timing { () throws(ImageError) in
                try isAnimation || nextFrame > 0
                    ? decodeNextFrame(into: &canvas) : decodeFirstFrame(into: &canvas)
            }
        }
    }
}

extension GIFDecoder {
    var frameCount: Int { index.frames.count }

    var hasAllFrames: Bool { index.isFinished || input.isComplete }

    func frame(at index: Int) -> AnimationFrame {
        let frame = self.index.frames[index]
        return AnimationFrame(
            duration: frame.duration,
            isWhole: frame.dataEnd != nil || input.isComplete,
            rect: frame.rect,
            disposal: frame.disposal.onCanvas
        )
    }

    func seek(toFrame index: Int) {
        isAnimation = true
        frame = nil
        nextFrame = max(0, index)
    }

    private func decodeNextFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try updateInfo() else { return .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        guard nextFrame < frameCount else { return hasAllFrames ? .end : .needsMoreBytes }
        guard frame(at: nextFrame).isWhole else { return .needsMoreBytes }
        try options.checkpoint()
        let animator = try currentAnimator()
        let shown = try animator.show(nextFrame, of: &index, file: input, options: options, into: &canvas)
        // A file with nothing to show throws.
        if nextFrame == 0, let damage = shown.damage, !animator.hasPicture { throw damage }
        nextFrame += 1
        return .done(shown)
    }

    private func currentAnimator() throws(ImageError) -> GIFAnimator {
        if let animator { return animator }
        try options.limits.check(output: index.screen)
        let made = try GIFAnimator(screen: index.screen)
        animator = made
        return made
    }

    private func updateInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
        let limits = options.limits
        try input.data.lend { bytes throws(ImageError) in try index.read(BoundedBytes(bytes), limits: limits) }
        guard let first = index.frames.first else {
            if index.isFinished { throw GIFIndex.corrupt("the file has no picture") }
            if input.isComplete { throw Self.truncated("the file ends before its first picture") }
            return .needsMoreBytes
        }
        let screen = index.screen
        let hasAlpha = index.hasAlpha
        return .done(
            ImageInfo(
                format: .gif,
                storedSize: screen,
                frameCount: index.frames.count,
                loopCount: index.loopCount,
                hasAlpha: hasAlpha,
                pixelDescription: first.palette.map { "palette of \($0.count)" } ?? "no palette",
                outputLayout: try outputLayout(screen, hasAlpha: hasAlpha)
            )
        )
    }

    /// The layout stays what it was when it was first asked for.
    private func outputLayout(_ screen: PixelSize, hasAlpha: Bool) throws(ImageError) -> PixelLayout {
        if let layout { return layout }
        let made = try options.outputLayout(storedSize: screen, hasAlpha: hasAlpha)
        layout = made
        return made
    }

    private func decodeFirstFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try updateInfo(), let record = index.frames.first else { return .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        let frame = try currentFrame(record, on: &canvas)
        while true {
            try options.checkpoint()
            let before = frame.readOffset
            let end = min(record.dataEnd ?? .max, before + Self.batchByteCount)
            let step = input.data.lend { bytes in
                frame.decode(UnsafeRawBufferPointer(rebasing: bytes[before..<min(end, bytes.count)]), into: &canvas)
            }
            switch step {
            case .done: return try finish(frame, damage: nil, on: &canvas)
            case .damaged(let message): return try finish(frame, damage: GIFIndex.corrupt(message), on: &canvas)
            case .needsInput where frame.readOffset > before: continue
            case .needsInput:
                guard input.isComplete else { return .needsMoreBytes }
                let error = Self.truncated("the file ends before the last pixel of its first frame")
                return try finish(frame, damage: error, on: &canvas)
            }
        }
    }

    private func currentFrame(_ record: GIFFrame, on canvas: inout PixelCanvas) throws(ImageError) -> GIFFrameDecoder {
        if let frame { return frame }
        let (screen, limits, output) = (index.screen, options.limits, canvas.layout)
        let made = try input.data.lend { bytes throws(ImageError) in
            try GIFFrameDecoder(record, screen: screen, file: BoundedBytes(bytes), limits: limits, output: output)
        }
        // A preview must not show what the memory held before.
        if !input.isComplete { canvas.clear(rows: 0..<canvas.layout.height) }
        frame = made
        return made
    }

    /// - Throws: `damage`, if there is nothing to show.
    private func finish(
        _ frame: GIFFrameDecoder,
        damage: ImageError?,
        on canvas: inout PixelCanvas
    ) throws(ImageError) -> DecoderStep<FrameInfo> {
        if let damage, !frame.hasRows { throw damage }
        let alpha = frame.finish(into: &canvas)
        self.frame = nil
        nextFrame = 1
        let duration = index.frames.count > 1 ? index.frames[0].duration ?? .zero : .zero
        return .done(FrameInfo(index: 0, duration: duration, alpha: alpha, damage: damage))
    }

    static func truncated(_ message: String) -> ImageError {
        ImageError(.truncatedImage, message, advice: "get it again from its source")
    }
}
