public import KuvaCore

/// Decoded frames of one animation, for all players that show it.
///
/// A small animation, all of whose frames fit the budget, is kept whole, and each frame is decoded once however many
/// players there are. Of a larger one only a window of each player's next frames is held, sized by the budget and by how
/// long decoding takes, in pooled memory. Frames are decoded one at a time on threads of Kuva's own. The first frame is
/// the animation's poster and is always there.
///
/// Any thread may call every method; none waits for a decode.
public final class FrameBuffer: Sendable {
    /// The animation.
    public let image: AnimatedImage

    private let state: Lock<FrameBufferState>
    private let submit: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let pool: PixelBufferPool
    private let clock: TimeSource

    /// Makes a buffer of one's own; ``FrameBufferStore/buffer(for:)`` gives the one that is shared.
    public convenience init(
        for image: AnimatedImage,
        threads: WorkPool,
        pool: PixelBufferPool = .shared,
        clock: TimeSource = .system
    ) {
        self.init(for: image, pool: pool, clock: clock) { threads.submit(priority: .high, $0) }
    }

    /// - Parameter submit: runs work on a thread that may block.
    init(
        for image: AnimatedImage,
        pool: PixelBufferPool,
        clock: TimeSource,
        submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.image = image
        self.submit = submit
        self.pool = pool
        self.clock = clock
        state = Lock(FrameBufferState(bytesPerFrame: image.bytesPerFrame))
    }

    deinit { removeAllFrames() }

    /// The frame at `index`, if it is there.
    public func frame(at index: Int) -> PixelBuffer? {
        index == 0 ? image.poster.pixels : state.withLock { $0.frames[index] }
    }

    /// The newest decoded frame among `indices`, which are in the order of playing.
    func newest(of indices: [Int]) -> (index: Int, pixels: PixelBuffer)? {
        state.withLock { state in
            for index in indices.reversed() {
                if let pixels = state.frames[index] { return (index, pixels) }
                if let latest = state.latest, latest.index == index { return latest }
            }
            return nil
        }
    }

    /// Frames held now, the poster apart.
    public var frameCount: Int { state.withLock { $0.frames.count } }

    /// Bytes that the frames held now take, the poster apart.
    public var byteCount: Int { state.withLock { $0.frames.values.reduce(0) { $0 + $1.residentByteCount } } }

    /// How many frames have been decoded since the buffer was made.
    public var decodedFrameCount: Int { state.withLock { $0.decodedCount } }

    /// Whether every frame known so far is there.
    public var holdsAllFrames: Bool {
        let count = image.frameCount
        return state.withLock { $0.frames.count } >= count - 1
    }

    /// Decodes all frames and keeps them, whatever the budget, until ``removeAllFrames()``.
    public func preloadAllFrames() {
        state.withLock { $0.wantsAllFrames = true }
        decodeNext()
    }

    /// Forgets all frames but the poster. Players get theirs anew.
    public func removeAllFrames() { change { $0.removeFrames() } }

    /// The system runs short of memory: holds one frame, then grows back step by step; see ``MemoryPressureLimit``.
    public func shrink() {
        let (now, timeline) = (clock.monotonic, image.timeline)
        change { state in
            state.pressure.shrink(at: now)
            state.wantsAllFrames = false
            state.evictAll(timeline, at: now)
        }
    }

    // MARK: Players

    func addClient(_ onFrame: @escaping @Sendable () -> Void) -> FrameBufferState.ClientID {
        state.withLock { $0.addClient(onFrame) }
    }

    func removeClient(_ id: FrameBufferState.ClientID) { _ = state.withLock { $0.removeClient(id) } }

    func setMaximumByteCount(_ bytes: Int?, of id: FrameBufferState.ClientID) {
        state.withLock { $0.setMaximumByteCount(bytes, of: id) }
    }

    /// How many of its next frames a player should name.
    var windowLength: Int {
        let (now, timeline) = (clock.monotonic, image.timeline)
        return state.withLock { $0.windowLength(timeline, at: now) }
    }

    func want(_ upcoming: [Int], by id: FrameBufferState.ClientID) {
        let (now, timeline) = (clock.monotonic, image.timeline)
        change { $0.want(upcoming, by: id, along: timeline, at: now) }
        decodeNext()
    }

    private func decodeNext() {
        let (now, timeline) = (clock.monotonic, image.timeline)
        guard let index = state.withLock({ $0.startDecoding(timeline, at: now) }) else { return }
        submit { [self] in decode(index) }
    }

    private func decode(_ index: Int) {
        let start = clock.monotonic
        // A frame that cannot be decoded leaves a gap, over which the one before stays.
        let pixels = try? image.provider.frame(at: index, pool: pool)
        let (end, timeline) = (clock.monotonic, image.timeline)
        let handlers = change { state in
            state.finish(index, pixels, took: end - start, along: timeline, at: end)
            return state.handlers
        }
        for handler in handlers { handler() }
        decodeNext()
    }

    /// Changes which frames are held, and says so to who counts their bytes.
    private func change<R: Sendable>(_ body: (inout FrameBufferState) -> R) -> R {
        let (result, growth) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeGrowth())
        }
        image.frameBytes.add(growth)
        return result
    }
}
