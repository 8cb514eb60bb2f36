internal import KuvaCore

/// What a ``FrameBuffer`` knows and decides; it never acts.
struct FrameBufferState: Sendable {
    /// What one player shows and will show.
    struct Demand: Sendable {
        /// Frames in the order of playing, the one that is due first.
        var upcoming: [Int] = []
        /// Bytes that it allows; `nil` for the default.
        var maximumByteCount: Int?
        /// Called after a frame has been decoded.
        let onFrame: @Sendable () -> Void
    }

    typealias ClientID = UInt64

    let bytesPerFrame: Int
    private(set) var frames: [Int: PixelBuffer] = [:]
    /// The frame that was decoded last, whether or not it came in time.
    private(set) var latest: (index: Int, pixels: PixelBuffer)?
    private(set) var decodedCount = 0
    private(set) var isDecoding = false
    /// How long a frame takes to decode: the longest of late.
    private(set) var decodeTime = Duration.zero

    var pressure = MemoryPressureLimit()
    var wantsAllFrames = false
    private var clients: [ClientID: Demand] = [:]
    private var nextClient: ClientID = 0
    private var failed: Set<Int> = []
    private var decoding = 0
    private var accountedBytes = 0

    /// Bytes that a picture's frames may take unless its players say otherwise.
    static let defaultByteCount = 32 << 20
    /// How far ahead of the last frame decoded the next one may be, where frames come later than they are due.
    private static let longestJump = 4

    init(bytesPerFrame: Int) { self.bytesPerFrame = max(1, bytesPerFrame) }

    var handlers: [@Sendable () -> Void] { clients.values.map(\.onFrame) }

    mutating func addClient(_ onFrame: @escaping @Sendable () -> Void) -> ClientID {
        nextClient += 1
        clients[nextClient] = Demand(onFrame: onFrame)
        return nextClient
    }

    /// - Returns: whether it was the last.
    mutating func removeClient(_ id: ClientID) -> Bool {
        clients[id] = nil
        return clients.isEmpty
    }

    mutating func setMaximumByteCount(_ bytes: Int?, of id: ClientID) { clients[id]?.maximumByteCount = bytes }

    mutating func want(_ upcoming: [Int], by id: ClientID, along timeline: AnimationTimeline, at now: Duration) {
        clients[id]?.upcoming = upcoming
        evict(timeline, now)
    }

    mutating func removeFrames() {
        frames = [:]
        latest = nil
        wantsAllFrames = false
    }

    /// How many more bytes of frames are held than the last time this was asked.
    mutating func takeGrowth() -> Int {
        let isApart = latest.map { frames[$0.index] == nil } ?? false
        let bytes = (frames.count + (isApart ? 1 : 0)) * bytesPerFrame
        defer { accountedBytes = bytes }
        return bytes - accountedBytes
    }

    /// Frames that the budget allows: the largest that a player asks for.
    private func budget(at now: Duration) -> Int {
        let asked = clients.values.map { $0.maximumByteCount ?? Self.defaultByteCount }
        let frames = max(1, (asked.max() ?? Self.defaultByteCount) / bytesPerFrame)
        return min(frames, pressure.frameLimit(at: now) ?? .max)
    }

    /// Whether every frame is kept.
    func keepsAll(_ timeline: AnimationTimeline, at now: Duration) -> Bool {
        if pressure.frameLimit(at: now) != nil { return false }
        return wantsAllFrames || timeline.frameCount <= budget(at: now)
    }

    /// How many frames of a player's future are held: enough for twice the time that decoding takes, and no more than
    /// the budget.
    func windowLength(_ timeline: AnimationTimeline, at now: Duration) -> Int {
        let shortest = timeline.durations.min() ?? FrameDelayRule.replacement
        let ahead = (decodeTime * 2 / shortest).rounded(.up)
        let wanted = 2 + (ahead < 1000 ? Int(ahead) : 1000)
        return max(1, min(budget(at: now), wanted))
    }

    private func windows(_ timeline: AnimationTimeline, _ now: Duration) -> [ArraySlice<Int>] {
        let length = windowLength(timeline, at: now)
        return clients.keys.sorted().compactMap { clients[$0]?.upcoming.prefix(length) }
    }

    /// Drops what the limits of now do not allow.
    mutating func evictAll(_ timeline: AnimationTimeline, at now: Duration) {
        latest = nil
        evict(timeline, now)
    }

    private mutating func evict(_ timeline: AnimationTimeline, _ now: Duration) {
        guard !keepsAll(timeline, at: now) else { return }
        let kept = Set(windows(timeline, now).joined())
        frames = frames.filter { kept.contains($0.key) }
        if let latest, !kept.contains(latest.index) { self.latest = nil }
    }

    /// Chooses the next frame to decode, unless one is being decoded.
    mutating func startDecoding(_ timeline: AnimationTimeline, at now: Duration) -> Int? {
        guard !isDecoding, let choice = nextFrame(timeline, now) else { return nil }
        isDecoding = true
        decoding = choice
        return choice
    }

    private func nextFrame(_ timeline: AnimationTimeline, _ now: Duration) -> Int? {
        let known = 0..<timeline.frameCount
        func isMissing(_ index: Int) -> Bool {
            index > 0 && known.contains(index) && frames[index] == nil && !failed.contains(index)
        }
        let windows = windows(timeline, now)
        // The nearest of all players first.
        let longest = windows.map(\.count).max() ?? 0
        for offset in 0..<longest {
            for window in windows where offset < window.count {
                guard isMissing(window[offset]) else { continue }
                return chosen(window, from: offset, isMissing)
            }
        }
        guard keepsAll(timeline, at: now), !clients.isEmpty || wantsAllFrames else { return nil }
        return known.first(where: isMissing)
    }

    /// Going back, a frame costs all those before it, so that a whole run is decoded from its earliest frame on, and not
    /// before half of the window is missing.
    private func chosen(_ window: ArraySlice<Int>, from offset: Int, _ isMissing: (Int) -> Bool) -> Int? {
        let first = window[offset]
        var (lowest, run) = (first, 1)
        for index in window[(offset + 1)...] {
            guard index < lowest, isMissing(index) else { break }
            (lowest, run) = (index, run + 1)
        }
        if run > 1 || (offset > 0 && window[offset - 1] > first) {
            return offset == 0 || run * 2 >= window.count ? lowest : nil
        }
        // A frame far ahead would come too late again; one on the way shows that something happens.
        if offset == 0, decoding > 0, first > decoding + Self.longestJump, decodeTime > .zero {
            return decoding + Self.longestJump
        }
        return first
    }

    /// A frame has been decoded, or could not be.
    mutating func finish(
        _ index: Int,
        _ pixels: PixelBuffer?,
        took time: Duration,
        along timeline: AnimationTimeline,
        at now: Duration
    ) {
        isDecoding = false
        guard let pixels else {
            failed.insert(index)
            return
        }
        decodedCount += 1
        decodeTime = max(time, decodeTime * 0.9)
        frames[index] = pixels
        latest = (index, pixels)
        let shown = latest
        evict(timeline, now)
        // One frame that came too late is kept for players that have nothing newer.
        latest = shown
    }
}
