internal import KuvaCore

/// Names a job; never used twice by one table.
struct JobID: Hashable, Sendable {
    fileprivate let slot: Int
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
///
/// Jobs lie in one growing array whose places are used again; a job's number tells it from the one before in its place.
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

    private var jobs: ContiguousArray<Job> = []
    /// The number of the job in each place; 0 for a free one.
    private var numbers: ContiguousArray<UInt64> = []
    private var freeSlots: [Int] = []
    private var current: [Key: JobID] = [:]
    private var lastNumber: UInt64 = 0

    /// Jobs under way.
    private(set) var count = 0

    /// Adds a subscriber to the job of a key, making the job if there is none.
    mutating func join(
        _ key: Key,
        subscriber: Subscriber,
        priority: Priority,
        payload: @autoclosure () -> Payload
    ) -> Joined {
        lastNumber += 1
        let waiting = Waiting(number: lastNumber, subscriber: subscriber, priority: priority)
        if let id = current[key] {
            jobs[id.slot].waiting.append(waiting)
            let raised = jobs[id.slot].updatePriority()
            return .joined(JobTicket(job: id, number: lastNumber), newPriority: raised)
        }
        let job = Job(key: key, payload: payload(), waiting: Few(waiting), priority: priority)
        let id: JobID
        if let slot = freeSlots.popLast() {
            id = JobID(slot: slot, number: lastNumber)
            jobs[slot] = job
            numbers[slot] = lastNumber
        } else {
            id = JobID(slot: jobs.count, number: lastNumber)
            jobs.append(job)
            numbers.append(lastNumber)
        }
        current[key] = id
        count += 1
        return .started(JobTicket(job: id, number: lastNumber))
    }

    /// Takes a subscriber away. O(subscribers of the job).
    mutating func leave(_ ticket: JobTicket) -> Left {
        guard isThere(ticket.job),
            jobs[ticket.job.slot].waiting.removeFirst(where: { $0.number == ticket.number }) != nil
        else { return .unknown }
        guard !jobs[ticket.job.slot].waiting.isEmpty else {
            guard let payload = remove(ticket.job).payload else { return .unknown }
            return .abandoned(payload)
        }
        return .stillWanted(newPriority: jobs[ticket.job.slot].updatePriority())
    }

    /// Changes what one subscriber wants. Returns the job's new priority if it changed.
    mutating func setPriority(_ priority: Priority, of ticket: JobTicket) -> Priority? {
        guard isThere(ticket.job),
            jobs[ticket.job.slot].waiting.updateFirst(where: { $0.number == ticket.number }, { $0.priority = priority })
        else { return nil }
        return jobs[ticket.job.slot].updatePriority()
    }

    /// Ends a job. Returns its subscribers in the order in which they joined, none if it had ended already, and what
    /// was kept with it, for the caller to let go of after the lock.
    mutating func finish(_ id: JobID) -> (subscribers: Few<Subscriber>, payload: Payload?) {
        isThere(id) ? remove(id) : (Few(), nil)
    }

    /// The subscribers of a job in the order in which they joined; empty if it has ended.
    func subscribers(of id: JobID) -> Few<Subscriber> { isThere(id) ? jobs[id.slot].subscribers : Few() }

    /// Whether a subscriber of a job is of some kind; `false` if the job has ended.
    func hasSubscriber(of id: JobID, where predicate: (Subscriber) -> Bool) -> Bool {
        isThere(id) && jobs[id.slot].waiting.contains { predicate($0.subscriber) }
    }

    /// The subscribers of all jobs. O(n).
    var allSubscribers: [Subscriber] { jobs.flatMap(\.subscribers) }

    /// How many subscribers of all jobs are of some kind. O(n).
    func subscriberCount(where predicate: (Subscriber) -> Bool) -> Int {
        jobs.reduce(0) { count, job in count + job.waiting.count { predicate($0.subscriber) } }
    }

    /// The priority of a job; `nil` if it has ended.
    func priority(of id: JobID) -> Priority? { isThere(id) ? jobs[id.slot].priority : nil }

    /// The key of a job; `nil` if it has ended.
    func key(of id: JobID) -> Key? { isThere(id) ? jobs[id.slot].key : nil }

    /// What the caller keeps with a job; `nil` once it has ended.
    subscript(id: JobID) -> Payload? { isThere(id) ? jobs[id.slot].payload : nil }

    /// Looks at what is kept with a job, where it lies; `nil` if it has ended.
    func read<R>(_ id: JobID, _ body: (Payload) -> R) -> R? {
        isThere(id) ? jobs[id.slot].payload.map(body) : nil
    }

    /// Changes what is kept with a job, where it lies; does nothing if it has ended.
    @discardableResult
    mutating func update<R>(_ id: JobID, _ body: (inout Payload) -> R) -> R? {
        isThere(id) ? body(&jobs[id.slot].payload!) : nil
    }

    private func isThere(_ id: JobID) -> Bool { numbers[id.slot] == id.number }

    /// Takes out a job that is there.
    private mutating func remove(_ id: JobID) -> (subscribers: Few<Subscriber>, payload: Payload?) {
        let subscribers = jobs[id.slot].subscribers
        if let key = jobs[id.slot].key { current[key] = nil }
        let payload = jobs[id.slot].payload.take()
        jobs[id.slot].clear()
        numbers[id.slot] = 0
        freeSlots.append(id.slot)
        count -= 1
        return (subscribers, payload)
    }
}

extension JobTable {
    private struct Waiting: Sendable {
        let number: UInt64
        let subscriber: Subscriber
        var priority: Priority
    }

    /// A job under way, or a free place.
    private struct Job: Sendable {
        /// This and the payload are `nil` in a free place only.
        var key: Key?
        var payload: Payload?
        /// Most jobs have one.
        var waiting: Few<Waiting>
        var priority: Priority

        mutating func clear() {
            key = nil
            waiting = Few()
        }

        var subscribers: Few<Subscriber> { waiting.map { $0.subscriber } }

        mutating func updatePriority() -> Priority? {
            guard let highest = waiting.lazy.map({ $0.priority }).max(), highest != priority else { return nil }
            priority = highest
            return highest
        }
    }
}
