public import KuvaCore

/// Which frame of an animation is due at which time. A value-type state machine; it holds no frame and sets no timer.
///
/// Times are on one clock that the caller chooses. The time at which a frame is due is the sum of the times before it,
/// whenever the caller looks, so that late looks never add up: frames whose time has passed are skipped.
public struct AnimationPlayback: Hashable, Sendable {
    /// In which order frames are shown.
    public enum Mode: Hashable, Sendable {
        /// From the first to the last, again and again.
        case normal
        /// From the last to the first.
        case reverse
        /// From the first to the last and back. One lap is there and back; the frames at the ends are shown once where
        /// they turn, so that a lap after the first goes on with the second frame.
        case bounce
        /// From the last to the first and back.
        case reversedBounce

        var startsAtEnd: Bool { self == .reverse || self == .reversedBounce }
    }

    /// What it does now.
    public enum Status: Hashable, Sendable {
        /// At its start; the next play starts from there.
        case stopped
        /// Frames follow one another.
        case playing
        /// Between two frames; play goes on from there.
        case paused
        /// The next frame has not come yet; the last one known stays.
        case waiting
        /// All laps are done; the last frame stays.
        case finished
    }

    /// What passed in one step.
    public struct Step: Hashable, Sendable {
        /// Frames that became due, in order; the last one is due now. Whole laps that passed at once are left out.
        public var frames: [Int] = []
        /// Laps that ended.
        public var endedLaps = 0
    }

    /// The frame that is due.
    public private(set) var index = 0
    /// Laps that have ended.
    public private(set) var completedLaps = 0
    /// What it does now.
    public private(set) var status = Status.stopped
    /// In which order frames are shown.
    public let mode: Mode
    /// How fast: 2 is twice as fast.
    public private(set) var rate = 1.0
    /// Laps in all, in place of the animation's own; `nil` for the animation's own.
    public var repeatCount: Int?

    /// When the frame became due; while paused, how long it has been due.
    private var frameStart = Duration.zero
    private var isForward = true

    /// Makes one that stands at its start.
    public init(mode: Mode = .normal, repeatCount: Int? = nil) {
        self.mode = mode
        self.repeatCount = repeatCount
        isForward = !mode.startsAtEnd
    }

    /// Laps that are left, this one included; `nil` for ever.
    public func remainingLaps(of timeline: AnimationTimeline) -> Int? {
        lapLimit(timeline).map { max(0, $0 - completedLaps) }
    }

    /// A repeat count of 0 is for ever, as in files.
    private func lapLimit(_ timeline: AnimationTimeline) -> Int? {
        guard let repeatCount else { return timeline.lapCount }
        return repeatCount <= 0 ? nil : repeatCount
    }

    /// Starts, or goes on after a pause; after all laps, starts again.
    public mutating func play(at now: Duration, along timeline: AnimationTimeline) {
        switch status {
        case .playing, .waiting: return
        case .paused:
            frameStart = now - frameStart
            status = .playing
        case .stopped, .finished:
            stop()
            frameStart = now
            status = .playing
            if mode.startsAtEnd { enterEnd(of: timeline) }
        }
    }

    /// Holds the frame; the time that it has been shown is kept.
    public mutating func pause(at now: Duration) {
        guard status == .playing || status == .waiting else { return }
        frameStart = now - frameStart
        status = .paused
    }

    /// Goes back to the start.
    public mutating func stop() { self = AnimationPlayback(mode: mode, rate: rate, repeatCount: repeatCount) }

    private init(mode: Mode, rate: Double, repeatCount: Int?) {
        self.init(mode: mode, repeatCount: repeatCount)
        self.rate = rate
    }

    /// Makes a frame due now, and sets how many laps have ended before it; `nil` keeps that number.
    ///
    /// - Returns: whether there is such a frame.
    @discardableResult
    public mutating func seek(to frame: Int, lap: Int? = nil, at now: Duration, along timeline: AnimationTimeline)
        -> Bool
    {
        guard (0..<timeline.frameCount).contains(frame) else { return false }
        index = frame
        if let lap { completedLaps = max(0, lap) }
        switch status {
        case .playing: frameStart = now
        case .waiting:
            frameStart = now
            status = .playing
        case .paused: frameStart = .zero
        case .stopped, .finished:
            frameStart = .zero
            status = .paused
        }
        return true
    }

    /// Changes how fast frames follow from `now` on; the part of the frame that has been shown stays shown. A rate of 0
    /// or below stops.
    public mutating func setRate(_ newRate: Double, at now: Duration) {
        guard newRate > 0, newRate.isFinite else {
            stop()
            return
        }
        if status == .playing { frameStart = now - (now - frameStart) * rate / newRate }
        if status == .paused { frameStart = frameStart * rate / newRate }
        rate = newRate
    }

