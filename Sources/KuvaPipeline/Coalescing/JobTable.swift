internal import KuvaCore

/// Names a job; never used twice by one table.
struct JobID: Hashable, Sendable {
    fileprivate let number: UInt64
}

/// Names a subscriber of a job.
struct JobTicket: Hashable, Sendable {
    let job: JobID
    fileprivate let number: UInt64
}

/// Which work is under way, and who waits for it: one job a key, any number of subscribers a job.
///
/// A value that decides and never acts: each method says what the caller must do once the lock is released.
/// The priority of a job is the highest of its subscribers' and falls when that one leaves. A job without subscribers
/// leaves the table at once, so that the next one who asks for its key starts afresh.
struct JobTable<Key: Hashable & Sendable, Payload: Sendable, Subscriber: Sendable>: Sendable {
    /// What joining came to.
    enum Joined {
        /// There was no such job: the caller starts it.
        case started(JobTicket)
        /// There was one. `newPriority` is set if this subscriber raised it.
        case joined(JobTicket, newPriority: Priority?)
    }

    /// What leaving came to.
    enum Left {
        /// The subscriber had left already, or its job had ended.
        case unknown
        /// Others still wait. `newPriority` is set if the job's priority fell.
        case stillWanted(newPriority: Priority?)
        /// Nobody waits any more: the job is out of the table and the caller ends its work.
        case abandoned(Payload)
    }

    private struct Waiting: Sendable {
        let number: UInt64
        let subscriber: Subscriber
        var priority: Priority
    }

    private struct Job: Sendable {
        let key: Key
        var payload: Payload
        var waiting: [Waiting]
        var priority: Priority

        mutating func updatePriority() -> Priority? {
            let highest = waiting.map(\.priority).max() ?? priority
            guard highest != priority else { return nil }
            priority = highest
            return highest
        }
    }

    private var jobs: [JobID: Job] = [:]
    private var current: [Key: JobID] = [:]
    private var lastNumber: UInt64 = 0

    /// Jobs under way.
    var count: Int { jobs.count }

    /// Adds a subscriber to the job of a key, making the job if there is none.
    mutating func join(
        _ key: Key,
        subscriber: Subscriber,
        priority: Priority,
        payload: @autoclosure () -> Payload
    ) -> Joined {
        lastNumber += 1
        let waiting = Waiting(number: lastNumber, subscriber: subscriber, priority: priority)
        if let id = current[key], jobs[id] != nil {
            jobs[id]?.waiting.append(waiting)
            let raised = jobs[id]?.updatePriority()
            return .joined(JobTicket(job: id, number: waiting.number), newPriority: raised)
        }
        let id = JobID(number: lastNumber)
        jobs[id] = Job(key: key, payload: payload(), waiting: [waiting], priority: priority)
        current[key] = id
        return .started(JobTicket(job: id, number: waiting.number))
    }

    /// Takes a subscriber away. O(subscribers of the job).
    mutating func leave(_ ticket: JobTicket) -> Left {
        guard var job = jobs[ticket.job], let index = job.waiting.firstIndex(where: { $0.number == ticket.number })
        else { return .unknown }
        job.waiting.remove(at: index)
        guard !job.waiting.isEmpty else {
            remove(ticket.job)
            return .abandoned(job.payload)
        }
        let changed = job.updatePriority()
        jobs[ticket.job] = job
        return .stillWanted(newPriority: changed)
    }

    /// Changes what one subscriber wants. Returns the job's new priority if it changed.
    mutating func setPriority(_ priority: Priority, of ticket: JobTicket) -> Priority? {
        guard var job = jobs[ticket.job], let index = job.waiting.firstIndex(where: { $0.number == ticket.number })
        else { return nil }
        job.waiting[index].priority = priority
        let changed = job.updatePriority()
        jobs[ticket.job] = job
        return changed
    }

    /// Ends a job. Returns its subscribers in the order in which they joined; empty if it had ended already.
    mutating func finish(_ id: JobID) -> [Subscriber] {
        remove(id)?.waiting.map(\.subscriber) ?? []
    }

    /// The subscribers of a job in the order in which they joined; empty if it has ended.
    func subscribers(of id: JobID) -> [Subscriber] { jobs[id]?.waiting.map(\.subscriber) ?? [] }

    /// The subscribers of all jobs. O(n).
    var allSubscribers: [Subscriber] { jobs.values.flatMap { $0.waiting.map(\.subscriber) } }

    /// The priority of a job; `nil` if it has ended.
    func priority(of id: JobID) -> Priority? { jobs[id]?.priority }

    /// What the caller keeps with a job; `nil` once it has ended. Setting it for an ended job does nothing.
    subscript(id: JobID) -> Payload? {
        get { jobs[id]?.payload }
        set {
            guard let newValue else { return }
            jobs[id]?.payload = newValue
        }
    }

    @discardableResult
    private mutating func remove(_ id: JobID) -> Job? {
        guard let job = jobs.removeValue(forKey: id) else { return nil }
        if current[job.key] == id { current[job.key] = nil }
        return job
    }
}
