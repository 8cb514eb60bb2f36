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
        var candidate: (id: PriorityQueue<Int>.ID, priority: Priority)?
        let name: String

        var isIdle: Bool { runningCount == 0 && waiting.isEmpty }
    }

    private struct Load: Sendable {
        let host: Int
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
    /// Hosts by number; those of no load are used again.
    private var hosts: [Host] = []
    private var numbers: [String: Int] = [:]
    private var freeNumbers: [Int] = []
    private var candidates: PriorityQueue<Int>
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
    mutating func add(_ id: LoadID, host name: String, priority: Priority) {
        let host = number(of: name)
        let place = hosts[host].waiting.push(id, priority: priority, sequence: nextSequence)
        loads[id] = Load(host: host, sequence: nextSequence, place: place)
        hosts[host].arrivals.append(id)
        nextSequence += 1
        update(host)
    }

    private mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        let host = Host(waiting: PriorityQueue(order: order), name: name)
        let number = freeNumbers.popLast() ?? hosts.count
        if number == hosts.count { hosts.append(host) } else { hosts[number] = host }
        numbers[name] = number
        return number
    }

    /// Changes how soon a load is wanted; does nothing once it runs.
    mutating func setPriority(_ priority: Priority, of id: LoadID) {
        guard let load = loads[id], let place = load.place else { return }
        hosts[load.host].waiting.setPriority(priority, of: place)
        update(load.host)
    }

    /// The load that starts now, if one may; it counts as running from here on.
    mutating func startNext() -> LoadID? {
        guard runningCount < limits.total, let host = candidates.first?.element else { return nil }
        startCount += 1
        if startCount.isMultiple(of: Self.fairness), let oldest = oldest(), let load = loads[oldest],
            let place = load.place
        {
            _ = hosts[load.host].waiting.remove(place)
            return started(oldest, at: load.host)
        }
        return hosts[host].waiting.pop().map { started($0, at: host) }
    }

    private mutating func started(_ id: LoadID, at host: Int) -> LoadID {
        loads[id]?.place = nil
        hosts[host].runningCount += 1
        runningCount += 1
        update(host)
        return id
    }

    /// The load that has waited longest among those whose host has room.
    private func oldest() -> LoadID? {
        var oldest: (id: LoadID, sequence: UInt64)?
        for host in hosts where host.runningCount < limits.perHost && !host.waiting.isEmpty {
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
        for host in hosts where !host.isIdle {
            let number = queue.number(of: host.name)
            queue.hosts[number].runningCount = host.runningCount
            for id in host.arrivals[host.arrivalStart...] {
                guard let load = loads[id], let place = load.place, let priority = host.waiting.priority(of: place)
                else { continue }
                let newPlace = queue.hosts[number].waiting.push(id, priority: priority, sequence: load.sequence)
                queue.hosts[number].arrivals.append(id)
                queue.loads[id] = Load(host: number, sequence: load.sequence, place: newPlace)
            }
            queue.update(number)
        }
        // Loads that run keep their hosts.
        for (id, load) in loads where load.place == nil {
            queue.loads[id] = Load(host: queue.number(of: hosts[load.host].name), sequence: load.sequence, place: nil)
        }
        return queue
    }

    private mutating func updateAll() {
        for number in hosts.indices where !hosts[number].isIdle { update(number) }
    }

    /// Forgets a load that was cancelled while it waited, or that ran and has ended.
    mutating func remove(_ id: LoadID) {
        guard let load = loads.removeValue(forKey: id) else { return }
        if let place = load.place {
            _ = hosts[load.host].waiting.remove(place)
        } else {
            hosts[load.host].runningCount -= 1
            runningCount -= 1
        }
        update(load.host)
    }

    /// Sees to the right entry of a host among the candidates, after a change.
    private mutating func update(_ number: Int) {
        let next = hosts[number].runningCount < limits.perHost ? hosts[number].waiting.first : nil
        if let candidate = hosts[number].candidate, candidate.id.sequence == next?.id.sequence {
            if let next, next.priority != candidate.priority {
                candidates.setPriority(next.priority, of: candidate.id)
                hosts[number].candidate?.priority = next.priority
            }
        } else {
            if let candidate = hosts[number].candidate { _ = candidates.remove(candidate.id) }
            hosts[number].candidate = next.map { next in
                (candidates.push(number, priority: next.priority, sequence: next.id.sequence), next.priority)
            }
        }
        tidy(number)
    }

    /// Arrivals that no longer wait are passed over, and thrown away once they are the greater part; a host without
    /// loads gives its number back.
    private mutating func tidy(_ number: Int) {
        var start = hosts[number].arrivalStart
        let count = hosts[number].arrivals.count
        while start < count, loads[hosts[number].arrivals[start]]?.place == nil { start += 1 }
        if start > 64, start * 2 > count {
            hosts[number].arrivals.removeFirst(start)
            start = 0
        }
        hosts[number].arrivalStart = start
        guard hosts[number].isIdle, numbers.removeValue(forKey: hosts[number].name) != nil else { return }
        hosts[number].arrivals = []
        hosts[number].arrivalStart = 0
        freeNumbers.append(number)
    }
}
