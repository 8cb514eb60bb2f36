internal import KuvaCore

/// Hands the events of one load to an executor, in order and one at a time.
///
/// An event that comes while the calling thread is the executor's is delivered before the call returns, after all that
/// are still on their way; so a load that its caller cancels there has ended when `cancel` returns.
final class CallbackRelay: Sendable {
    private struct State: Sendable {
        var waiting: [ImageTask.Event] = []
        var isDelivering = false
    }

    private let state = Lock(State())
    private let executor: CallbackExecutor
    private let handler: @Sendable (ImageTask.Event) -> Void

    init(_ executor: CallbackExecutor, _ handler: @escaping @Sendable (ImageTask.Event) -> Void) {
        self.executor = executor
        self.handler = handler
    }

    /// An event happened.
    func receive(_ event: ImageTask.Event) {
        state.withLock { $0.waiting.append(event) }
        if executor.isCurrent { deliver() } else { executor.submit { [self] in deliver() } }
    }

    /// Delivers what waits, unless another call is at it, which goes on until nothing waits.
    private func deliver() {
        while let event = next() {
            handler(event)
            state.withLock { $0.isDelivering = false }
        }
    }

    private func next() -> ImageTask.Event? {
        state.withLock { state in
            guard !state.isDelivering, !state.waiting.isEmpty else { return nil }
            state.isDelivering = true
            return state.waiting.removeFirst()
        }
    }
}
