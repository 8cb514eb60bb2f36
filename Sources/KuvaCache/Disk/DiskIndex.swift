internal import KuvaCore

/// What a disk cache knows about its entries without opening them: their sizes and the order of their last use.
///
/// A hint: the files are the truth, and it is built from them. Any thread may call every method; none does I/O. All
/// but ``load(_:)`` are O(1).
final class DiskIndex: Sendable {
    /// An entry as the index sees it.
    struct Item: Sendable {
        let name: EntryName
        /// What the entry takes on disk.
        var byteCount: Int
        /// Grows with each use and store, so that an entry can be told from its successor of the same name.
        fileprivate(set) var use: UInt64 = 0
    }

    fileprivate struct State: Sendable {
        var slots: [EntryName: Int32] = [:]
        var arena = SlotArena<Item>()
        /// Least recently used first.
        var order = SlotQueue()
        var byteCount = 0
        var nextUse: UInt64 = 0
    }

    private let state = Lock(State())

    var totals: (entryCount: Int, byteCount: Int) { state.withLock { ($0.arena.count, $0.byteCount) } }

    var names: [EntryName] { state.withLock { Array($0.slots.keys) } }

    /// Adds what was found on disk, least recently used first, as less recent than what is there already.
    func load(_ found: [Item]) {
        state.withLock { state in
            let known = state.inOrder()
            for item in found where state.slots[item.name] == nil { state.put(item) }
            for item in known { state.put(item) }
        }
    }

    /// Records a store: the entry is the most recently used one.
    func insert(_ name: EntryName, byteCount: Int) {
        state.withLock { $0.put(Item(name: name, byteCount: byteCount)) }
    }

    /// Records a use of an entry; one that the index did not know, from another process, is known from now on.
    func touch(_ name: EntryName, byteCount: Int) {
        state.withLock { $0.put(Item(name: name, byteCount: byteCount)) }
    }

    func remove(_ name: EntryName) {
        state.withLock { state in _ = state.take(name) }
    }

    /// Forgets an entry, unless it was used or stored since it was looked at. Returns whether it was forgotten.
    func remove(_ item: Item) -> Bool {
        state.withLock { state in
            guard let slot = state.slots[item.name], state.arena[slot].use == item.use else { return false }
            _ = state.take(item.name)
            return true
        }
    }

    /// The least recently used entry, if all of them take more than `limit` bytes.
    func nextToLeave(limit: Int) -> Item? {
        state.withLock { state in
            guard state.byteCount > limit, state.order.first >= 0 else { return nil }
            return state.arena[state.order.first]
        }
    }
}

extension DiskIndex.State {
    fileprivate mutating func put(_ item: DiskIndex.Item) {
        _ = take(item.name)
        var item = item
        nextUse += 1
        item.use = nextUse
        let slot = arena.insert(item)
        order.append(slot, in: &arena)
        slots[item.name] = slot
        byteCount += item.byteCount
    }

    fileprivate mutating func take(_ name: EntryName) -> DiskIndex.Item? {
        guard let slot = slots.removeValue(forKey: name) else { return nil }
        order.remove(slot, from: &arena)
        let item = arena.remove(slot)
        byteCount -= item.byteCount
        return item
    }

    fileprivate mutating func inOrder() -> [DiskIndex.Item] {
        var items: [DiskIndex.Item] = []
        while order.first >= 0, let item = take(arena[order.first].name) { items.append(item) }
        return items
    }
}
