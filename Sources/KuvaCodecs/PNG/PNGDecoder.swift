internal import FoundationEssentials
internal import KuvaCore

/// Reads PNG, and the first frame of APNG, row by row as the bytes come (PNG third edition), and then any frame.
///
/// Memory follows the output and a few rows; an interlaced picture that is scaled or turned needs its whole frame as
/// well. A frame that was begun goes on in the same canvas. Chunks that no one asked for are passed over without being
/// held, and nothing past the last row is inflated. Only of an animation are the file's bytes kept; whoever wants more
/// of it than the first frame makes the decoder keep a screen.
final class PNGDecoder: AnimationDecoder, ProgressiveImageDecoder {
    /// What the decoder does with the next bytes, once the metadata are read.
    private enum State {
        /// Looks for the chunk where the data of the frame begin or go on.
        case seeking
        /// Reads the header of a frame whose image is not the default one.
        case frameControl
        /// Reads the sequence number in front of frame data (§11.3.6.3) and then the data.
        case data(sequenceBytesLeft: Int)
        /// Reads the CRC behind the data.
        case sum
        /// Has the last row and passes over what is left of its chunk, to the CRC.
        case tail
        case done
    }

    private let options: DecodeOptions
    private let sniffedFormat: ImageFormat
    private var stream = ByteStream()
    private var chunks = PNGChunkReader()
    private var metadataReader = PNGMetadataReader()
    private(set) var metadata: PNGMetadata?
    private var info: ImageInfo?
    private var colour = ColourPlan.sRGB
    private var state = State.seeking
    private var control: PNGFrameControl?
    private var frame: PNGFrameDecoder?
    private var hold = FrameHold()
    private var previewedPasses = 0
    private var lastingError = LastingError()

    /// What has come, until it is clear that the file is no animation.
    private var file: InputBytes? = InputBytes()
    private var index: APNGIndex?
    private var animator: APNGAnimator?
    private var isAnimation = false
    private var nextFrame = 0

    init(format: ImageFormat, options: DecodeOptions) {
        sniffedFormat = format
        self.options = options
    }

    var format: ImageFormat { info?.format ?? sniffedFormat }

    func append(_ bytes: Data, isLast: Bool) {
        stream.append(bytes, isLast: isLast)
        file?.append(bytes, isLast: isLast)
    }

    func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
        try lastingError.run { () throws(ImageError) in
            if let info {
                readIndex()
                return .done(info)
            }
            guard let metadata = try metadataReader.read(&chunks, from: &stream, limits: options.limits) else {
                if stream.isComplete { throw Self.truncated("the file ends before its image data") }
                return .needsMoreBytes
            }
            let colour = try ColourPlan(metadata.colourDescription, options: options)
            let info = try metadata.info(for: options, colour: colour)
            self.colour = colour
            self.metadata = metadata
            self.info = info
            if metadata.animation == nil { file = nil } else { index = APNGIndex(metadata) }
            readIndex()
            // Without a frame header before it, the default image is not part of the animation (§4.9).
            if metadata.animation == nil || metadata.frameControl != nil {
                control = PNGFrameControl(canvas: metadata.header.size)
                state = .data(sequenceBytesLeft: 0)
            }
            return .done(info)
        }
    }

    func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo() else { return .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        return try hold.decodeFrame(into: &canvas) { canvas throws(ImageError) in try advance(into: &canvas) }
    }

    /// By rows; interlaced pictures as a whole, coarse at first, after each pass.
    func decodePreview(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo(), let metadata, !hold.isBypassed else { return .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        let isInterlaced = metadata.header.isInterlaced
        let step = try hold.decodePreview(
            into: &canvas,
            height: metadata.header.size.height,
            rowCount: { isInterlaced ? 0 : frame?.rowCount ?? 0 },
            { canvas throws(ImageError) in try advance(into: &canvas) }
        )
        guard isInterlaced, case .needsMoreBytes = step, let frame, frame.pass > previewedPasses else { return step }
        previewedPasses = frame.pass
        try hold.withCanvas { held throws(ImageError) in try frame.preview(of: &held, into: &canvas) }
        return .done(FrameInfo(index: 0, alpha: .premultiplied))
    }

    private func advance(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard let metadata else { return .needsMoreBytes }
        return try lastingError.run { () throws(ImageError) in
            try options.timing { () throws(ImageError) in
                try index != nil && (isAnimation || nextFrame > 0)
                    ? decodeNextFrame(metadata, into: &canvas) : decode(metadata, into: &canvas)
            }
        }
    }
}

extension PNGDecoder {
    var frameCount: Int { index.map(\.frames.count) ?? 1 }

    var hasAllFrames: Bool { index.map(\.isFinished) ?? true || stream.isComplete }

    func frame(at index: Int) -> AnimationFrame {
        guard let frame = self.index?.frames[index] else { return AnimationFrame(duration: nil, isWhole: true) }
        return AnimationFrame(
            duration: frame.control.duration,
            isWhole: frame.isWhole || stream.isComplete,
            rect: frame.control.rect,
            disposal: frame.control.disposal
        )
    }

    func seek(toFrame index: Int) {
        isAnimation = true
        nextFrame = max(0, index)
    }

    private func readIndex() {
        guard let file else { return }
        file.withBytes { index?.read(BoundedBytes($0)) }
    }

    private func currentAnimator(_ metadata: PNGMetadata) throws(ImageError) -> APNGAnimator {
        if let animator { return animator }
        let made = try APNGAnimator(metadata, options: options)
        animator = made
        return made
    }

