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

        @usableFromInline let slot: Int

        @usableFromInline
        init(sequence: UInt64, slot: Int) {
            self.sequence = sequence
            self.slot = slot
        }
    }

    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var priority: Priority
        @usableFromInline let sequence: UInt64
        @usableFromInline let slot: Int
        @usableFromInline let element: Element

        @usableFromInline
        init(priority: Priority, sequence: UInt64, slot: Int, element: Element) {
            self.priority = priority
            self.sequence = sequence
            self.slot = slot
            self.element = element
        }
    }

    /// The order among entries of one priority.
    public let order: Order

    @usableFromInline var heap: [Entry] = []
    /// Where in the heap each entry is, by its slot; slots are used again.
    @usableFromInline var positions: [Int] = []
    @usableFromInline var freeSlots: [Int] = []
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
        let slot = freeSlots.popLast() ?? positions.count
        if slot == positions.count { positions.append(heap.count) } else { positions[slot] = heap.count }
        heap.append(Entry(priority: priority, sequence: sequence, slot: slot, element: element))
        siftUp(heap.count - 1)
        return ID(sequence: sequence, slot: slot)
    }

    /// The entry that comes first, left where it is.
    @inlinable
    public var first: (element: Element, priority: Priority, id: ID)? {
        heap.first.map { ($0.element, $0.priority, ID(sequence: $0.sequence, slot: $0.slot)) }
    }

    /// The priority of an entry; `nil` if it is no longer waiting.
    @inlinable
    public func priority(of id: ID) -> Priority? { position(of: id).map { heap[$0].priority } }

    /// Where in the heap an entry is; `nil` if it is no longer waiting.
    @inlinable
    func position(of id: ID) -> Int? {
        guard id.slot < positions.count else { return nil }
        let position = positions[id.slot]
        // The slot may be another entry's by now.
        return position < heap.count && heap[position].sequence == id.sequence ? position : nil
    }

    /// Takes the entry that comes first.
    @inlinable
    public mutating func pop() -> Element? {
        guard !heap.isEmpty else { return nil }
        return remove(at: 0)
    }

    /// Takes an entry out of turn; `nil` if it is no longer waiting.
    @inlinable
    public mutating func remove(_ id: ID) -> Element? {
        guard let position = position(of: id) else { return nil }
        return remove(at: position)
    }

    /// Changes the priority of an entry; its place among equals stays that of its arrival. Does nothing for an entry
    /// that is no longer waiting.
    @inlinable
    public mutating func setPriority(_ priority: Priority, of id: ID) {
        guard let position = position(of: id), heap[position].priority != priority else { return }
        heap[position].priority = priority
        siftDown(siftUp(position))
    }

    @inlinable
    mutating func remove(at position: Int) -> Element {
        heap.swapAt(position, heap.count - 1)
        let entry = heap.removeLast()
        freeSlots.append(entry.slot)
        if position < heap.count {
            positions[heap[position].slot] = position
            siftDown(siftUp(position))
        }
        return entry.element
    }

    @inlinable
    static func comesBefore(_ lhs: Entry, _ rhs: Entry, _ order: Order) -> Bool {
        if lhs.priority != rhs.priority { return lhs.priority > rhs.priority }
        return order == .firstInFirstOut ? lhs.sequence < rhs.sequence : lhs.sequence > rhs.sequence
    }

    @discardableResult
    @inlinable
    mutating func siftUp(_ start: Int) -> Int {
        let order = order
        return heap.withUnsafeMutableBufferPointer { heap in
            positions.withUnsafeMutableBufferPointer { positions in
                var position = start
                while position > 0 {
                    let parent = (position - 1) / 2
                    guard Self.comesBefore(heap[position], heap[parent], order) else { break }
                    Self.exchange(position, parent, heap, positions)
                    position = parent
                }
                return position
            }
        }
    }

    @inlinable
    mutating func siftDown(_ start: Int) {
        let order = order
        heap.withUnsafeMutableBufferPointer { heap in
            positions.withUnsafeMutableBufferPointer { positions in
                var position = start
                while true {
                    var first = position
                    let left = 2 * position + 1
                    if left < heap.count, Self.comesBefore(heap[left], heap[first], order) { first = left }
                    if left + 1 < heap.count, Self.comesBefore(heap[left + 1], heap[first], order) { first = left + 1 }
                    guard first != position else { return }
                    Self.exchange(position, first, heap, positions)
                    position = first
                }
            }
        }
    }

    @inlinable
    static func exchange(
        _ lhs: Int,
        _ rhs: Int,
        _ heap: UnsafeMutableBufferPointer<Entry>,
        _ positions: UnsafeMutableBufferPointer<Int>
    ) {
        heap.swapAt(lhs, rhs)
        positions[heap[lhs].slot] = lhs
        positions[heap[rhs].slot] = rhs
    }
}
