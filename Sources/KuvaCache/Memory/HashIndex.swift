/// Finds places of an arena by hash: open addressing with linear probing, at most three quarters full.
///
/// It holds hashes and places, not keys, so that a key is hashed once and kept once. The caller compares keys.
struct HashIndex: Sendable {
    private struct Cell: Sendable {
        var hash: UInt32 = 0
        /// -1 in an empty cell.
        var slot: Int32 = -1
    }

    private(set) var count = 0
    private var cells: ContiguousArray<Cell> = []
    private var mask: Int { cells.count - 1 }

    /// The place with this hash for which `isMatch` is true.
    @inline(__always)
    func find(_ hash: UInt32, where isMatch: (Int32) -> Bool) -> Int32? {
        guard count > 0 else { return nil }
        var position = Int(hash) & mask
        while cells[position].slot >= 0 {
            if cells[position].hash == hash, isMatch(cells[position].slot) { return cells[position].slot }
            position = (position + 1) & mask
        }
        return nil
    }

    /// Adds a place that is not there yet.
    mutating func insert(_ slot: Int32, hash: UInt32) {
        if (count + 1) * 4 > cells.count * 3 { grow() }
        place(Cell(hash: hash, slot: slot))
        count += 1
    }

    /// Names another place where `old` was named; `old` must be there.
    mutating func replace(_ old: Int32, with new: Int32, hash: UInt32) {
        cells[position(of: old, hash: hash)].slot = new
    }

    /// Removes a place that is there, and closes the gap so that no later search stops early.
    mutating func remove(_ slot: Int32, hash: UInt32) {
        var gap = position(of: slot, hash: hash)
        var position = (gap + 1) & mask
        while cells[position].slot >= 0 {
            let distanceFromHome = (position - Int(cells[position].hash)) & mask
            if distanceFromHome >= (position - gap) & mask {
                cells[gap] = cells[position]
                gap = position
            }
            position = (position + 1) & mask
        }
        cells[gap] = Cell()
        count -= 1
    }

    private func position(of slot: Int32, hash: UInt32) -> Int {
        var position = Int(hash) & mask
        while cells[position].slot != slot { position = (position + 1) & mask }
        return position
    }

    private mutating func place(_ cell: Cell) {
        var position = Int(cell.hash) & mask
        while cells[position].slot >= 0 { position = (position + 1) & mask }
        cells[position] = cell
    }

    private mutating func grow() {
        let old = cells
        cells = ContiguousArray(repeating: Cell(), count: max(16, old.count * 2))
        for cell in old where cell.slot >= 0 { place(cell) }
    }
}
