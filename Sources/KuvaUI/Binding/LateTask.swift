internal import KuvaCore
internal import KuvaPipeline

/// A task that a ``TaskStarter`` starts, seen from the load that wants it. If that ends before, nothing is started.
final class LateTask: Sendable {
    private enum State: Sendable {
        case waiting(ImageRequest)
        case running(ImageTask)
        case ended
    }

    private let state: Lock<State>
    private let starter: TaskStarter

    init(_ request: ImageRequest, _ starter: TaskStarter) {
        state = Lock(.waiting(request))
        self.starter = starter
    }

    /// The task; `nil` if it was not started.
    var task: ImageTask? {
        state.withLock { if case .running(let task) = $0 { task } else { nil } }
    }

    /// Has the task started soon and its events sent to a handler; see `ImageTask.observe`.
    func start(_ manager: ImageManager, _ handler: @escaping @Sendable (ImageTask.Event) -> Void) {
        starter.perform { [self] in
            guard case .waiting(let request) = state.withLock({ $0 }) else { return }
            let task = manager.task(for: request)
            let priority = state.withLock { state -> Priority? in
                guard case .waiting(let newest) = state else { return nil }
                state = .running(task)
                return newest.priority
            }
            guard let priority else { return task.cancel() }
            if priority != request.priority { task.priority = priority }
            task.observe(handler)
        }
    }

    /// Changes how soon the picture is wanted.
    func setPriority(_ priority: Priority) {
        let task = state.withLock { state -> ImageTask? in
            switch state {
            case .waiting(var request):
                request.priority = priority
                state = .waiting(request)
                return nil
            case .running(let task): return task
            case .ended: return nil
            }
        }
        if let task { starter.perform { task.priority = priority } }
    }

    /// Ends the task, or spares its start. No event that follows is of any use to the caller.
    func cancel(with error: ImageError) {
        let task = state.withLock { state -> ImageTask? in
            defer { state = .ended }
            if case .running(let task) = state { return task }
            return nil
        }
        if let task { starter.perform { task.cancel(with: error) } }
    }
}
