internal import Glibc
internal import Synchronization

/// A bounded set of threads of Kuva's own that run blocking work by priority.
///
/// Decoding and disk access block, so they must never run on Swift's cooperative pool, which has only as many threads
/// as the machine has cores. Threads start when there is work for them and live as long as the pool; the last
/// reference to the pool ends them, after the work that is waiting. Any thread may call every method.
public final class WorkPool: Sendable {
    /// Names a piece of submitted work.
    public struct Ticket: Hashable, Sendable {
        fileprivate let id: PriorityQueue<Work>.ID
    }

    /// A closure, in a struct so that a generic queue need not wrap it anew each time that it passes.
    fileprivate struct Work: Sendable {
        let run: @Sendable () -> Void
    }

    private struct State: Sendable {
        var queue = PriorityQueue<Work>()
        var threads = 0
        /// Threads that look for work and will find it without being woken.
        var looking = 0
        var asleep = 0
        var isClosed = false

        var idle: Int { looking + asleep }
    }

    /// Shared with the threads, so that they do not keep the pool alive.
    private final class Core: @unchecked Sendable {
        // Unchecked: `state` is touched only with `mutex` held.
        var state = State()
        /// Work that waits, for who looks without the lock.
        private let waitingCount = Atomic<Int>(0)
        let mutex: UnsafeMutablePointer<pthread_mutex_t>
        let condition: UnsafeMutablePointer<pthread_cond_t>

        init() {
            mutex = .allocate(capacity: 1)
            mutex.initialize(to: pthread_mutex_t())
            condition = .allocate(capacity: 1)
            condition.initialize(to: pthread_cond_t())
            pthread_mutex_init(mutex, nil)
            pthread_cond_init(condition, nil)
        }

        deinit {
            pthread_cond_destroy(condition)
            pthread_mutex_destroy(mutex)
            condition.deallocate()
            mutex.deallocate()
        }

        func withLock<R>(_ body: (inout State) -> R) -> R {
            pthread_mutex_lock(mutex)
            defer {
                waitingCount.store(state.queue.count, ordering: .relaxed)
                pthread_mutex_unlock(mutex)
            }
            return body(&state)
        }

        func run() {
            while let work = next() { work.run() }
        }

        /// The next piece of work; `nil` when there will be none.
        ///
        /// Who hands in one piece of work often hands in the next at once, so a thread gives up its processor for some
        /// tens of microseconds before it goes to sleep: being woken costs both sides several times as much.
        private func next() -> Work? {
            pthread_mutex_lock(mutex)
            defer {
                waitingCount.store(state.queue.count, ordering: .relaxed)
                pthread_mutex_unlock(mutex)
            }
            if let work = state.queue.pop() { return work }
            state.looking += 1
            waitingCount.store(0, ordering: .relaxed)
            pthread_mutex_unlock(mutex)
            // Without the lock, which those need who hand work in.
            for _ in 0..<64 where waitingCount.load(ordering: .relaxed) == 0 { sched_yield() }
            pthread_mutex_lock(mutex)
            state.looking -= 1
            while true {
                if let work = state.queue.pop() { return work }
                if state.isClosed { return nil }
                state.asleep += 1
                pthread_cond_wait(condition, mutex)
                state.asleep -= 1
            }
        }
    }

    /// The number of threads at most.
    public let maximumThreadCount: Int

    private let name: String
    private let core = Core()

    /// - Parameters:
    ///   - name: what the threads are called in debuggers; cut to 15 bytes by the kernel.
    ///   - threads: how many at most; below 1 counts as 1.
    public init(name: String, threads: Int) {
        self.name = name
        maximumThreadCount = max(1, threads)
    }

    deinit {
        core.withLock { $0.isClosed = true }
        pthread_cond_broadcast(core.condition)
    }

    /// The number of processors that this process may use; at least 1.
    public static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Work that waits for a thread now.
    public var waitingCount: Int { core.withLock { $0.queue.count } }

    /// Queues work. It runs exactly once, on a thread of the pool, unless ``cancel(_:)`` takes it back before.
    @discardableResult
    public func submit(priority: Priority = .normal, _ work: @escaping @Sendable () -> Void) -> Ticket {
        let (id, startsThread, wakesThread) = core.withLock { state in
            let id = state.queue.push(Work(run: work), priority: priority)
            let starts = state.queue.count > state.idle && state.threads < maximumThreadCount
            if starts { state.threads += 1 }
            return (id, starts, state.queue.count > state.looking && state.asleep > 0)
        }
        if startsThread { startThread() } else if wakesThread { pthread_cond_signal(core.condition) }
        return Ticket(id: id)
    }

    /// Takes waiting work back. Returns whether it was still waiting and will now never run.
    @discardableResult
    public func cancel(_ ticket: Ticket) -> Bool {
        core.withLock { $0.queue.remove(ticket.id) } != nil
    }

    /// Changes the priority of waiting work; does nothing once it runs.
    public func setPriority(_ priority: Priority, of ticket: Ticket) {
        core.withLock { $0.queue.setPriority(priority, of: ticket.id) }
    }

    private func startThread() {
        let core = core
        if !OwnThread.start(name: name, { core.run() }) { threadDidNotStart() }
    }

    /// The system gave no thread: others will take the work, or, if there are none, the caller runs it.
    private func threadDidNotStart() {
        let orphan = core.withLock { state -> Work? in
            state.threads -= 1
            return state.threads == 0 ? state.queue.pop() : nil
        }
        orphan?.run()
    }
}
