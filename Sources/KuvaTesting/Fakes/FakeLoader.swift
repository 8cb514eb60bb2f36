public import FoundationEssentials
public import KuvaCore

/// A loader whose answers a test gives by hand: nothing happens until the test says so.
public final class FakeLoader: ImageLoading {
    /// One load that the fake was asked for.
    public struct Load: Sendable, Identifiable {
        /// The number of the load, from 0 in the order in which they came.
        public let id: Int
        /// What was asked for.
        public let request: LoadRequest
        /// The priority now.
        public var priority: Priority
        /// Whether the caller has cancelled it.
        public var isCancelled = false
        /// Whether it has had its last event.
        public var isFinished = false
    }

    private struct Entry: Sendable {
        var load: Load
        let handler: @Sendable (LoadEvent) -> Void
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var waiters: [(isMet: @Sendable ([Load]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

        /// Takes out those whose condition holds now.
        mutating func metWaiters() -> [CheckedContinuation<Void, Never>] {
            if waiters.isEmpty { return [] }
            let loads = entries.map(\.load)
            var met: [CheckedContinuation<Void, Never>] = []
            waiters.removeAll { waiter in
                let isMet = waiter.isMet(loads)
                if isMet { met.append(waiter.continuation) }
                return isMet
            }
            return met
        }
    }

    private let state = Lock(State())
    private let schemes: Set<String>
    private let answer: (@Sendable (LoadRequest) -> Result<LoadedData, ImageError>)?

    /// - Parameters:
    ///   - schemes: the schemes that it loads.
    ///   - answer: if given, every load ends at once with its result, before `load` returns.
    public init(
        schemes: Set<String> = ["http", "https"],
        answer: (@Sendable (LoadRequest) -> Result<LoadedData, ImageError>)? = nil
    ) {
        self.schemes = schemes
        self.answer = answer
    }

    /// All loads asked for so far, in order.
    public var loads: [Load] { state.withLock { $0.entries.map(\.load) } }

    /// Returns once at least `count` loads have been asked for.
    public func waitForLoads(_ count: Int) async { await waitUntil { $0.count >= count } }

    /// Returns once a condition on all loads asked for so far holds, or the waiting task is cancelled.
    ///
    /// What a caller does to a load while it starts on another thread reaches the load once it has started.
    public func waitUntil(_ isMet: @escaping @Sendable ([Load]) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || isMet(state.entries.map(\.load)) { return true }
                    state.waiters.append((isMet, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let all = state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in all { waiter.continuation.resume() }
        }
    }

    private func change<T: Sendable>(_ body: (inout State) -> T) -> T {
        let (value, met) = state.withLock { state in
            let value = body(&state)
            return (value, state.metWaiters())
        }
        for waiter in met { waiter.resume() }
        return value
    }

    /// Reports progress of a load.
    public func progress(_ id: Int, received: Int64, expected: Int64?) {
        handler(id)?(.progress(LoadProgress(receivedByteCount: received, expectedByteCount: expected)))
    }

    /// Sends bytes of a load, if it wanted them.
    public func send(_ id: Int, _ bytes: Data) {
        guard loads[id].request.wantsBytes else { return }
        handler(id)?(.bytes(bytes))
    }

    /// Ends a load with bytes.
    public func succeed(_ id: Int, with bytes: Data, response: StoredResponse? = nil) {
        finish(id, .success(LoadedData(bytes: bytes, response: response)))
    }

    /// Ends a load with a result of any kind.
    public func finish(_ id: Int, with loaded: LoadedData) { finish(id, .success(loaded)) }

    /// Ends a load with an error.
    public func fail(_ id: Int, with error: ImageError) { finish(id, .failure(error)) }

    /// See `ImageLoading`.
    public func canLoad(_ url: URL) -> Bool { schemes.contains(url.scheme ?? "") }

    /// See `ImageLoading`.
    public func load(_ request: LoadRequest, handler: @escaping @Sendable (LoadEvent) -> Void) -> any LoadHandle {
        let id = change { state in
            let id = state.entries.count
            let load = Load(id: id, request: request, priority: request.priority)
            state.entries.append(Entry(load: load, handler: handler))
            return id
        }
        if let answer { finish(id, answer(request)) }
        return Handle(id: id, loader: self)
    }

    private func handler(_ id: Int) -> (@Sendable (LoadEvent) -> Void)? {
        state.withLock { state in
            guard state.entries.indices.contains(id), !state.entries[id].load.isFinished else { return nil }
            return state.entries[id].handler
        }
    }

    private func finish(_ id: Int, _ result: Result<LoadedData, ImageError>) {
        guard let handler = handler(id) else { return }
        change { $0.entries[id].load.isFinished = true }
        handler(.finished(result))
    }

    private struct Handle: LoadHandle {
        let id: Int
        let loader: FakeLoader

        func cancel() {
            let isFirst = loader.change { state in
                defer { state.entries[id].load.isCancelled = true }
                return !state.entries[id].load.isCancelled && !state.entries[id].load.isFinished
            }
            if isFirst { loader.finish(id, .failure(ImageError(.cancelled, "the load was cancelled"))) }
        }

        func setPriority(_ priority: Priority) {
            loader.change { $0.entries[id].load.priority = priority }
        }
    }
}
