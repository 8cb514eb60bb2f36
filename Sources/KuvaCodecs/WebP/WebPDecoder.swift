internal import FoundationEssentials
internal import KuvaCore

/// Reads WebP (RFC 9649) through libwebp: lossy, lossless, with and without alpha; of an animation any frame, on
/// its canvas.
///
/// A whole file that needs no scaling and no turning is decoded into the canvas itself. Otherwise the library writes to
/// a canvas of the decoder's own, so the stored pixels count against ``DecodeLimits/maximumOutputPixels``. A lossy opaque
/// picture that is wanted at half its size or less stays in planes of luma and chroma until it is small; one that is too
/// large for that, or lossless, and wanted much smaller is brought to twice that by the library, and no further. libwebp
/// delivers straight alpha and ``FrameWriter`` multiplies, because libwebp's own multiplication rounds down.
final class WebPDecoder: AnimationDecoder, ProgressiveImageDecoder {
    let format = ImageFormat.webp
    let options: DecodeOptions
    private(set) var input = InputBytes()
    var container = WebPContainer()

    private(set) var colour = ColourPlan.sRGB
    private var info: ImageInfo?
    private var frame: WebPContainer.Frame?
    var held: HeldFrame?
    private var screen: AnimationScreen?
    private var isAnimation = false
    private var nextFrame = 0
    private var hold = FrameHold()
    private var lastingError = LastingError()

    init(options: DecodeOptions) { self.options = options }

    func append(_ bytes: Data, isLast: Bool) { input.append(bytes, isLast: isLast) }

    func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
        try lastingError.run { () throws(ImageError) in
            if var info {
                guard container.extended?.isAnimated == true, !container.isAtEnd else { return .done(info) }
                info.frameCount = countFrames()
                self.info = info
                return .done(info)
            }
            guard let (info, frame, colour) = try readHeader() else {
                if input.isComplete { throw .webpTruncated("inside its header") }
                return .needsMoreBytes
            }
            (self.info, self.frame, self.colour) = (info, frame, colour)
            return .done(info)
        }
    }

    func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo() else { return .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        return try hold.decodeFrame(into: &canvas) { canvas throws(ImageError) in try advance(into: &canvas) }
    }

    /// By rows, as far as the library has them.
    func decodePreview(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo(), let frame else { return .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        return try hold.decodePreview(
            into: &canvas,
            height: held?.size.height ?? frame.size.height,
            rowCount: { held?.rowCount ?? 0 },
            { canvas throws(ImageError) in try advance(into: &canvas) }
        )
    }

    /// Takes the frame as far as the bytes go.
    private func advance(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard let info, let frame else { return .needsMoreBytes }
        return try options.timing { () throws(ImageError) in
            try lastingError.run { () throws(ImageError) in
                if nextFrame > 0 || isAnimation { return try decodeNextFrame(info, into: &canvas) }
                let result = try held == nil ? begin(info, frame, into: &canvas) : goOn(into: &canvas)
                if case .done = result { nextFrame = 1 }
                return result
            } abandon: {
                held = nil
            }
        }
    }

    var frameCount: Int { max(1, container.frames.count) }

    var hasAllFrames: Bool { container.extended?.isAnimated != true || container.isAtEnd || input.isComplete }

    func frame(at index: Int) -> AnimationFrame {
        guard container.extended?.isAnimated == true else { return AnimationFrame(duration: nil, isWhole: true) }
        let frame = container.frames[index]
        let isWhole = frame.data.upperBound <= input.data.count || input.isComplete
        return AnimationFrame(
            duration: frame.duration,
            isWhole: isWhole,
            rect: frame.rect,
            disposal: frame.disposal
        )
    }

    func seek(toFrame index: Int) {
        guard container.extended?.isAnimated != false else { return }
        isAnimation = true
        held = nil
        nextFrame = max(0, index)
    }

    private func currentScreen(_ info: ImageInfo) throws(ImageError) -> AnimationScreen {
        if let screen { return screen }
        let made = try AnimationScreen(
            size: info.storedSize,
            orientation: options.appliedOrientation(info.orientation),
            composition: options.pixels == .stored ? .straightOfWebP : .premultiplied
        )
        screen = made
        return made
    }

    private func decodeNextFrame(
        _ info: ImageInfo,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard nextFrame < container.frames.count else { return hasAllFrames ? .end : .needsMoreBytes }
        guard frame(at: nextFrame).isWhole else { return .needsMoreBytes }
        let screen = try currentScreen(info)
        let frames = container.frames
        var hasPicture = true
        let shown = try screen.show(nextFrame, of: &container.chain, into: &canvas) {
            number,
            canvas throws(ImageError) in
            let (rows, damage) = try draw(frames[number], on: &canvas)
            hasPicture = rows > 0
            return damage
        }
        // A file with nothing to show throws.
        if nextFrame == 0, let damage = shown.damage, !hasPicture { throw damage }
        let duration = frames[nextFrame].duration
        let result = FrameInfo(index: nextFrame, duration: duration, alpha: shown.alpha, damage: shown.damage)
        nextFrame += 1
        return .done(result)
    }
}
