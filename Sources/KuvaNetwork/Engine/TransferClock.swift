internal import KuvaCore

/// Decides when a transfer has taken too long. A value; time is given to it.
struct TransferClock: Sendable {
    struct Limits: Sendable {
        var connect: Duration
        var idle: Duration
        var total: Duration?
    }

    private let limits: Limits
    private let start: Duration
    /// `nil` once connected.
    private var connectStart: Duration?
    private var lastActivity: Duration

    init(limits: Limits, now: Duration) {
        self.limits = limits
        start = now
        connectStart = now
        lastActivity = now
    }

    /// A new request of the same load, after a redirect.
    mutating func restarted(now: Duration) {
        connectStart = now
        lastActivity = now
    }

    mutating func connected(now: Duration) {
        connectStart = nil
        lastActivity = now
    }

    /// Something has come.
    mutating func received(now: Duration) {
        connectStart = nil
        lastActivity = now
    }

    /// The moment at which the transfer will have taken too long, if nothing happens until then.
    var deadline: Duration {
        let next = connectStart.map { $0 + limits.connect } ?? lastActivity + limits.idle
        return limits.total.map { min(next, start + $0) } ?? next
    }

    /// What has taken too long by now, if anything has.
    func expired(now: Duration) -> TransferErrors.Wait? {
        if let total = limits.total, now >= start + total { return .total(total) }
        if let connectStart { return now >= connectStart + limits.connect ? .connect(limits.connect) : nil }
        return now >= lastActivity + limits.idle ? .idle(limits.idle) : nil
    }
}
