/// When the frames of an animation are shown, as far as they are known.
public struct AnimationTimeline: Hashable, Sendable {
    /// How long each frame is shown; never zero.
    public private(set) var durations: [Duration]

    /// How often all frames are shown from the first to the last; `nil` for ever.
    public var lapCount: Int?

    /// Whether no further frame will come.
    public var isComplete: Bool

    /// How long one lap takes as far as it is known.
    public private(set) var lapDuration: Duration

    /// Makes a timeline; times that are not positive are replaced by a tenth of a second, a lap count below 1 by 1.
    public init(durations: [Duration] = [], lapCount: Int? = nil, isComplete: Bool = true) {
        self.durations = []
        self.lapCount = lapCount.map { max(1, $0) }
        self.isComplete = isComplete
        lapDuration = .zero
        for duration in durations { append(duration) }
    }

    /// Frames known so far.
    public var frameCount: Int { durations.count }

    /// Adds the next frame.
    public mutating func append(_ duration: Duration) {
        let duration = duration > .zero ? duration : FrameDelayRule.replacement
        durations.append(duration)
        lapDuration += duration
    }
}

extension ImageFormat {
    /// How often an animation is shown in all, for the loop count that its file stores; `nil` for ever.
    ///
    /// 0 is for ever in every format. GIF stores how often it is repeated after the first time, so N makes N + 1 laps,
    /// and without a loop block there is one (Chromium, `cc/paint/image_animation_count.h`; WebKit,
    /// `GIFImageDecoder::repetitionCount`). APNG (PNG third edition, §11.3.6.1) and WebP (RFC 9649, §2.7.1.1) store the
    /// laps themselves; where the number is missing the file is a still picture or broken, and plays once. AVIF stores
    /// laps in an edit list, and sequences without one, which older encoders wrote, are played for ever (Chromium,
    /// `AVIFImageDecoder::RepetitionCount`).
    public func lapCount(forStored loopCount: Int?) -> Int? {
        guard let loopCount else { return self == .avif || self == .avis ? nil : 1 }
        if loopCount <= 0 { return nil }
        return self == .gif ? loopCount + 1 : loopCount
    }

    /// What a file stores for so many laps, the other way round than ``lapCount(forStored:)``; `nil` where it stores
    /// nothing.
    public func loopCount(forLaps laps: Int?) -> Int? {
        guard let laps else { return 0 }
        guard self == .gif else { return laps }
        return laps > 1 ? laps - 1 : nil
    }
}
