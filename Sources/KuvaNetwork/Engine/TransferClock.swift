internal import KuvaCore

/// Decides when a transfer has taken too long, or comes too slowly. A value; time is given to it.
struct TransferClock: Sendable {
    struct Limits: Sendable {
        var connect: Duration
        var idle: Duration
        var total: Duration?
        /// From the connection to the end of the answer's head; as `idle` if `nil`.
        var firstByte: Duration?
        /// The least number of bytes a second, over a window of time.
        var slowest: MinimumSpeed?
    }

    private enum Phase: Sendable {
        case connecting(since: Duration)
        case waiting(since: Duration)
        case receiving
    }

    private let limits: Limits
    private let start: Duration
    private var phase: Phase
    private var lastActivity: Duration
    /// Where the window of time began in which speed is measured, and how many bytes had come then.
    private var window: (start: Duration, byteCount: Int64)
    private var byteCount: Int64 = 0

    init(limits: Limits, now: Duration) {
        self.limits = limits
        start = now
        phase = .connecting(since: now)
        lastActivity = now
        window = (now, 0)
    }

    /// A new request of the same load, after a redirect.
    mutating func restarted(now: Duration) {
        phase = .connecting(since: now)
        lastActivity = now
    }

    mutating func connected(now: Duration) {
        if case .connecting = phase { phase = .waiting(since: now) }
        lastActivity = now
    }

    /// Something has come.
    ///
    /// - Parameters:
    ///   - isReceiving: whether the head of the answer has ended.
    ///   - byteCount: bytes of the body so far.
    mutating func received(now: Duration, isReceiving: Bool = true, byteCount: Int64 = 0) {
        lastActivity = now
        guard isReceiving else { return connected(now: now) }
        if case .receiving = phase {
        } else {
            phase = .receiving
            window = (now, byteCount)
        }
        self.byteCount = byteCount
        measured(now: now)
    }

    /// Begins the next window of time if one has passed in which enough came.
    mutating func measured(now: Duration) {
        guard case .receiving = phase, let slowest = limits.slowest, now - window.start >= slowest.window,
            !isTooSlow(slowest, now)
        else { return }
        window = (now, byteCount)
    }

    /// The moment at which the transfer will have taken too long, if nothing happens until then.
    var deadline: Duration {
        var next: Duration
        switch phase {
        case .connecting(let since): next = since + limits.connect
        case .waiting(let since): next = since + (limits.firstByte ?? limits.idle)
        case .receiving:
            next = lastActivity + limits.idle
            if let slowest = limits.slowest { next = min(next, window.start + slowest.window) }
        }
        return limits.total.map { min(next, start + $0) } ?? next
    }

    /// What has taken too long by now, if anything has.
    func expired(now: Duration) -> TransferErrors.Wait? {
        if let total = limits.total, now >= start + total { return .total(total) }
        switch phase {
        case .connecting(let since): return now >= since + limits.connect ? .connect(limits.connect) : nil
        case .waiting(let since):
            let limit = limits.firstByte ?? limits.idle
            return now >= since + limit ? .firstByte(limit) : nil
        case .receiving:
            if now >= lastActivity + limits.idle { return .idle(limits.idle) }
            guard let slowest = limits.slowest, now >= window.start + slowest.window else { return nil }
            return isTooSlow(slowest, now) ? .slow(slowest.bytesPerSecond, slowest.window) : nil
        }
    }

    private func isTooSlow(_ slowest: MinimumSpeed, _ now: Duration) -> Bool {
        Double(byteCount - window.byteCount) < Double(slowest.bytesPerSecond) * ((now - window.start) / .seconds(1))
    }
}

/// The least speed at which a body must come.
public struct MinimumSpeed: Hashable, Sendable {
    /// Bytes a second, on average over the window.
    public var bytesPerSecond: Int
    /// How long the average is taken over.
    public var window: Duration

    /// Makes a speed.
    public init(bytesPerSecond: Int, over window: Duration) {
        self.bytesPerSecond = bytesPerSecond
        self.window = window
    }
}
