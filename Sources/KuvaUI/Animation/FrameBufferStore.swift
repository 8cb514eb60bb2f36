public import KuvaCore

/// Finds the buffer that all players of an animation share. It holds none: a buffer lives as long as its players.
public final class FrameBufferStore: Sendable {
    /// The store that everything uses unless told otherwise, with one thread for each processor.
    public static let shared = FrameBufferStore()

    private struct Entry: Sendable {
        weak var buffer: FrameBuffer?
    }
    private let entries = Lock<[ObjectIdentifier: Entry]>([:])
    private let submit: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let pool: PixelBufferPool
    private let clock: TimeSource

    /// Makes a store.
    ///
    /// - Parameter threads: where frames are decoded.
    public convenience init(
        threads: WorkPool = WorkPool(name: "kuva-frames", threads: WorkPool.processorCount),
        pool: PixelBufferPool = .shared,
        clock: TimeSource = .system
    ) {
        self.init(pool: pool, clock: clock) { threads.submit(priority: .high, $0) }
    }

    init(
        pool: PixelBufferPool,
        clock: TimeSource,
        submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.submit = submit
        self.pool = pool
        self.clock = clock
    }

    /// The buffer of an animation.
    public func buffer(for image: AnimatedImage) -> FrameBuffer {
        entries.withLock { entries in
            let key = ObjectIdentifier(image)
            // An address may be used again; a buffer holds its image, so that a living one is of this image.
            if let known = entries[key]?.buffer { return known }
            entries = entries.filter { $0.value.buffer != nil }
            let made = FrameBuffer(for: image, pool: pool, clock: clock, submit: submit)
            entries[key] = Entry(buffer: made)
            return made
        }
    }

    /// The system runs short of memory: every buffer shrinks to one frame.
    public func shrink() {
        for buffer in entries.withLock({ $0.values.compactMap(\.buffer) }) { buffer.shrink() }
    }
}
