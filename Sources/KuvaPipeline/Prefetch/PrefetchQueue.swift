internal import KuvaCore

/// Which requests of which batches wait, run and have ended. A value that decides and never acts.
struct PrefetchQueue: Sendable {
    typealias Outcome = Result<ImageResponse.Origin, ImageError>

    /// One request of a batch.
    struct Item: Hashable, Sendable {
        let batch: Int
        let index: Int
    }

    /// What the caller must do next, with the lock released.
    struct Actions: Sendable {
        /// Requests to start.
        var starts: [(item: Item, request: ImageRequest)] = []
        /// Calls to make, in this order.
        var calls: [@Sendable () -> Void] = []
    }

    /// What is known of one call to prefetch.
    struct Batch: Sendable {
        let requests: [ImageRequest]
        let onProgress: (@Sendable (PrefetchProgress) -> Void)?
        let onEnd: @Sendable (PrefetchReport) -> Void
        var outcomes: [Outcome?]
        var endedCount = 0

        var report: PrefetchReport {
            let cancelled = Outcome.failure(ImageError(.cancelled, "the prefetch was cancelled"))
            return PrefetchReport(requests: requests, outcomes: outcomes.map { $0 ?? cancelled })
        }

        /// Tells that the batch has ended, as it is now.
        var end: @Sendable () -> Void {
            { [onEnd, report] in onEnd(report) }
        }

        var progress: PrefetchProgress {
            PrefetchProgress(endedCount: endedCount, totalCount: requests.count)
        }
    }

    private let maximumRunning: Int
    private var waiting: [Item] = []
    private var firstWaiting = 0
    private var running: Set<Item> = []
    private var batches: [Int: Batch] = [:]
    private var lastBatch = 0
    private var isPaused = false

    init(maximumRunning: Int) { self.maximumRunning = max(1, maximumRunning) }

    /// A batch came. Returns its name.
    mutating func added(_ batch: Batch) -> (name: Int, actions: Actions) {
        lastBatch += 1
        guard !batch.requests.isEmpty else { return (lastBatch, Actions(calls: [batch.end])) }
        batches[lastBatch] = batch
        for index in batch.requests.indices { waiting.append(Item(batch: lastBatch, index: index)) }
        return (lastBatch, Actions(starts: nextStarts()))
    }

    /// A request ended. Returns what follows.
    mutating func ended(_ item: Item, _ outcome: Outcome) -> Actions {
        guard running.remove(item) != nil else { return Actions() }
        var actions = Actions()
        // In place: a copy of the batch would cost its whole length for each of its requests.
        batches[item.batch]?.outcomes[item.index] = outcome
        batches[item.batch]?.endedCount += 1
        if let progress = batches[item.batch]?.progress {
            if let onProgress = batches[item.batch]?.onProgress { actions.calls.append { onProgress(progress) } }
            if progress.endedCount == progress.totalCount, let batch = batches.removeValue(forKey: item.batch) {
                actions.calls.append(batch.end)
            }
        }
        actions.starts = nextStarts()
        return actions
    }

    /// Someone cancelled a batch. Returns what follows, and its running requests, for the caller to cancel.
    mutating func cancelled(_ name: Int) -> (actions: Actions, running: [Item]) {
        guard let batch = batches.removeValue(forKey: name) else { return (Actions(), []) }
        let stopped = running.filter { $0.batch == name }
        running.subtract(stopped)
        return (Actions(starts: nextStarts(), calls: [batch.end]), Array(stopped))
    }

    /// No request starts from now on, or they do again.
    mutating func paused(_ isPaused: Bool) -> Actions {
        self.isPaused = isPaused
        return Actions(starts: nextStarts())
    }

    /// Whether a request has started and has not ended or been cancelled.
    func isRunning(_ item: Item) -> Bool { running.contains(item) }

    /// The names of all batches under way.
    var batchNames: [Int] { batches.keys.sorted() }

    private mutating func nextStarts() -> [(item: Item, request: ImageRequest)] {
        var starts: [(item: Item, request: ImageRequest)] = []
        while !isPaused, running.count < maximumRunning, firstWaiting < waiting.count {
            let item = waiting[firstWaiting]
            firstWaiting += 1
            guard let request = batches[item.batch]?.requests[item.index] else { continue }
            running.insert(item)
            starts.append((item, request))
        }
        if firstWaiting > 1_024, firstWaiting * 2 > waiting.count {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
        return starts
    }
}
