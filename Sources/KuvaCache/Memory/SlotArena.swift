/// Elements in one growing block of memory, named by their place, with a list of free places: no allocation an element,
/// and no copy of one that is looked at.
///
/// A copy of an arena is the same arena: it belongs to one owner, which never copies it.
struct SlotArena<Element: Sendable>: Sendable {
    fileprivate struct Link: Sendable {
        var previous: Int32 = -1
        /// The next free place in one that is free.
        var next: Int32 = -1
        var isUsed = true
    }

    // Unchecked: it belongs to one arena, whose owner says who may use it when.
    private final class Storage: @unchecked Sendable {
        var elements: UnsafeMutablePointer<Element>
        var links: UnsafeMutablePointer<Link>
        var count = 0
        var capacity = 16

        init() {
            elements = .allocate(capacity: capacity)
            links = .allocate(capacity: capacity)
        }

        deinit {
            for place in 0..<count where links[place].isUsed { (elements + place).deinitialize(count: 1) }
            elements.deallocate()
            links.deallocate()
        }

        func grow() {
            let (oldElements, oldLinks) = (elements, links)
            elements = .allocate(capacity: 2 * capacity)
            links = .allocate(capacity: 2 * capacity)
            links.moveInitialize(from: oldLinks, count: capacity)
            for place in 0..<count where links[place].isUsed {
                (elements + place).moveInitialize(from: oldElements + place, count: 1)
            }
            capacity *= 2
            oldElements.deallocate()
            oldLinks.deallocate()
        }
    }

    private(set) var count = 0
    private let storage = Storage()
    private var firstFree: Int32 = -1

    /// The places that are used. O(places).
    var slots: [Int32] { (0..<storage.count).filter { storage.links[$0].isUsed }.map { Int32($0) } }

    /// Puts an element into a free place.
    mutating func insert(_ element: Element) -> Int32 {
        count += 1
        if firstFree >= 0 {
            let slot = firstFree
            firstFree = storage.links[Int(slot)].next
            storage.links[Int(slot)] = Link()
            (storage.elements + Int(slot)).initialize(to: element)
            return slot
        }
        if storage.count == storage.capacity { storage.grow() }
        (storage.elements + storage.count).initialize(to: element)
        (storage.links + storage.count).initialize(to: Link())
        storage.count += 1
        return Int32(storage.count - 1)
    }

    /// Takes an element out; its place must be used and in no queue.
    mutating func remove(_ slot: Int32) -> Element {
        storage.links[Int(slot)] = Link(next: firstFree, isUsed: false)
        firstFree = slot
        count -= 1
        return (storage.elements + Int(slot)).move()
    }

    /// The element in a place that is used.
    subscript(slot: Int32) -> Element {
        _read { yield storage.elements[Int(slot)] }
        nonmutating _modify { yield &storage.elements[Int(slot)] }
    }

    fileprivate var links: UnsafeMutablePointer<Link> { storage.links }
}

/// An order among places of an arena: a doubly linked list through its links. Every operation is O(1).
struct SlotQueue: Sendable {
    private(set) var first: Int32 = -1
    private var last: Int32 = -1

    /// Puts a place that is in no queue at the end.
    mutating func append<Element>(_ slot: Int32, in arena: inout SlotArena<Element>) {
        arena.links[Int(slot)].previous = last
        arena.links[Int(slot)].next = -1
        if last >= 0 { arena.links[Int(last)].next = slot } else { first = slot }
        last = slot
    }

    /// Takes out a place that is in this queue.
    mutating func remove<Element>(_ slot: Int32, from arena: inout SlotArena<Element>) {
        let (previous, next) = (arena.links[Int(slot)].previous, arena.links[Int(slot)].next)
        if previous >= 0 { arena.links[Int(previous)].next = next } else { first = next }
        if next >= 0 { arena.links[Int(next)].previous = previous } else { last = previous }
    }
}
