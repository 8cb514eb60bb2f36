public import FoundationEssentials

/// The frames of a file, decoded when they are asked for.
///
/// The file may still be coming: ``append(_:isLast:)`` makes the timeline longer. A frame is on it once all of its
/// bytes have come. One frame is decoded at a time; going forward costs one frame each.
public final class DecodedAnimation: AnimatedImageProvider {
    /// What only one thread at a time may touch.
    private struct Work: @unchecked Sendable {
        // Unchecked: the decoder is made for this object and touched only with the lock around `Work` held.
        let decoder: any AnimationDecoder
        var byteCount: Int
        var hasFailed = false
    }

    /// What every thread may read while a frame is decoded.
    private struct Known: Sendable {
        var timeline = AnimationTimeline(isComplete: false)
        var byteCount: Int
        var file: Data?
    }

    /// See ``AnimatedImageProvider``.
    public let format: ImageFormat
    /// See ``AnimatedImageProvider``.
    public let layout: PixelLayout
    private let work: Lock<Work>
    private let known: Lock<Known>
    private let rule: FrameDelayRule

    /// Opens an animation.
    ///
    /// - Parameters:
    ///   - bytes: the file as far as it has come.
    ///   - isWhole: whether that is all of it.
    /// - Returns: `nil` if the file is no animation, or too little of it has come to tell.
    /// - Throws: ``ImageError`` as ``ImageDecoder/readInfo()``.
    public static func open(
        _ bytes: Data,
        isWhole: Bool = true,
        decoders: any ImageDecoderProvider,
        options: DecodeOptions = DecodeOptions(),
        rule: FrameDelayRule = .browsers
    ) throws(ImageError) -> DecodedAnimation? {
        guard let decoder = decoders.makeDecoder(forPrefix: bytes, options: options) as? any AnimationDecoder else {
            return nil
        }
        decoder.append(bytes, isLast: isWhole)
        guard case .done(let info) = try decoder.readInfo() else { return nil }
        if decoder.hasAllFrames, decoder.frameCount < 2 { return nil }
        return DecodedAnimation(decoder, info: info, bytes: bytes, isWhole: isWhole, rule: rule)
    }

    private init(
        _ decoder: any AnimationDecoder,
        info: ImageInfo,
        bytes: Data,
        isWhole: Bool,
        rule: FrameDelayRule
    ) {
        let byteCount = bytes.count
        format = info.format
        layout = info.outputLayout
        self.rule = rule
        work = Lock(Work(decoder: decoder, byteCount: byteCount))
        // The same memory as the decoder's: nobody appends to it.
        known = Lock(Known(byteCount: byteCount, file: isWhole ? bytes : nil))
        decoder.seek(toFrame: 0)
        update(from: decoder, info: info, byteCount: byteCount)
    }

    /// See ``AnimatedImageProvider``.
    public var timeline: AnimationTimeline { known.withLock { $0.timeline } }

    /// See ``AnimatedImageProvider``.
    public var encodedByteCount: Int { known.withLock { $0.byteCount } }

    /// See ``AnimatedImageProvider``.
    public var encodedBytes: Data? { known.withLock { $0.file } }

    /// Adds the next bytes of the file. Waits for a frame that is being decoded: call it on a thread of your own.
    ///
    /// A file that breaks its rules from here on ends with the frames it has.
    ///
    /// - Parameter file: all of the file, if these are its last bytes and the caller has it; see ``encodedBytes``.
    public func append(_ bytes: Data, isLast: Bool, file: Data? = nil) {
        if isLast, let file { known.withLock { $0.file = file } }
        work.withLock { work in
            guard !work.hasFailed else { return }
            work.decoder.append(bytes, isLast: isLast)
            work.byteCount += bytes.count
            do throws(ImageError) {
                guard case .done(let info) = try work.decoder.readInfo() else { return }
                update(from: work.decoder, info: info, byteCount: work.byteCount)
            } catch {
                work.hasFailed = true
                known.withLock { $0.timeline.isComplete = true }
            }
        }
    }

    private func update(from decoder: any AnimationDecoder, info: ImageInfo, byteCount: Int) {
        var timeline = timeline
        while timeline.frameCount < decoder.frameCount {
            let frame = decoder.frame(at: timeline.frameCount)
            guard frame.isWhole else { break }
            timeline.append(rule.duration(stored: frame.duration, after: timeline.durations.last))
        }
        timeline.lapCount = format.lapCount(forStored: info.loopCount)
        timeline.isComplete = decoder.hasAllFrames && timeline.frameCount == decoder.frameCount
        known.withLock { known in
            known.timeline = timeline
            known.byteCount = byteCount
        }
    }

    /// See ``AnimatedImageProvider``. What there is of a damaged frame is shown over the frames before it.
    public func frame(at index: Int, pool: PixelBufferPool) throws(ImageError) -> PixelBuffer {
        guard (0..<timeline.frameCount).contains(index) else {
            throw ImageError(
                .invalidConfiguration,
                "there is no frame \(index) among \(timeline.frameCount)",
                advice: "look at the timeline before asking for a frame"
            )
        }
        return try work.withLock { work throws(ImageError) in
            var canvas = try pool.canvas(layout)
            work.decoder.seek(toFrame: index)
            guard case .done(let frame) = try work.decoder.decodeFrame(into: &canvas) else {
                throw ImageError(.corruptImage, "the frame \(index) is not in the file", stage: .decode)
            }
            return canvas.freeze(alpha: frame.alpha)
        }
    }
}
