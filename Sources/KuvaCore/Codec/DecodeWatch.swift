/// How long a decoder has worked on a frame, against ``DecodeLimits/maximumDuration``.
///
/// Only the time inside of the decoder's calls counts, not that in which it waits for bytes or for a frame to be due.
package final class DecodeWatch: Sendable {
    private struct State: Sendable {
        /// What earlier calls took.
        var spent = Duration.zero
        /// When the call began that is under way.
        var since = Duration.zero
        /// Calls within calls: a decoder may use another with the same options.
        var depth = 0
    }

    private let limit: Duration
    private let time: TimeSource
    private let state = Lock(State())

    init(limit: Duration, time: TimeSource) {
        self.limit = limit
        self.time = time
    }

    /// A call of the decoder begins.
    package func enter() {
        let now = time.monotonic
        state.withLock { state in
            if state.depth == 0 { state.since = now }
            state.depth += 1
        }
    }

    /// A call of the decoder ends.
    ///
    /// - Parameter endsFrame: whether the frame is there, so that the next has its own time.
    package func leave(endsFrame: Bool) {
        let now = time.monotonic
        state.withLock { state in
            state.depth -= 1
            guard state.depth == 0 else { return }
            state.spent = endsFrame ? .zero : state.spent + (now - state.since)
        }
    }

    /// - Throws: ``ImageError`` with the code `limit-exceeded` once the frame has taken too long.
    func check() throws(ImageError) {
        let now = time.monotonic
        let spent = state.withLock { $0.depth > 0 ? $0.spent + (now - $0.since) : .zero }
        guard spent > limit else { return }
        throw DecodeLimits.exceeded("decoding takes longer than \(limit)", "maximumDuration")
    }
}