    /// When the next frame is due; `nil` if none is known to be.
    public func nextDue(along timeline: AnimationTimeline) -> Duration? {
        guard status == .playing, index < timeline.frameCount else { return nil }
        return frameStart + length(of: index, timeline)
    }

    private func length(of index: Int, _ timeline: AnimationTimeline) -> Duration {
        let duration = timeline.durations[index]
        return rate == 1 ? duration : duration / rate
    }
}

extension AnimationPlayback {
    /// Goes on to `now`.
    public mutating func advance(to now: Duration, along timeline: AnimationTimeline) -> Step {
        var step = Step()
        guard status == .playing || status == .waiting, timeline.frameCount > 0 else { return step }
        if status == .waiting { leaveWaiting(at: now, timeline, &step) }
        skipWholeLaps(to: now, timeline, &step)
        while status == .playing {
            let end = frameStart + length(of: index, timeline)
            guard end <= now else { break }
            move(at: end, timeline, &step)
        }
        return step
    }

    /// What comes after the frame that is due, in order, that frame first; at most `count` frames, each once.
    public func upcoming(_ count: Int, along timeline: AnimationTimeline) -> [Int] {
        var ahead = self
        var (frames, seen) = ([index], Set([index]))
        guard timeline.frameCount > 0 else { return [] }
        if ahead.status == .stopped || ahead.status == .paused { ahead.status = .playing }
        var step = Step()
        // After two laps of any kind every frame has come.
        for _ in 0..<min(4 * timeline.frameCount, 4 * count) where frames.count < count {
            guard ahead.status == .playing else { break }
            ahead.move(at: .zero, timeline, &step)
            if seen.insert(ahead.index).inserted { frames.append(ahead.index) }
        }
        return frames
    }

    /// The last frame can be the first only when it is known.
    private mutating func enterEnd(of timeline: AnimationTimeline) {
        guard timeline.isComplete else {
            status = .waiting
            return
        }
        index = max(0, timeline.frameCount - 1)
    }

    private mutating func leaveWaiting(at now: Duration, _ timeline: AnimationTimeline, _ step: inout Step) {
        status = .playing
        frameStart = now
        if mode.startsAtEnd, index == 0, !isForward, completedLaps == 0 {
            enterEnd(of: timeline)
            if status == .playing { step.frames.append(index) }
        } else {
            move(at: now, timeline, &step)
        }
    }

    /// A long absence costs no more than a short one.
    private mutating func skipWholeLaps(to now: Duration, _ timeline: AnimationTimeline, _ step: inout Step) {
        guard status == .playing, timeline.isComplete, timeline.frameCount > 1 else { return }
        let ends = timeline.durations[0] + timeline.durations[timeline.frameCount - 1]
        let isBounce = mode == .bounce || mode == .reversedBounce
        let cycle = (isBounce ? timeline.lapDuration * 2 - ends : timeline.lapDuration) / rate
        guard cycle > .zero, now - frameStart >= cycle * 2 else { return }
        var laps = Int(((now - frameStart) / cycle).rounded(.down)) - 1
        if let limit = lapLimit(timeline) { laps = min(laps, limit - completedLaps - 1) }
        guard laps > 0 else { return }
        frameStart += cycle * laps
        completedLaps += laps
        step.endedLaps += laps
    }

    /// Goes on by one frame, which becomes due at `time`.
    private mutating func move(at time: Duration, _ timeline: AnimationTimeline, _ step: inout Step) {
        let last = timeline.frameCount - 1
        let isBounce = mode == .bounce || mode == .reversedBounce
        if isForward ? index < last : index > 0 {
            index += isForward ? 1 : -1
        } else if isForward, !timeline.isComplete {
            status = .waiting
            return
        } else if isBounce, isForward == (mode == .bounce), last > 0 {
            isForward.toggle()
            index += isForward ? 1 : -1
        } else {
            guard endLap(timeline, &step) else { return }
            if isBounce {
                isForward.toggle()
                index = last == 0 ? 0 : isForward ? 1 : last - 1
                if last == 0 { isForward = mode == .bounce }
            } else {
                index = isForward ? 0 : last
            }
        }
        frameStart = time
        step.frames.append(index)
    }

    /// - Returns: whether another lap follows.
    private mutating func endLap(_ timeline: AnimationTimeline, _ step: inout Step) -> Bool {
        completedLaps += 1
        step.endedLaps += 1
        guard let limit = lapLimit(timeline), completedLaps >= limit else { return true }
        status = .finished
        return false
    }
}
