internal import KuvaCore

/// The life of an ``ImageTask``: running, then finished or failed, once. Decides and never acts.
///
/// Calls to observers that are due wait in an outbox. Whoever finds it idle empties it, with the lock released, and
/// meanwhile others only add to it: so each observer sees the events in order, one at a time, whatever threads report.
struct TaskState: Sendable {
    typealias Handler = @Sendable (ImageTask.Event) -> Void

    private enum Audience: Sendable {
        /// The observers who were there when it happened: the first `count` of them.
        case first(count: Int)
        case newcomer(Handler)
    }

    var priority: Priority
    var ticket: JobTicket?
    private(set) var progress: LoadProgress?
    private(set) var result: Result<ImageResponse, ImageError>?

    private var preview: Image?
    private var handlers = Few<Handler>()
    private var outbox = Few<(event: ImageTask.Event, audience: Audience)>()
    private var isDelivering = false

    init(priority: Priority) { self.priority = priority }

    /// An observer came. Returns whether the caller must deliver.
    mutating func added(_ handler: @escaping Handler) -> Bool {
        if let result {
            outbox.append((.init(result), .newcomer(handler)))
        } else {
            handlers.append(handler)
            if let progress { outbox.append((.progress(progress), .newcomer(handler))) }
            if let preview { outbox.append((.preview(preview), .newcomer(handler))) }
        }
        return becomesDeliverer()
    }

    /// More bytes came. Returns whether the caller must deliver.
    mutating func progressed(_ progress: LoadProgress) -> Bool {
        guard result == nil else { return false }
        self.progress = progress
        return happened(.progress(progress))
    }

    /// There is more to show. Returns whether the caller must deliver.
    mutating func previewed(_ preview: Image) -> Bool {
        guard result == nil else { return false }
        self.preview = preview
        return happened(.preview(preview))
    }

    /// The load ended. Returns whether the caller must deliver.
    mutating func finished(_ result: Result<ImageResponse, ImageError>) -> Bool {
        guard self.result == nil else { return false }
        self.result = result
        preview = nil
        return happened(.init(result))
    }

    /// The next calls to make; `nil` when all are made and the caller is no longer the deliverer.
    mutating func nextDelivery() -> (event: ImageTask.Event, handlers: Few<Handler>)? {
        guard let (event, audience) = outbox.popFirst() else {
            isDelivering = false
            if result != nil { handlers = Few() }
            return nil
        }
        switch audience {
        case .newcomer(let handler): return (event, Few(handler))
        case .first(let count): return (event, handlers.prefix(count))
        }
    }

    /// Nobody's event needs no delivery.
    private mutating func happened(_ event: ImageTask.Event) -> Bool {
        guard !handlers.isEmpty else { return false }
        outbox.append((event, .first(count: handlers.count)))
        return becomesDeliverer()
    }

    private mutating func becomesDeliverer() -> Bool {
        guard !isDelivering, !outbox.isEmpty else { return false }
        isDelivering = true
        return true
    }
}

extension ImageTask.Event {
    init(_ result: Result<ImageResponse, ImageError>) {
        switch result {
        case .success(let response): self = .finished(response)
        case .failure(let error): self = .failed(error)
        }
    }
}
