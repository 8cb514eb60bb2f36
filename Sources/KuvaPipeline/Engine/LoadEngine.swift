internal import KuvaCore

/// Runs loads: two tables of jobs behind one lock, pictures over files.
///
/// A picture job waits for a fetch job; tasks wait for picture jobs. Decisions are made in ``JobTable`` with the lock
/// held, everything else is done after it is released.
final class LoadEngine: Sendable {
    typealias ImageJobs = JobTable<ImageJobKey, ImageJob, ImageTask>
    typealias FetchJobs = JobTable<FetchJobKey, FetchJob, ImageJobs.JobID>

    struct State: Sendable {
        var images = ImageJobs()
        var fetches = FetchJobs()
        var unstored = UnstoredFiles()
        var pendingStores = 0
        var flushWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let configuration: ImageManager.Configuration
    let state = Lock(State())
    let failures = Lock(FailedURLs())

    init(configuration: ImageManager.Configuration) {
        self.configuration = configuration
    }

    var activeFetchCount: Int { state.withLock { $0.fetches.count } }

    // MARK: Tasks

    /// Lets a new task take part in the job for its picture, starting the job if there is none.
    func start(_ task: ImageTask) {
        let request = task.request
        let now = configuration.time.monotonic
        let started = state.withLock { state -> ImageJobs.JobID? in
            let joined = state.images.join(
                ImageJobKey(request),
                subscriber: task,
                priority: request.priority,
                payload: ImageJob(request: request, start: now)
            )
            switch joined {
            case .started(let ticket):
                task.ticket = ticket
                return ticket.job
            case .joined(let ticket, _):
                task.ticket = ticket
                return nil
            }
        }
        if let started {
            guard !finishFromMemory(started, request: request, since: now) else { return }
            startFetch(for: started, request: request, policy: request.cachePolicy)
        } else {
            propagatePriority(of: task)
        }
    }

    /// Looks in memory once more: between the caller's look and the new job, the job before it may have ended.
    private func finishFromMemory(_ id: ImageJobs.JobID, request: ImageRequest, since start: Duration) -> Bool {
        guard request.mayBeServedFromMemory,
            let image = configuration.memoryCache?.image(for: request.cacheKey)
        else { return false }
        let elapsed = configuration.time.monotonic - start
        finishImage(id, .success(ImageResponse(memoryHit: image, total: elapsed)))
        return true
    }

    /// A task no longer wants its picture. Work that nobody wants stops.
    func abandon(_ task: ImageTask) {
        guard let ticket = task.ticket else { return }
        let (abandoned, fetch) = state.withLock { state -> (ImageJob?, FetchJob?) in
            guard case .abandoned(let job) = state.images.leave(ticket) else { return (nil, nil) }
            guard let waiting = job.fetch, case .abandoned(let fetch) = state.fetches.leave(waiting) else {
                return (job, nil)
            }
            return (job, fetch)
        }
        if let abandoned {
            abandoned.cancellation.cancel()
            if let decode = abandoned.decodeTicket { configuration.decodePool.cancel(decode) }
        } else {
            propagatePriority(of: task)
        }
        if let fetch { stop(fetch) }
    }

    /// A task wants its picture sooner or later than before.
    func setPriority(_ priority: Priority, of task: ImageTask) {
        guard let ticket = task.ticket else { return }
        state.withLock { _ = $0.images.setPriority(priority, of: ticket) }
        propagatePriority(of: task)
    }

    /// Hands the priority of a task's picture job on to the work that is done for it.
    private func propagatePriority(of task: ImageTask) {
        guard let ticket = task.ticket else { return }
        let (decode, fetch, priority, fetchPriority) = state.withLock { state in
            guard let job = state.images[ticket.job], let priority = state.images.priority(of: ticket.job) else {
                return (nil as WorkPool.Ticket?, nil as FetchJob?, Priority.normal, Priority.normal)
            }
            var fetch: FetchJob?
            var fetchPriority = priority
            if let waiting = job.fetch, let changed = state.fetches.setPriority(priority, of: waiting) {
                fetch = state.fetches[waiting.job]
                fetchPriority = changed
            }
            return (job.decodeTicket, fetch, priority, fetchPriority)
        }
        if let decode { configuration.decodePool.setPriority(priority, of: decode) }
        if let disk = fetch?.diskTicket { configuration.diskPool.setPriority(fetchPriority, of: disk) }
        fetch?.load?.setPriority(fetchPriority)
    }

    /// Ends a picture job and all tasks that wait for it, in the order in which they came.
    func finishImage(_ id: ImageJobs.JobID, _ result: Result<ImageResponse, ImageError>) {
        let (request, tasks) = state.withLock { ($0.images[id]?.request, $0.images.finish(id)) }
        if let request { noteEnd(of: request, result) }
        for task in tasks { task.finish(result) }
    }
}
