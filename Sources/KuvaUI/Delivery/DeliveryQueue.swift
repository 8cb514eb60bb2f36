/// Events of loads on their way to the main actor. Decides and never acts.
///
/// Events of one load keep their order. Of progress that has not been delivered yet only the newest stays, and of
/// previews likewise, so that a storm of small pieces costs the main actor one call for each load.
package struct DeliveryQueue<Load: Hashable & Sendable, Event: Sendable>: Sendable {
    /// What an event may be replaced by.
    package enum Kind: Hashable, Sendable {
        case progress, preview, end
    }

    private struct Entry {
        let load: Load
        let kind: Kind
        /// `nil` once it is delivered, since what is on its way must not keep a view's load alive longer.
        var event: Event?
    }

    private struct Key: Hashable {
        let load: Load
        let kind: Kind
    }

    private var entries: [Entry] = []
    private var next = 0
    private var replaceable: [Key: Int] = [:]
    private var isScheduled = false

    /// Makes an empty queue.
    package init() {}

    /// Adds an event. Returns whether the caller must schedule a delivery.
    package mutating func add(_ event: Event, _ kind: Kind, of load: Load) -> Bool {
        let key = Key(load: load, kind: kind)
        if kind != .end, let index = replaceable[key] {
            entries[index].event = event
        } else {
            if kind != .end { replaceable[key] = entries.count }
            entries.append(Entry(load: load, kind: kind, event: event))
        }
        defer { isScheduled = true }
        return !isScheduled
    }

    /// The next event to deliver; `nil` if none is left, and then the next one added must be scheduled again.
    package mutating func takeNext() -> (load: Load, event: Event)? {
        guard next < entries.count else {
            entries.removeAll(keepingCapacity: entries.count <= 256)
            next = 0
            isScheduled = false
            return nil
        }
        let entry = entries[next]
        entries[next].event = nil
        next += 1
        replaceable[Key(load: entry.load, kind: entry.kind)] = nil
        if next == 512 { dropDelivered() }
        guard let event = entry.event else { return takeNext() }
        return (entry.load, event)
    }

    /// Bounds the memory of a queue that never runs empty.
    private mutating func dropDelivered() {
        entries.removeFirst(next)
        for key in replaceable.keys { replaceable[key]? -= next }
        next = 0
    }
}
