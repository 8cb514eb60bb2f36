internal import KuvaCore

/// Names one load of a downloader.
struct LoadID: Hashable, Sendable {
    let number: UInt64
}

/// Decides which load may run: so many at once, so many of them from one host, the highest priority first.
///
/// No load starves: of ``fairness`` starts one goes to the load that has waited longest among those whose host has room,
/// whatever the priorities. So a load that has `n` older ones before it, in any order and under any stream of more
/// urgent ones, starts within `fairness · (n + 1)` starts in which its host had room.
///
/// A value that knows no time, no lock and no network. Each host has a heap of its waiting loads; one more heap holds,
/// for each host that may start one, the load that it would start. So every operation is O(log n), but that every
/// `fairness`th start looks at each host once.
struct DownloadQueue: Sendable {
    struct Limits: Sendable {
        var total: Int
        var perHost: Int
    }

    private struct Host: Sendable {
        var waiting: PriorityQueue<LoadID>
        var runningCount = 0
        /// Loads in the order in which they came, those that no longer wait among them.
        var arrivals: [LoadID] = []
        var arrivalStart = 0
        /// This host's entry in `candidates`.
        var candidate: (id: PriorityQueue<String>.ID, priority: Priority)?
    }

    private struct Load: Sendable {
        let host: String
        let sequence: UInt64
        /// `nil` once it runs.
        var place: PriorityQueue<LoadID>.ID?
    }

    /// Of so many starts one goes to the load that has waited longest.
    static let fairness = 32

    var limits: Limits {
        didSet { if limits.perHost != oldValue.perHost { updateAll() } }
    }
    private(set) var runningCount = 0

    private let order: PriorityQueue<LoadID>.Order
    private var hosts: [String: Host] = [:]
    private var candidates: PriorityQueue<String>
    private var loads: [LoadID: Load] = [:]
    private var nextSequence: UInt64 = 0
    private var startCount = 0

    init(limits: Limits, order: PriorityQueue<LoadID>.Order = .firstInFirstOut) {
        self.limits = limits
        self.order = order
        candidates = PriorityQueue(order: order == .firstInFirstOut ? .firstInFirstOut : .lastInFirstOut)
    }

    var isEmpty: Bool { loads.isEmpty }
    var waitingCount: Int { loads.count - runningCount }

    /// A load waits from now on. An id must not be used twice.
    mutating func add(_ id: LoadID, host: String, priority: Priority) {
        var entry = hosts.removeValue(forKey: host) ?? Host(waiting: PriorityQueue(order: order))
        let place = entry.waiting.push(id, priority: priority, sequence: nextSequence)
        loads[id] = Load(host: host, sequence: nextSequence, place: place)
        entry.arrivals.append(id)
        nextSequence += 1
        update(host, &entry)
    }

    /// Changes how soon a load is wanted; does nothing once it runs.
    mutating func setPriority(_ priority: Priority, of id: LoadID) {
        guard let load = loads[id], let place = load.place, var entry = hosts.removeValue(forKey: load.host) else {
            return
        }
        entry.waiting.setPriority(priority, of: place)
        update(load.host, &entry)
    }

    /// The load that starts now, if one may; it counts as running from here on.
    mutating func startNext() -> LoadID? {
        guard runningCount < limits.total, let name = candidates.first?.element else { return nil }
        startCount += 1
        if startCount.isMultiple(of: Self.fairness), let oldest = oldest(), let place = loads[oldest]?.place {
            let host = loads[oldest]?.host ?? name
            return start(at: host) { $0.remove(place) }
        }
        return start(at: name) { $0.pop() }
    }

    private mutating func start(at name: String, _ take: (inout PriorityQueue<LoadID>) -> LoadID?) -> LoadID? {
        guard var entry = hosts.removeValue(forKey: name) else { return nil }
        defer { update(name, &entry) }
        guard let id = take(&entry.waiting) else { return nil }
        loads[id]?.place = nil
        entry.runningCount += 1
        runningCount += 1
        return id
    }

    /// The load that has waited longest among those whose host has room.
    private func oldest() -> LoadID? {
        var oldest: (id: LoadID, sequence: UInt64)?
        for host in hosts.values where host.runningCount < limits.perHost {
            let first = host.arrivals[host.arrivalStart...].first { loads[$0]?.place != nil }
            guard let first, let sequence = loads[first]?.sequence else { continue }
            if sequence < oldest?.sequence ?? .max { oldest = (first, sequence) }
        }
        return oldest?.id
    }

    /// The same loads in another order among those of one priority.
    func reordered(_ order: PriorityQueue<LoadID>.Order) -> DownloadQueue {
        var queue = DownloadQueue(limits: limits, order: order)
        queue.nextSequence = nextSequence
        queue.startCount = startCount
        queue.runningCount = runningCount
        queue.loads = loads
        for (name, host) in hosts {
            var entry = Host(waiting: PriorityQueue(order: order))
            entry.runningCount = host.runningCount
            for id in host.arrivals[host.arrivalStart...] {
                guard let load = loads[id], let place = load.place, let priority = host.waiting.priority(of: place)
                else { continue }
                queue.loads[id]?.place = entry.waiting.push(id, priority: priority, sequence: load.sequence)
                entry.arrivals.append(id)
            }
            queue.update(name, &entry)
        }
        return queue
    }

    private mutating func updateAll() {
        for name in Array(hosts.keys) {
            guard var entry = hosts.removeValue(forKey: name) else { continue }
            update(name, &entry)
        }
    }

    /// Forgets a load that was cancelled while it waited, or that ran and has ended.
    mutating func remove(_ id: LoadID) {
        guard let load = loads.removeValue(forKey: id), var entry = hosts.removeValue(forKey: load.host) else { return }
        if let place = load.place {
            _ = entry.waiting.remove(place)
        } else {
            entry.runningCount -= 1
            runningCount -= 1
        }
        update(load.host, &entry)
    }

    /// Puts a host back after a change, with the right entry among the candidates.
    private mutating func update(_ name: String, _ host: inout Host) {
        let next = host.runningCount < limits.perHost ? host.waiting.first : nil
        if let candidate = host.candidate, candidate.id.sequence == next?.id.sequence {
            if let next, next.priority != candidate.priority {
                candidates.setPriority(next.priority, of: candidate.id)
                host.candidate?.priority = next.priority
            }
        } else {
            if let candidate = host.candidate { _ = candidates.remove(candidate.id) }
            host.candidate = next.map { next in
                (candidates.push(name, priority: next.priority, sequence: next.id.sequence), next.priority)
            }
        }
        // Arrivals that no longer wait are passed over, and thrown away once they are the greater part.
        while host.arrivalStart < host.arrivals.count, loads[host.arrivals[host.arrivalStart]]?.place == nil {
            host.arrivalStart += 1
        }
        if host.arrivalStart > 64, host.arrivalStart * 2 > host.arrivals.count {
            host.arrivals.removeFirst(host.arrivalStart)
            host.arrivalStart = 0
        }
        if host.runningCount > 0 || !host.waiting.isEmpty { hosts[name] = host }
    }
}
