/// Elements in one growing array, named by their place, with a list of free places: no allocation an element.
struct SlotArena<Element: Sendable>: Sendable {
    /// A place that is used, in a queue or alone, or free.
    struct Node: Sendable {
        var element: Element?
        var previous: Int32 = -1
        var next: Int32 = -1
    }

    private(set) var count = 0
    fileprivate var nodes: ContiguousArray<Node> = []
    private var firstFree: Int32 = -1

    /// The places that are used. O(places).
    var slots: [Int32] { nodes.indices.filter { nodes[$0].element != nil }.map { Int32($0) } }

    /// Puts an element into a free place.
    mutating func insert(_ element: Element) -> Int32 {
        count += 1
        guard firstFree >= 0 else {
            nodes.append(Node(element: element))
            return Int32(nodes.count - 1)
        }
        let slot = firstFree
        firstFree = nodes[Int(slot)].next
        nodes[Int(slot)] = Node(element: element)
        return slot
    }

    /// Takes an element out; its place must be used and in no queue.
    mutating func remove(_ slot: Int32) -> Element {
        let element = self[slot]
        nodes[Int(slot)] = Node(element: nil, next: firstFree)
        firstFree = slot
        count -= 1
        return element
    }

    /// The element in a place that is used.
    subscript(slot: Int32) -> Element {
        _read { yield nodes[Int(slot)].element! }
        _modify { yield &nodes[Int(slot)].element! }
    }
}

/// An order among places of an arena: a doubly linked list through its nodes. Every operation is O(1).
struct SlotQueue: Sendable {
    private(set) var first: Int32 = -1
    private var last: Int32 = -1

    /// Puts a place that is in no queue at the end.
    mutating func append<Element>(_ slot: Int32, in arena: inout SlotArena<Element>) {
        arena.nodes[Int(slot)].previous = last
        arena.nodes[Int(slot)].next = -1
        if last >= 0 { arena.nodes[Int(last)].next = slot } else { first = slot }
        last = slot
    }

    /// Takes out a place that is in this queue.
    mutating func remove<Element>(_ slot: Int32, from arena: inout SlotArena<Element>) {
        let (previous, next) = (arena.nodes[Int(slot)].previous, arena.nodes[Int(slot)].next)
        if previous >= 0 { arena.nodes[Int(previous)].next = next } else { first = next }
        if next >= 0 { arena.nodes[Int(next)].previous = previous } else { last = previous }
    }
}
