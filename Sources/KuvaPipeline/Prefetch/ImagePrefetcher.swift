public import FoundationEssentials
public import KuvaCore

/// Gets pictures into the caches before anyone asks for them: a few at a time, after everything that someone waits for.
///
/// A picture that is asked for while its prefetch runs shares the work and raises its priority. Any thread may call
/// every method; none of them blocks.
public final class ImagePrefetcher: Sendable {
    /// Where the pictures go.
    public enum Destination: Sendable {
        /// Memory and disk: they are decoded and ready to be shown. The default.
        case memory
        /// Disk only, for what may be wanted later.
        case disk
    }

    /// A prefetch under way.
    public struct Token: Sendable {
        fileprivate let name: Int
        fileprivate let prefetcher: ImagePrefetcher

        /// Ends the prefetch: what has not ended counts as cancelled, and the completion is called.
        public func cancel() { prefetcher.cancel(name) }
    }

    private struct State: Sendable {
        var queue: PrefetchQueue
        var tasks: [PrefetchQueue.Item: ImageTask] = [:]
        var starts: [(item: PrefetchQueue.Item, request: ImageRequest)] = []
        var isStarting = false
        var calls: [@Sendable () -> Void] = []
        var isCalling = false

        /// Takes in what the queue decided; to be called with the lock held in which it decided, which keeps the order.
        mutating func took(_ actions: PrefetchQueue.Actions) {
            starts.append(contentsOf: actions.starts)
            calls.append(contentsOf: actions.calls)
        }

        /// The next call, for the one thread that makes them; `nil` if there is none, or another thread is at it.
        mutating func nextCall(isCaller: Bool) -> (@Sendable () -> Void)? {
            guard isCaller || !isCalling else { return nil }
            isCalling = !calls.isEmpty
            return calls.isEmpty ? nil : calls.removeFirst()
        }

        mutating func nextStart() -> (item: PrefetchQueue.Item, request: ImageRequest)? {
            guard !starts.isEmpty else {
                isStarting = false
                return nil
            }
            return starts.removeFirst()
        }
    }

    private let manager: ImageManager
    private let destination: Destination
    private let priority: Priority
    private let state: Lock<State>

    /// - Parameters:
    ///   - manager: who loads.
    ///   - destination: where the pictures go.
    ///   - maximumConcurrentCount: how many at once; 3 by default, below 1 counts as 1.
    ///   - priority: ``Priority/low`` by default.
    public init(
        manager: ImageManager,
        destination: Destination = .memory,
        maximumConcurrentCount: Int = 3,
        priority: Priority = .low
    ) {
        self.manager = manager
        self.destination = destination
        self.priority = priority
        state = Lock(State(queue: PrefetchQueue(maximumRunning: maximumConcurrentCount)))
    }

    /// Starts to prefetch the pictures at the URLs, in their order; see the other methods.
    @discardableResult
    public func prefetch(
        _ urls: [URL],
        completion: @escaping @Sendable (PrefetchReport) -> Void = { _ in }
    ) -> Token {
        start(urls.map { ImageRequest(url: $0) }, progress: nil, completion: completion)
    }

    /// Starts to prefetch the pictures that the requests describe, in their order.
    ///
    /// - Parameter completion: called exactly once: when all have ended, at once if there are none, and also on cancel.
    @discardableResult
    public func prefetch(
        _ requests: [ImageRequest],
        completion: @escaping @Sendable (PrefetchReport) -> Void = { _ in }
    ) -> Token {
        start(requests, progress: nil, completion: completion)
    }

    /// Starts to prefetch the pictures that the requests describe, in their order, and tells of each.
    ///
    /// - Parameters:
    ///   - progress: called after each, on a thread of Kuva's; in order, one call at a time, and never after the completion.
    ///   - completion: called exactly once: when all have ended, at once if there are none, and also on cancel.
    @discardableResult
    public func prefetch(
        _ requests: [ImageRequest],
        progress: @escaping @Sendable (PrefetchProgress) -> Void,
        completion: @escaping @Sendable (PrefetchReport) -> Void = { _ in }
    ) -> Token {
        start(requests, progress: progress, completion: completion)
    }

    /// Starts nothing new while `true`; what runs goes on.
    public func setPaused(_ isPaused: Bool) {
        state.withLock { state in
            let actions = state.queue.paused(isPaused)
            state.took(actions)
        }
        perform()
    }

    /// Ends every prefetch under way; each completion is called.
    public func cancelAll() {
        for name in state.withLock({ $0.queue.batchNames }) { cancel(name) }
    }

    private func start(
        _ requests: [ImageRequest],
        progress: (@Sendable (PrefetchProgress) -> Void)?,
        completion: @escaping @Sendable (PrefetchReport) -> Void
    ) -> Token {
        let batch = PrefetchQueue.Batch(
            requests: requests,
            onProgress: progress,
            onEnd: completion,
            outcomes: Array(repeating: nil, count: requests.count)
        )
        let name = state.withLock { state in
            let (name, actions) = state.queue.added(batch)
            state.took(actions)
            return name
        }
        perform()
        return Token(name: name, prefetcher: self)
    }

    private func cancel(_ name: Int) {
        let tasks = state.withLock { state in
            let (actions, items) = state.queue.cancelled(name)
            state.took(actions)
            return items.compactMap { state.tasks.removeValue(forKey: $0) }
        }
        for task in tasks { task.cancel() }
        perform()
    }

    /// Makes the calls and starts the loads that are due, each kind in a line that one thread at a time empties: calls
    /// keep their order, and pictures in memory, which end at once and bring the next ones, need no deep stack.
    private func perform() {
        var isCaller = false
        while let call = state.withLock({ $0.nextCall(isCaller: isCaller) }) {
            isCaller = true
            call()
        }
        let isStarter = state.withLock { state in
            guard !state.isStarting, !state.starts.isEmpty else { return false }
            state.isStarting = true
            return true
        }
        guard isStarter else { return }
        while let start = state.withLock({ $0.nextStart() }) { run(start.item, start.request) }
    }

    private func run(_ item: PrefetchQueue.Item, _ request: ImageRequest) {
        var request = request
        request.priority = priority
        if destination == .disk { request.cachePolicy.remove(.writeMemory) }
        let task = manager.task(for: request)
        let isWanted = state.withLock { state in
            guard state.queue.isRunning(item) else { return false }
            state.tasks[item] = task
            return true
        }
        guard isWanted else { return task.cancel() }
        task.observe { [self] event in
            switch event {
            case .progress, .preview: break
            case .finished(let response): ended(item, .success(response.origin))
            case .failed(let error): ended(item, .failure(error))
            }
        }
    }

    private func ended(_ item: PrefetchQueue.Item, _ outcome: PrefetchQueue.Outcome) {
        state.withLock { state in
            state.tasks[item] = nil
            let actions = state.queue.ended(item, outcome)
            state.took(actions)
        }
        perform()
    }
}
