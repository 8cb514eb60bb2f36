internal import KuvaCore

/// Runs loads: two tables of jobs behind one lock, pictures over files.
///
/// A picture job waits for a fetch, or, if it has transformers, for the picture without its last one; tasks wait for
/// picture jobs. Decisions are made in ``JobTable`` with the lock held, everything else is done after it is released.
final class LoadEngine: Sendable {
    struct State: Sendable {
        var pictures = JobTable<PictureJobKey, PictureJob, PictureSubscriber>()
        var fetches = JobTable<FetchJobKey, FetchJob, JobID>()
        var unstored = UnstoredFiles()
        var pendingStores = 0
        var flushWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let configuration: ImageManager.Configuration
    let state = Lock(State())
    let failures = Lock(FailedURLs())
    let counters = LoadCounters()
    let freshness = Lock(FreshnessTable())

    init(configuration: ImageManager.Configuration) {
        self.configuration = configuration
    }

    var activeFetchCount: Int { state.withLock { $0.fetches.count } }

    /// The tasks that wait for a picture.
    var runningTasks: [ImageTask] {
        state.withLock { state in
            state.pictures.allSubscribers.compactMap { if case .task(let task) = $0 { task } else { nil } }
        }
    }

    /// Lets a new task take part in the job for its picture, starting the job if there is none.
    func start(_ task: ImageTask) {
        join(task.request, priority: task.request.priority, subscriber: .task(task)) { _, ticket in
            task.ticket = ticket
        }
    }

    /// A task no longer wants its picture. Work that nobody wants stops.
    func abandon(_ task: ImageTask) {
        if let ticket = task.ticket { leave(ticket) }
    }

    /// A task wants its picture sooner or later than before.
    func setPriority(_ priority: Priority, of task: ImageTask) {
        guard let ticket = task.ticket else { return }
        state.withLock { _ = $0.pictures.setPriority(priority, of: ticket) }
        propagatePriority(of: ticket.job)
    }
}
