internal import Dispatch
public import KuvaCore

/// Plays an animation: asks ``FrameBuffer`` for the frame that ``AnimationPlayback`` says is due, on the ticks of a
/// ``DisplayLink``.
///
/// It sleeps until the next frame is due, so that an animation of 10 frames a second wakes the program 10 times a second
/// whatever the screen does. A frame is shown on the refresh nearest to the time at which it is due. A frame that is not
/// decoded in time is waited for while the one before stays; the animation's own time goes on.
@MainActor
public final class AnimatedImagePlayer {
    /// The animation.
    public let image: AnimatedImage
    /// Its decoded frames.
    public let buffer: FrameBuffer

    /// Gets each frame that is shown, on the tick on which it is.
    public var frameHandler: (@MainActor (_ index: Int, _ frame: PixelBuffer) -> Void)?

    /// Called at the end of each lap with the laps that are left; `nil` for ever, 0 before playing stops.
    public var lapHandler: (@MainActor (_ remaining: Int?) -> Void)?

    /// The frame that is shown: the last one that ``frameHandler`` got, and the poster before that.
    public private(set) var shownIndex = 0

    private var playback: AnimationPlayback
    private var link: (any DisplayLink)?
    private var client: FrameBufferState.ClientID?
    /// Whether playing begins with the next tick, whose time is its start.
    private var startsWithTick = false
    /// The frame that is due is not decoded.
    private var isLate = false
    /// Frames that became due after the one that is shown.
    private var passed: [Int] = []

    /// Makes a player that stands at the start.
    public init(
        _ image: AnimatedImage,
        mode: AnimationPlayback.Mode = .normal,
        store: FrameBufferStore = .shared,
        link makeLink: DisplayLinkMaker
    ) {
        self.image = image
        buffer = store.buffer(for: image)
        playback = AnimationPlayback(mode: mode)
        let onTick = weakly(self) { player, link in player.tick(link) }
        let link = makeLink(onTick)
        link.isPaused = true
        self.link = link
        client = buffer.addClient(FrameArrival(self).handler)
    }

    isolated deinit { invalidate() }

    /// Stops for good, and lets go of the link and of the frames that no one else needs.
    public func invalidate() {
        link?.invalidate()
        link = nil
        if let client { buffer.removeClient(client) }
        client = nil
    }

    /// Whether frames follow one another, or are waited for.
    public var isPlaying: Bool { startsWithTick || playback.status == .playing || playback.status == .waiting }

    /// The frame that is due.
    public var index: Int { playback.index }

    /// Laps that have ended.
    public var completedLaps: Int { playback.completedLaps }

    /// Laps that are left, the present one included; `nil` for ever.
    public var remainingLaps: Int? { playback.remainingLaps(of: image.timeline) }

    /// In which order frames are shown. A change goes back to the start.
    public var mode: AnimationPlayback.Mode {
        get { playback.mode }
        set {
            guard newValue != playback.mode else { return }
            var changed = AnimationPlayback(mode: newValue, repeatCount: playback.repeatCount)
            changed.setRate(playback.rate, at: now)
            let wasPlaying = isPlaying
            playback = changed
            if wasPlaying { play() }
        }
    }

    /// How fast it plays: 1 by default, 2 is twice as fast. Setting it to 0 or below stops.
    public var rate: Double {
        get { playback.rate }
        set {
            playback.setRate(newValue, at: now)
            if newValue > 0 { wake() } else { stop() }
        }
    }

    /// Laps in all, 0 for ever; `nil`, the default, for what the file says.
    public var repeatCount: Int? {
        get { playback.repeatCount }
        set { playback.repeatCount = newValue }
    }

    /// Bytes that this player allows the frames to take: 1 holds the frame that is shown alone, `Int.max` all. `nil`,
    /// the default, is 32 MiB. Players that share frames get what the most generous of them allows.
    public var maximumByteCount: Int? {
        didSet { if let client { buffer.setMaximumByteCount(maximumByteCount, of: client) } }
    }

