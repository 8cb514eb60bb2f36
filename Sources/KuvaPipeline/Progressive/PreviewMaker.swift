internal import FoundationEssentials
internal import KuvaCore

/// Makes previews of one picture from the bytes that come: one incremental decoder, fed with new bytes only; and of an
/// animation, once its first frame is there, the animation itself, which grows.
final class PreviewMaker: @unchecked Sendable {
    // Unchecked: `decoder`, `prefix` and `hasFailed` are touched only by the one decode in flight, which `state` admits.
    let state: Lock<PreviewState>
    /// `nil` if no animation is wanted. Its lock is held while frames are read, also by the final decode.
    private let moving: Lock<MovingPreview?>
    private let request: ImageRequest
    private let configuration: ImageManager.Configuration
    private var decoder: (any ProgressiveImageDecoder)?
    private var prefix = Data()
    private var hasFailed = false

    /// Bytes after which a file that no progressive decoder takes is given up.
    private static let longestPrefix = 64 << 10

    init(request: ImageRequest, configuration: ImageManager.Configuration) {
        self.request = request
        self.configuration = configuration
        state = Lock(PreviewState(interval: configuration.minimumPreviewInterval))
        moving = Lock(request.wantsAnimation ? MovingPreview(request, configuration) : nil)
    }

    /// Feeds what has come and makes the next preview; `nil` if there is nothing new to show yet. Errors end the previews
    /// silently: the final decode reports them.
    func next(cancellation: CancellationFlag) -> Image? {
        while !cancellation.isCancelled {
            let (image, goesOn) = step(cancellation: cancellation)
            if image != nil || !goesOn { return image }
        }
        return nil
    }

    private func step(cancellation: CancellationFlag) -> (image: Image?, goesOn: Bool) {
        let (pieces, step) = moving.withLock { moving in
            let pieces = state.withLock { $0.started() }
            return (pieces, moving?.take(pieces) ?? .nothing)
        }
        let image: Image? =
            switch step {
            case .shown(let image): image
            case .unchanged: nil
            case .nothing: hasFailed ? nil : makePreview(pieces, cancellation: cancellation)
            }
        let goesOn = state.withLock { $0.ended(at: configuration.time.monotonic, shown: image != nil) }
        return (image, goesOn)
    }

    /// The animation that previews have shown, with the rest of its file; `nil` if there is none, or `file` is another
    /// one than that which has come.
    func finish(_ file: Data) -> Image? {
        moving.withLock { moving in
            let pieces = state.withLock { $0.started() }
            return moving?.finish(pieces, file)
        }
    }

    private func makePreview(_ pieces: [Data], cancellation: CancellationFlag) -> Image? {
        do throws(ImageError) {
            guard let decoder = feed(pieces, cancellation: cancellation),
                case .done(let info) = try decoder.readInfo()
            else { return nil }
            var canvas = try configuration.pixelPool.canvas(info.outputLayout)
            guard case .done(let frame) = try decoder.decodePreview(into: &canvas) else { return nil }
            return Image(
                pixels: canvas.freeze(alpha: frame.alpha),
                scale: request.scale,
                format: info.format,
                frameCount: info.frameCount,
                loopCount: info.loopCount
            )
        } catch {
            hasFailed = true
            decoder = nil
            return nil
        }
    }

    private func feed(_ pieces: [Data], cancellation: CancellationFlag) -> (any ProgressiveImageDecoder)? {
        if let decoder {
            for piece in pieces { decoder.append(piece, isLast: false) }
            return decoder
        }
        for piece in pieces { prefix.append(piece) }
        let options = DecodeOptions(
            targetSize: request.targetSize,
            maximumFrameBytes: request.maximumFrameBytes,
            scalingQuality: request.scalingQuality,
            limits: request.limits,
            cancellation: cancellation
        )
        guard let made = configuration.decoders(for: request.parts).makeDecoder(forPrefix: prefix, options: options)
        else {
            hasFailed = prefix.count > Self.longestPrefix
            return nil
        }
        decoder = made as? any ProgressiveImageDecoder
        hasFailed = decoder == nil
        decoder?.append(prefix, isLast: false)
        prefix = Data()
        return decoder
    }
}
