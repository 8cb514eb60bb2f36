/// Blocks of memory that wait for their next picture. A value that decides and never acts.
///
/// Blocks of one capacity wait together, so that finding one takes O(log n) for n different capacities, however many
/// blocks there are: thousands of small pictures leave thousands of blocks.
struct FreeBlocks: Sendable {
    typealias Block = PixelBufferPool.Block

    /// Blocks of one capacity, the longest unused first.
    private struct Shelf: Sendable {
        private var blocks: [(block: Block, sequence: UInt64)] = []
        private var start = 0

        var isEmpty: Bool { start == blocks.count }
        var oldest: UInt64 { blocks[start].sequence }

        mutating func insert(_ block: Block, sequence: UInt64) { blocks.append((block, sequence)) }

        /// The one used last, which is most likely still in the processor's caches. There must be one.
        mutating func takeNewest() -> Block { blocks.removeLast().block }

        /// There must be one.
        mutating func takeOldest() -> Block {
            let block = blocks[start].block
            start += 1
            if start > 64, start * 2 > blocks.count {
                blocks.removeFirst(start)
                start = 0
            }
            return block
        }
    }

    /// Bytes of all blocks.
    private(set) var byteCount = 0
    private var shelves: [Int: Shelf] = [:]
    /// The keys of the shelves, ascending.
    private var capacities: [Int] = []
    private var nextSequence: UInt64 = 0

    /// Adds a block.
    mutating func insert(_ block: Block) {
        if shelves[block.capacity] == nil { capacities.insert(block.capacity, at: place(of: block.capacity)) }
        shelves[block.capacity, default: Shelf()].insert(block, sequence: nextSequence)
        nextSequence += 1
        byteCount += block.capacity
    }

    /// Takes the smallest block that holds `capacity` without wasting more than half of itself.
    mutating func take(_ capacity: Int) -> Block? {
        let place = place(of: capacity)
        guard place < capacities.count, capacities[place] / 2 <= capacity else { return nil }
        return take(from: capacities[place]) { $0.takeNewest() }
    }

    /// Takes blocks, the longest unused first, until at most `bytes` are left.
    mutating func drop(toBytes bytes: Int) -> [Block] {
        var dropped: [Block] = []
        while byteCount > bytes, let oldest = shelves.min(by: { $0.value.oldest < $1.value.oldest })?.key {
            dropped.append(take(from: oldest) { $0.takeOldest() })
        }
        return dropped
    }

    private mutating func take(from capacity: Int, _ choose: (inout Shelf) -> Block) -> Block {
        let block = choose(&shelves[capacity, default: Shelf()])
        if shelves[capacity]?.isEmpty ?? true {
            shelves[capacity] = nil
            capacities.remove(at: place(of: capacity))
        }
        byteCount -= capacity
        return block
    }

    /// Where the first capacity is that is not below `capacity`.
    private func place(of capacity: Int) -> Int {
        var range = 0..<capacities.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = capacities[middle] < capacity ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
