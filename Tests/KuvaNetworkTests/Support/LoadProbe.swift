import Foundation
import KuvaCore

/// Runs one load and keeps what it reports.
final class LoadProbe: Sendable {
    private struct State: Sendable {
        var progress: [LoadProgress] = []
        var bytes = Data()
        var results: [Result<LoadedData, ImageError>] = []
        var eventsAfterEnd = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
        var handle: (any LoadHandle)?
        var cancelsAtProgress = false
    }

    private let state: Lock<State>

    /// Starts a load of a URL.
    ///
    /// - Parameter cancelsAtProgress: whether the load is cancelled from inside its first progress event.
    convenience init(
        _ loader: any ImageLoading,
        _ url: URL,
        priority: Priority = .normal,
        wantsBytes: Bool = false,
        cancelsAtProgress: Bool = false,
        change: (inout LoadRequest) -> Void = { _ in }
    ) {
        var request = LoadRequest(url: url, priority: priority, wantsBytes: wantsBytes)
        change(&request)
        self.init(loader, request, cancelsAtProgress: cancelsAtProgress)
    }

    /// Starts a load.
    ///
    /// - Parameter onFinish: called at the end, on the loader's thread.
    init(
        _ loader: any ImageLoading,
        _ request: LoadRequest,
        cancelsAtProgress: Bool = false,
        onFinish: (@Sendable () -> Void)? = nil
    ) {
        state = Lock(State(cancelsAtProgress: cancelsAtProgress))
        let handle = loader.load(request) { [state] event in
            Self.take(event, state)
            if case .finished = event { onFinish?() }
        }
        let cancelsNow = state.withLock { state in
            state.handle = handle
            return state.cancelsAtProgress && !state.progress.isEmpty
        }
        if cancelsNow { handle.cancel() }
    }

    private static func take(_ event: LoadEvent, _ state: Lock<State>) {
        if case .progress = event, state.withLock({ $0.cancelsAtProgress }) {
            // The load may be faster than the thread that started it, which is about to say what to cancel.
            while state.withLock({ $0.handle == nil }) { sched_yield() }
        }
        let (waiters, cancelled) = state.withLock { state -> ([CheckedContinuation<Void, Never>], (any LoadHandle)?) in
            if !state.results.isEmpty { state.eventsAfterEnd += 1 }
            switch event {
            case .progress(let progress):
                state.progress.append(progress)
                return ([], state.cancelsAtProgress ? state.handle : nil)
            case .bytes(let bytes):
                state.bytes.append(bytes)
                return ([], nil)
            case .finished(let result):
                state.results.append(result)
                defer { state.waiters = [] }
                return (state.waiters, nil)
            }
        }
        cancelled?.cancel()
        for waiter in waiters { waiter.resume() }
    }

    /// The bytes that came one by one.
    var bytes: Data { state.withLock { $0.bytes } }

    /// The end of the load.
    var result: Result<LoadedData, ImageError> {
        get async {
            await withCheckedContinuation { continuation in
                let isFinished = state.withLock { state in
                    if state.results.isEmpty { state.waiters.append(continuation) }
                    return !state.results.isEmpty
                }
                if isFinished { continuation.resume() }
            }
            return state.withLock { $0.results[0] }
        }
    }

    /// The error that the load ended with; `nil` if it succeeded.
    var error: ImageError? {
        get async {
            guard case .failure(let error) = await result else { return nil }
            return error
        }
    }

    var isFinished: Bool { state.withLock { !$0.results.isEmpty } }
    var finishCount: Int { state.withLock { $0.results.count } }
    var eventsAfterEnd: Int { state.withLock { $0.eventsAfterEnd } }
    var progress: [LoadProgress] { state.withLock { $0.progress } }

    func cancel() { state.withLock { $0.handle }?.cancel() }
    func setPriority(_ priority: Priority) { state.withLock { $0.handle }?.setPriority(priority) }
}
