internal import KuvaCore

/// Names one load of a downloader.
struct LoadID: Hashable, Sendable {
    let number: UInt64
}

/// Decides which load may run: so many at once, so many of them from one host, the highest priority first.
///
/// A value that knows no time, no lock and no network. Each host has a heap of its waiting loads; one more heap holds,
/// for each host that may start one, the load that it would start. So every operation is O(log n).
struct DownloadQueue: Sendable {
    struct Limits: Sendable {
        var total: Int
        var perHost: Int
    }

    private struct Host: Sendable {
        var waiting: PriorityQueue<LoadID>
        var runningCount = 0
        /// This host's entry in `candidates`.
        var candidate: (id: PriorityQueue<String>.ID, priority: Priority)?
    }

    private struct Load: Sendable {
        let host: String
        /// `nil` once it runs.
        var place: PriorityQueue<LoadID>.ID?
    }

    var limits: Limits
    private(set) var runningCount = 0

    private let order: PriorityQueue<LoadID>.Order
    private var hosts: [String: Host] = [:]
    private var candidates: PriorityQueue<String>
    private var loads: [LoadID: Load] = [:]
    private var nextSequence: UInt64 = 0

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
        nextSequence += 1
        loads[id] = Load(host: host, place: place)
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
        guard runningCount < limits.total, let name = candidates.first?.element,
            var entry = hosts.removeValue(forKey: name)
        else { return nil }
        defer { update(name, &entry) }
        guard let id = entry.waiting.pop() else { return nil }
        loads[id]?.place = nil
        entry.runningCount += 1
        runningCount += 1
        return id
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
        if host.runningCount > 0 || !host.waiting.isEmpty { hosts[name] = host }
    }
}
