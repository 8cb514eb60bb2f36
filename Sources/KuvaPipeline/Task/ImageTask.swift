public import KuvaCore

/// One caller's load of one picture: look at it, wait for it, change its priority, cancel it.
///
/// The load starts when the task is made and goes on when the task is dropped; only ``cancel()`` ends it early.
/// Several tasks share the work if they want the same; each still ends for itself, exactly once. Any thread may call
/// every method.
public final class ImageTask: Sendable {
    /// What happens to a load.
    public enum Event: Sendable {
        /// More bytes have come.
        case progress(LoadProgress)
        /// What can be shown of the picture so far, if the request wanted that; each better than the one before.
        case preview(Image)
        /// The picture is there. The last event.
        case finished(ImageResponse)
        /// There will be no picture. The last event.
        case failed(ImageError)
    }

    /// What was asked for.
    public let request: ImageRequest

    private enum Life: Sendable {
        /// It had ended when it was made, and needs no lock.
        case ended(Result<ImageResponse, ImageError>)
        case running(LoadEngine, Lock<TaskState>)
    }

    private let life: Life

    /// A task whose work the engine does.
    init(request: ImageRequest, engine: LoadEngine) {
        self.request = request
        life = .running(engine, Lock(TaskState(priority: request.priority)))
    }

    /// A task that has ended already.
    init(request: ImageRequest, result: Result<ImageResponse, ImageError>) {
        self.request = request
        life = .ended(result)
    }

    // MARK: Waiting

    /// The picture, once it is there. Cancelling the Swift task that waits cancels this load.
    public var image: Image {
        get async throws(ImageError) { try await response.image }
    }

    /// The picture and where it came from, once it is there. Cancelling the Swift task that waits cancels this load.
    public var response: ImageResponse {
        get async throws(ImageError) {
            if let result { return try result.get() }
            await withTaskCancellationHandler {
                // Not checked, for that costs a third of a load: an observer gets exactly one last event.
                await withUnsafeContinuation { continuation in
                    observe { if $0.isLast { continuation.resume() } }
                }
            } onCancel: {
                cancel()
            }
            guard let result else { throw ImageError(.cancelled, "the load was cancelled", url: request.url) }
            return try result.get()
        }
    }

    /// How the load ended; `nil` while it runs. A memory hit has ended when the task is made.
    public var result: Result<ImageResponse, ImageError>? {
        switch life {
        case .ended(let result): result
        case .running(_, let state): state.withLock { $0.result }
        }
    }

    /// What has come so far; `nil` before the first byte and for pictures from memory.
    public var progress: LoadProgress? { state?.withLock { $0.progress } }

    // MARK: Steering

    /// How soon the picture is wanted. Takes effect on work that still waits, also on what others share: the highest
    /// priority among them counts. Setting it for a picture from memory does nothing.
    public var priority: Priority {
        get { state?.withLock { $0.priority } ?? request.priority }
        set {
            guard case .running(let engine, let state) = life else { return }
            state.withLock { $0.priority = newValue }
            engine.setPriority(newValue, of: self)
        }
    }

    /// Ends this load: it fails with the code `cancelled` unless it has ended already. Work that nobody else wants
    /// stops.
    public func cancel() {
        guard case .running = life else { return }
        cancel(with: ImageError(.cancelled, "the load was cancelled", url: request.url))
    }

    /// Ends this load with an error of the caller's choosing, for views that tell a replaced load from a cancelled
    /// one.
    package func cancel(with error: ImageError) {
        guard case .running(let engine, _) = life else { return }
        finish(.failure(error))
        engine.abandon(self)
    }

    // MARK: Observing

    /// The events from now on. A late observer first gets the progress and the preview so far, and always exactly one last event.
    public var events: AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        observe { event in
            continuation.yield(event)
            if event.isLast { continuation.finish() }
        }
        return stream
    }

    /// Calls `handler` for each event, in order, one call at a time, on a thread of Kuva's choosing. It must not block.
    /// If the load has ended already and no other thread is making calls, the call comes before the method returns.
    public func observe(_ handler: @escaping @Sendable (Event) -> Void) {
        switch life {
        case .ended(let result): handler(Event(result))
        case .running(_, let state): deliver(state, state.withLock { $0.added(handler) })
        }
    }

    // MARK: For the engine

    private var state: Lock<TaskState>? {
        guard case .running(_, let state) = life else { return nil }
        return state
    }

    /// The engine's name for this task's place in a job.
    var ticket: JobTicket? {
        get { state?.withLock { $0.ticket } }
        set { state?.withLock { $0.ticket = newValue } }
    }

    /// Reports progress; ignored after the end.
    func report(_ progress: LoadProgress) {
        if let state { deliver(state, state.withLock { $0.progressed(progress) }) }
    }

    /// Shows a preview; ignored after the end.
    func report(preview: Image) {
        if let state { deliver(state, state.withLock { $0.previewed(preview) }) }
    }

    /// Ends the task; ignored if it has ended already.
    func finish(_ result: Result<ImageResponse, ImageError>) {
        if let state { deliver(state, state.withLock { $0.finished(result) }) }
    }

    /// Makes the calls that are due, if no other thread is making them, so that order is kept without a lock held.
    private func deliver(_ state: Lock<TaskState>, _ isDeliverer: Bool) {
        guard isDeliverer else { return }
        while let (event, handlers) = state.withLock({ $0.nextDelivery() }) {
            for handler in handlers { handler(event) }
        }
    }
}

extension ImageTask.Event {
    /// Whether no event follows.
    public var isLast: Bool {
        switch self {
        case .progress, .preview: false
        case .finished, .failed: true
        }
    }
}

extension ImageTask: Hashable {
    /// Tasks are equal if they are one object.
    public static func == (lhs: ImageTask, rhs: ImageTask) -> Bool { lhs === rhs }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
