/// A binary heap of waiting work: highest ``Priority`` first and, within one priority, in the chosen order.
///
/// Entries are named by an id, so that their priority can change and they can leave while they wait.
/// Every operation is O(log n). Public, and open to inlining, because a queue that is not specialised for its element is
/// several times slower.
public struct PriorityQueue<Element: Sendable>: Sendable {
    /// The order among entries of one priority.
    public enum Order: Sendable {
        /// The one that has waited longest first.
        case firstInFirstOut
        /// The newest first.
        case lastInFirstOut
    }

    /// Names an entry; never used twice by one queue.
    public struct ID: Hashable, Sendable {
        /// The entry's place in the order of arrival.
        public let sequence: UInt64

        @usableFromInline
        init(sequence: UInt64) { self.sequence = sequence }
    }

    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var priority: Priority
        @usableFromInline let sequence: UInt64
        @usableFromInline let element: Element

        @usableFromInline
        init(priority: Priority, sequence: UInt64, element: Element) {
            self.priority = priority
            self.sequence = sequence
            self.element = element
        }
    }

    /// The order among entries of one priority.
    public let order: Order

    @usableFromInline var heap: [Entry] = []
    @usableFromInline var positions: [UInt64: Int] = [:]
    @usableFromInline var nextSequence: UInt64 = 0

    /// Makes an empty queue.
    @inlinable
    public init(order: Order = .firstInFirstOut) { self.order = order }

    /// Entries that wait.
    @inlinable
    public var count: Int { heap.count }
    /// Whether none waits.
    @inlinable
    public var isEmpty: Bool { heap.isEmpty }

    /// Adds an entry.
    @inlinable
    public mutating func push(_ element: Element, priority: Priority) -> ID {
        push(element, priority: priority, sequence: nextSequence)
    }

    /// Adds an entry with a place in the order of arrival that the caller gives, so that several queues can share one
    /// order. No other entry of this queue may have it.
    @discardableResult
    @inlinable
    public mutating func push(_ element: Element, priority: Priority, sequence: UInt64) -> ID {
        nextSequence = max(nextSequence, sequence + 1)
        heap.append(Entry(priority: priority, sequence: sequence, element: element))
        positions[sequence] = heap.count - 1
        siftUp(heap.count - 1)
        return ID(sequence: sequence)
    }

    /// The entry that comes first, left where it is.
    @inlinable
    public var first: (element: Element, priority: Priority, id: ID)? {
        heap.first.map { ($0.element, $0.priority, ID(sequence: $0.sequence)) }
    }

    /// The priority of an entry; `nil` if it is no longer waiting.
    @inlinable
    public func priority(of id: ID) -> Priority? { positions[id.sequence].map { heap[$0].priority } }

    /// Takes the entry that comes first.
    @inlinable
    public mutating func pop() -> Element? {
        guard !heap.isEmpty else { return nil }
        return remove(at: 0)
    }

    /// Takes an entry out of turn; `nil` if it is no longer waiting.
    @inlinable
    public mutating func remove(_ id: ID) -> Element? {
        guard let position = positions[id.sequence] else { return nil }
        return remove(at: position)
    }

    /// Changes the priority of an entry; its place among equals stays that of its arrival. Does nothing for an entry
    /// that is no longer waiting.
    @inlinable
    public mutating func setPriority(_ priority: Priority, of id: ID) {
        guard let position = positions[id.sequence], heap[position].priority != priority else { return }
        heap[position].priority = priority
        siftDown(siftUp(position))
    }

    @inlinable
    mutating func remove(at position: Int) -> Element {
        heap.swapAt(position, heap.count - 1)
        let entry = heap.removeLast()
        positions[entry.sequence] = nil
        if position < heap.count {
            positions[heap[position].sequence] = position
            siftDown(siftUp(position))
        }
        return entry.element
    }

    @inlinable
    func comesBefore(_ lhs: Entry, _ rhs: Entry) -> Bool {
        if lhs.priority != rhs.priority { return lhs.priority > rhs.priority }
        return order == .firstInFirstOut ? lhs.sequence < rhs.sequence : lhs.sequence > rhs.sequence
    }

    @discardableResult
    @inlinable
    mutating func siftUp(_ start: Int) -> Int {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard comesBefore(heap[position], heap[parent]) else { break }
            exchange(position, parent)
            position = parent
        }
        return position
    }

    @inlinable
    mutating func siftDown(_ start: Int) {
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

    @inlinable
    mutating func exchange(_ lhs: Int, _ rhs: Int) {
        heap.swapAt(lhs, rhs)
        positions[heap[lhs].sequence] = lhs
        positions[heap[rhs].sequence] = rhs
    }
}
