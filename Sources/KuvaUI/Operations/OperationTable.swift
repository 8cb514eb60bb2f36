/// The operations of a view, several for each slot. Decides and never acts: what is to be cancelled is given out.
@MainActor
struct OperationTable {
    private var operations: [ImageSlot: [any ViewOperation]] = [:]

    /// The operations of a slot, the oldest first.
    func operations(in slot: ImageSlot) -> [any ViewOperation] { operations[slot] ?? [] }

    /// Adds an operation beside those that are there.
    mutating func add(_ operation: any ViewOperation, in slot: ImageSlot) {
        operations[slot, default: []].append(operation)
    }

    /// Empties a slot. Returns what was in it.
    mutating func removeAll(in slot: ImageSlot) -> [any ViewOperation] { operations.removeValue(forKey: slot) ?? [] }

    /// Empties all slots. Returns what was in them.
    mutating func removeAll() -> [any ViewOperation] {
        defer { operations = [:] }
        return operations.values.flatMap(\.self)
    }

    /// Forgets one operation, which has ended.
    mutating func remove(_ operation: any ViewOperation, in slot: ImageSlot) {
        operations[slot]?.removeAll { $0 === operation }
        if operations[slot]?.isEmpty == true { operations[slot] = nil }
    }
}
