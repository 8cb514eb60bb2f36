/// The parts of a memory cache, sixteen of them.
///
/// Not an array: looking into one counts a reference to it, which all threads would do in one place.
struct MemoryShards: ~Copyable, @unchecked Sendable {
    // Unchecked: the memory is written by `init` and `deinit` only, and shards may be used by any thread.
    private let start: UnsafeMutablePointer<MemoryShard>
    private static let count = 16

    init() {
        start = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (start + index).initialize(to: MemoryShard()) }
    }

    deinit {
        start.deinitialize(count: Self.count)
        start.deallocate()
    }

    /// The one that holds an original and all its variants.
    subscript(hash: MemoryHash) -> MemoryShard { start[Int(hash.original >> 60)] }

    func forEach(_ body: (MemoryShard) -> Void) {
        for index in 0..<Self.count { body(start[index]) }
    }
}
