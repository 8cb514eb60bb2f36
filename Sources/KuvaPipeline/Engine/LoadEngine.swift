internal import KuvaCore
internal import Synchronization

/// Runs loads: two tables of jobs behind one lock, pictures over files.
///
/// A picture job waits for a fetch, or, if it has transformers, for the picture without its last one; tasks wait for
/// picture jobs. Decisions are made in ``JobTable`` with the lock held, everything else is done after it is released.
final class LoadEngine: Sendable {
    struct State: Sendable {
        var pictures = JobTable<PictureSpec, PictureJob, PictureSubscriber>()
        var fetches = JobTable<FetchSpec, FetchJob, JobID>()
        var unstored = UnstoredFiles()
        var pendingStores = 0
        var flushWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let configuration: ImageManager.Configuration
    let state = Lock(State())
    let failures = Lock(FailedURLs())
    let counters = LoadCounters()
    let freshness = Lock(FreshnessTable())
    private let endedPictures = Atomic<Int>(0)
    private let remembersFailures = Atomic<Bool>(false)

    init(configuration: ImageManager.Configuration) {
        self.configuration = configuration
    }

    /// Picture jobs that have ended. Whoever looked into memory before it rose may have missed what they put there.
    var endedPictureCount: Int { endedPictures.load(ordering: .acquiring) }

    /// Counts a picture job that ends. Called with the lock held: who finds the job gone finds it counted.
    func countEndedPicture() { endedPictures.wrappingAdd(1, ordering: .releasing) }

    /// Whether a failure may be remembered. Most programs remember none, and no load takes a lock to learn that.
    var mayRememberFailures: Bool { remembersFailures.load(ordering: .relaxed) }

    /// Changes the list of failures.
    func changeFailures(_ body: (inout FailedURLs) -> Void) {
        failures.withLock { failures in
            body(&failures)
            remembersFailures.store(!failures.isEmpty, ordering: .relaxed)
        }
    }

    var activeFetchCount: Int { state.withLock { $0.fetches.count } }

    /// How many tasks wait for a picture.
    var runningTaskCount: Int {
        state.withLock { state in
            state.pictures.subscriberCount { if case .task = $0 { true } else { false } }
        }
    }

    /// The tasks that wait for a picture.
    var runningTasks: [ImageTask] {
        state.withLock { state in
            state.pictures.allSubscribers.compactMap { if case .task(let task) = $0 { task } else { nil } }
        }
    }

    /// Lets a new task take part in the job for its picture, starting the job if there is none.
    ///
    /// - Parameters:
    ///   - key: the cache key of the task's request.
    ///   - start: when the caller asked.
    ///   - seen: ``endedPictureCount`` before the caller looked into memory; `nil` if it did not.
    func start(_ task: ImageTask, key: CacheKey, since start: Duration, seen: Int?) {
        let spec = PictureSpec(task.request, key: key)
        join(spec, priority: task.request.priority, subscriber: .task(task), since: start, seen: seen) { _, ticket in
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
