internal import KuvaCore

/// The store of one file that several callers share: the first that wants it starts it, all that want to hear of its
/// end do. A value that decides and never acts.
struct StoreOnce: Sendable {
    typealias Waiter = @Sendable (ImageError?) -> Void

    private enum Phase: Sendable {
        case idle
        case running([Waiter])
        case ended(ImageError?)
    }

    /// What a caller does after it has asked for the store.
    enum Request {
        /// Start the store; the waiter is kept.
        case start
        /// Nothing: the waiter is kept and will be called.
        case wait
        /// Call the waiter: the store has ended.
        case ended(ImageError?)
    }

    private var phase = Phase.idle

    /// A caller wants the file stored.
    mutating func requested(_ waiter: @escaping Waiter) -> Request {
        switch phase {
        case .idle:
            phase = .running([waiter])
            return .start
        case .running(let waiters):
            phase = .running(waiters + [waiter])
            return .wait
        case .ended(let error):
            return .ended(error)
        }
    }

    /// The store ended. Returns who waits for that.
    mutating func finished(_ error: ImageError?) -> [Waiter] {
        defer { phase = .ended(error) }
        if case .running(let waiters) = phase { return waiters }
        return []
    }
}
