import KuvaCore

/// Lets a test wait, without blocking a thread, until `count` things have happened.
final class Latch: Sendable {
    private struct State: Sendable {
        var missing: Int
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Lock<State>

    init(_ count: Int = 1) { state = Lock(State(missing: count)) }

    /// One of the things has happened.
    func arrive() {
        let waiter = state.withLock { state in
            state.missing -= 1
            return state.missing == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Returns once all have. For one caller.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.missing > 0 { state.waiter = continuation }
                return state.missing <= 0
            }
            if isOver { continuation.resume() }
        }
    }
}