    /// Starts, or goes on; after the last lap, starts again.
    public func play() {
        guard link != nil, !isPlaying else { return }
        startsWithTick = true
        wantFrames()
        wake()
    }

    /// Holds the frame that is shown.
    public func pause() {
        startsWithTick = false
        playback.pause(at: now)
        sleepUntilNextFrame()
    }

    /// Stops and goes back to the start; the frame that is shown stays.
    public func stop() {
        startsWithTick = false
        playback.stop()
        passed = []
        isLate = false
        sleepUntilNextFrame()
    }

    /// Makes a frame the one that is due, and sets how many laps have ended before it; `nil` keeps that number. The
    /// frame is shown at once if it is decoded, otherwise as soon as it is.
    ///
    /// - Returns: whether there is such a frame.
    @discardableResult
    public func seek(to index: Int, lap: Int? = nil) -> Bool {
        guard link != nil, playback.seek(to: index, lap: lap, at: now, along: image.timeline) else { return false }
        passed = []
        isLate = true
        wantFrames()
        showDueFrame()
        sleepUntilNextFrame()
        return true
    }
}

extension AnimatedImagePlayer {
    private var now: Duration { link?.now ?? .zero }

    private func tick(_ link: any DisplayLink) {
        let timeline = image.timeline
        if startsWithTick {
            startsWithTick = false
            playback.play(at: link.timestamp, along: timeline)
            isLate = playback.index != shownIndex
        }
        // The refresh nearest to the time that is due.
        let step = playback.advance(to: link.timestamp + link.duration / 2, along: timeline)
        if !step.frames.isEmpty {
            passed = Array((passed + step.frames).suffix(64))
            isLate = true
            wantFrames()
        }
        if isLate { showDueFrame() }
        report(step.endedLaps, timeline)
        sleepUntilNextFrame()
    }

    private func report(_ endedLaps: Int, _ timeline: AnimationTimeline) {
        guard endedLaps > 0, let lapHandler else { return }
        let remaining = playback.remainingLaps(of: timeline)
        for lap in (0..<endedLaps).reversed() { lapHandler(remaining.map { $0 + lap }) }
    }

    private func showDueFrame() {
        if let pixels = buffer.frame(at: playback.index) {
            show(playback.index, pixels)
            passed = []
            isLate = false
        } else if let (index, pixels) = buffer.newest(of: passed), index != shownIndex {
            show(index, pixels)
            if let place = passed.lastIndex(of: index) { passed.removeFirst(place + 1) }
        }
    }

    private func show(_ index: Int, _ pixels: PixelBuffer) {
        shownIndex = index
        frameHandler?(index, pixels)
    }

    private func wantFrames() {
        guard let client else { return }
        buffer.want(playback.upcoming(buffer.windowLength, along: image.timeline), by: client)
    }

    /// A frame was decoded, or more of the file came.
    fileprivate func framesCame() {
        guard isLate || playback.status == .waiting else { return }
        if isPlaying { wake() } else if isLate { showDueFrame() }
    }

    /// Looks again, since the file has grown; whoever appends bytes calls it.
    public func timelineHasGrown() {
        wantFrames()
        if playback.status == .waiting { wake() }
    }

    private func wake() {
        guard isPlaying else { return }
        link?.sleep(until: .zero)
        link?.isPaused = false
    }

    private func sleepUntilNextFrame() {
        guard let link, !startsWithTick else { return }
        guard let due = playback.nextDue(along: image.timeline) else {
            link.isPaused = true
            return
        }
        link.sleep(until: due - link.duration / 2)
        link.isPaused = false
    }
}

/// Brings word of a decoded frame from its thread to the player, without keeping the player alive.
private final class FrameArrival: @unchecked Sendable {
    // Unchecked: the reference is set once, before any other thread has the object, and read on the main actor only.
    private weak var player: AnimatedImagePlayer?

    init(_ player: AnimatedImagePlayer) { self.player = player }

    var handler: @Sendable () -> Void {
        {
            DispatchQueue.main.async {
                MainActor.assumeIsolated { self.player?.framesCame() }
            }
        }
    }
}