    private func decodeNextFrame(
        _ metadata: PNGMetadata,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard var index, let file else { return .end }
        guard nextFrame < index.frames.count else { return hasAllFrames ? .end : .needsMoreBytes }
        guard frame(at: nextFrame).isWhole else { return .needsMoreBytes }
        try options.checkpoint()
        let animator = try currentAnimator(metadata)
        defer { self.index = index }
        let shown = try animator.show(nextFrame, of: &index, file: file, into: &canvas)
        // A file with nothing to show throws.
        if nextFrame == 0, let damage = shown.damage, !animator.hasPicture { throw damage }
        nextFrame += 1
        return .done(shown)
    }

    /// Takes steps until the frame is there, or no step can be taken without more bytes.
    private func decode(
        _ metadata: PNGMetadata,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> DecoderStep<FrameInfo> {
        while true {
            try options.checkpoint()
            let progress: Progress
            do throws(ImageError) {
                progress = try step(metadata, into: &canvas)
            } catch {
                return try finish(damage: error, into: &canvas)
            }
            switch progress {
            case .goesOn: continue
            case .isDone(let damage): return try finish(damage: damage, into: &canvas)
            case .isAtEnd: return .end
            case .needsBytes:
                guard stream.isComplete else { return .needsMoreBytes }
                return try finish(damage: Self.truncated("the file ends inside its image data"), into: &canvas)
            }
        }
    }

    private enum Progress {
        case goesOn
        case needsBytes
        case isDone(damage: ImageError?)
        case isAtEnd
    }

    private func step(_ metadata: PNGMetadata, into canvas: inout PixelCanvas) throws(ImageError) -> Progress {
        switch state {
        case .seeking: return try seek()
        case .frameControl: return try takeFrameControl(canvas: metadata.header.size)
        case .data(let sequenceBytesLeft): return try takeData(metadata, sequenceBytesLeft, into: &canvas)
        case .sum:
            guard let isIntact = chunks.isIntact(in: &stream) else { return .needsBytes }
            guard isIntact else { throw Self.badSum }
            state = .seeking
            return .goesOn
        case .tail:
            guard chunks.piece(from: &stream, { $0.count }), let isIntact = chunks.isIntact(in: &stream) else {
                return .needsBytes
            }
            return .isDone(damage: isIntact ? nil : Self.badSum)
        case .done: return .isAtEnd
        }
    }

    private func seek() throws(ImageError) -> Progress {
        guard let chunk = try chunks.next(from: &stream) else { return .needsBytes }
        let isInAnimation = metadata?.animation != nil && metadata?.frameControl == nil
        switch chunk.type {
        case .imageData where !isInAnimation: state = .data(sequenceBytesLeft: 0)
        case .frameData where isInAnimation && control != nil: state = .data(sequenceBytesLeft: 4)
        case .frame where isInAnimation && frame == nil && chunk.length == PNGFrameControl.byteCount:
            state = .frameControl
        case .frame where frame != nil, .end:
            throw PNGChunkReader.corrupt("the image data end before the last row")
        default: break
        }
        return .goesOn
    }

    private func takeFrameControl(canvas: PixelSize) throws(ImageError) -> Progress {
        guard let (bytes, isIntact) = chunks.body(from: &stream) else { return .needsBytes }
        guard isIntact, let control = PNGFrameControl(bytes, canvas: canvas) else {
            throw PNGChunkReader.corrupt("the first frame of the animation does not lie in its canvas")
        }
        self.control = control
        state = .seeking
        return .goesOn
    }

    private func takeData(
        _ metadata: PNGMetadata,
        _ sequenceBytesLeft: Int,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> Progress {
        guard let control else { return .isAtEnd }
        if sequenceBytesLeft > 0 {
            var left = sequenceBytesLeft
            let isEmpty = chunks.piece(from: &stream) { bytes in
                let count = min(left, bytes.count)
                left -= count
                return count
            }
            state = isEmpty ? .sum : .data(sequenceBytesLeft: left)
            return isEmpty || left == 0 ? .goesOn : .needsBytes
        }
        let frame = try currentFrame(metadata, control, on: &canvas)
        var step = PNGPixels.Step.needsInput
        let isWhole = chunks.piece(from: &stream) { bytes in
            let (result, used) = frame.decode(bytes, into: &canvas)
            step = result
            return used
        }
        switch step {
        case .damaged(let message): throw PNGChunkReader.corrupt(message)
        case .done:
            state = .tail
            return .goesOn
        case .rowsFull: return .goesOn
        case .needsInput:
            if isWhole { state = .sum }
            return isWhole ? .goesOn : .needsBytes
        }
    }

    private func currentFrame(
        _ metadata: PNGMetadata,
        _ control: PNGFrameControl,
        on canvas: inout PixelCanvas
    ) throws(ImageError) -> PNGFrameDecoder {
        if let frame { return frame }
        let mayPause = !stream.isComplete
        let frame = try PNGFrameDecoder(
            metadata,
            control: control,
            options: options,
            colour: colour,
            mayPause: mayPause,
            canvas: &canvas
        )
        self.frame = frame
        return frame
    }

    /// - Throws: `damage`, if there is nothing to show.
    private func finish(
        damage: ImageError?,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard let frame, frame.hasRows || damage == nil else {
            throw damage ?? Self.truncated("the file has no image data")
        }
        let alpha = frame.finish(into: &canvas)
        self.frame = nil
        state = .done
        nextFrame = 1
        let duration = metadata?.frameControl?.duration ?? control?.duration ?? .zero
        return .done(FrameInfo(index: 0, duration: duration, alpha: alpha, damage: damage))
    }

    static func truncated(_ message: String) -> ImageError {
        ImageError(.truncatedImage, message, advice: "get it again from its source")
    }

    private static var badSum: ImageError { PNGChunkReader.corrupt("the image data do not match their checksum") }
}
