/// A binary heap of waiting work: highest ``Priority`` first and, within one priority, in the chosen order.
///
/// Entries are named by an id, so that their priority can change and they can leave while they wait.
/// Every operation is O(log n).
package struct PriorityQueue<Element: Sendable>: Sendable {
    /// The order among entries of one priority.
    package enum Order: Sendable {
        /// The one that has waited longest first.
        case firstInFirstOut
        /// The newest first.
        case lastInFirstOut
    }

    /// Names an entry; never used twice by one queue.
    package struct ID: Hashable, Sendable {
        /// The entry's place in the order of arrival.
        package let sequence: UInt64
    }

    private struct Entry: Sendable {
        var priority: Priority
        let sequence: UInt64
        let element: Element
    }

    /// The order among entries of one priority.
    package let order: Order

    private var heap: [Entry] = []
    private var positions: [UInt64: Int] = [:]
    private var nextSequence: UInt64 = 0

    package init(order: Order = .firstInFirstOut) { self.order = order }

    package var count: Int { heap.count }
    package var isEmpty: Bool { heap.isEmpty }

    /// Adds an entry.
    package mutating func push(_ element: Element, priority: Priority) -> ID {
        push(element, priority: priority, sequence: nextSequence)
    }

    /// Adds an entry with a place in the order of arrival that the caller gives, so that several queues can share one
    /// order. No other entry of this queue may have it.
    @discardableResult
    package mutating func push(_ element: Element, priority: Priority, sequence: UInt64) -> ID {
        nextSequence = max(nextSequence, sequence + 1)
        heap.append(Entry(priority: priority, sequence: sequence, element: element))
        positions[sequence] = heap.count - 1
        siftUp(heap.count - 1)
        return ID(sequence: sequence)
    }

    /// The entry that comes first, left where it is.
    package var first: (element: Element, priority: Priority, id: ID)? {
        heap.first.map { ($0.element, $0.priority, ID(sequence: $0.sequence)) }
    }

    /// The priority of an entry; `nil` if it is no longer waiting.
    package func priority(of id: ID) -> Priority? { positions[id.sequence].map { heap[$0].priority } }

    /// Takes the entry that comes first.
    package mutating func pop() -> Element? {
        guard !heap.isEmpty else { return nil }
        return remove(at: 0)
    }

    /// Takes an entry out of turn; `nil` if it is no longer waiting.
    package mutating func remove(_ id: ID) -> Element? {
        guard let position = positions[id.sequence] else { return nil }
        return remove(at: position)
    }

    /// Changes the priority of an entry; its place among equals stays that of its arrival. Does nothing for an entry
    /// that is no longer waiting.
    package mutating func setPriority(_ priority: Priority, of id: ID) {
        guard let position = positions[id.sequence], heap[position].priority != priority else { return }
        heap[position].priority = priority
        siftDown(siftUp(position))
    }

    private mutating func remove(at position: Int) -> Element {
        heap.swapAt(position, heap.count - 1)
        let entry = heap.removeLast()
        positions[entry.sequence] = nil
        if position < heap.count {
            positions[heap[position].sequence] = position
            siftDown(siftUp(position))
        }
        return entry.element
    }

    private func comesBefore(_ lhs: Entry, _ rhs: Entry) -> Bool {
        if lhs.priority != rhs.priority { return lhs.priority > rhs.priority }
        return order == .firstInFirstOut ? lhs.sequence < rhs.sequence : lhs.sequence > rhs.sequence
    }

    @discardableResult
    private mutating func siftUp(_ start: Int) -> Int {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard comesBefore(heap[position], heap[parent]) else { break }
            exchange(position, parent)
            position = parent
        }
        return position
    }

    private mutating func siftDown(_ start: Int) {
        var position = start
        while true {
            var first = position
            for child in [2 * position + 1, 2 * position + 2]
            where child < heap.count && comesBefore(heap[child], heap[first]) {
                first = child
            }
            guard first != position else { return }
            exchange(position, first)
            position = first
        }
    }

    private mutating func exchange(_ lhs: Int, _ rhs: Int) {
        heap.swapAt(lhs, rhs)
        positions[heap[lhs].sequence] = lhs
        positions[heap[rhs].sequence] = rhs
    }
}
