internal import Glibc

/// Keeps freed pixel memory for the next picture, up to a bound.
///
/// Fresh memory of 24 MiB costs about as much in page faults as decoding a 6-megapixel JPEG, reused memory a tenth.
/// Blocks of 2 MiB and more are aligned for huge pages, and the kernel is asked for them. What waits unused is given back
/// when memory is short, if a memory cache that watches the system is in use. Any thread may call every method.
public final class PixelBufferPool: Sendable {
    /// The pool that everything uses unless told otherwise.
    public static let shared = PixelBufferPool()

    /// One free or lent block of memory.
    struct Block: @unchecked Sendable {
        // Unchecked: the pointer has one owner at a time, the free list or one PixelStorage.
        let address: UnsafeMutableRawPointer
        let capacity: Int
    }

    private struct State: Sendable {
        var free = FreeBlocks()
        var maximumFreeBytes: Int
    }

    private let state: Lock<State>

    /// - Parameter maximumFreeBytes: how many bytes of unused blocks are kept; by default 96 MiB, the pixels of a photograph
    ///   of 24 megapixels. 0 keeps none.
    public init(maximumFreeBytes: Int = 96 << 20) {
        state = Lock(State(maximumFreeBytes: max(0, maximumFreeBytes)))
    }

    deinit { trim(toBytes: 0) }

    /// Bytes of unused blocks held now.
    public var freeBytes: Int { state.withLock { $0.free.byteCount } }

    /// Gives unused blocks back to the system, the longest unused first, until at most `bytes` are held.
    public func trim(toBytes bytes: Int) {
        let dropped = state.withLock { $0.free.drop(toBytes: max(0, bytes)) }
        for block in dropped { free(block.address) }
    }

    /// A writable canvas of the given layout whose bytes are not initialised.
    ///
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    public func canvas(_ layout: PixelLayout) throws(ImageError) -> PixelCanvas {
        let block = try take(layout.byteCount)
        return PixelCanvas(storage: PixelStorage(block: block, pool: self), layout: layout)
    }

    private func take(_ byteCount: Int) throws(ImageError) -> Block {
        let wanted = Self.roundedCapacity(byteCount)
        if let wanted, let found = state.withLock({ $0.free.take(wanted) }) { return found }
        guard let wanted, let block = Self.allocate(wanted) ?? allocateAfterTrimming(wanted) else {
            throw ImageError(
                .outOfMemory,
                "the system did not give \(byteCount) bytes for a picture",
                advice: "ask for a smaller size, or lower the memory limits of the caches"
            )
        }
        return block
    }

    /// What the pool holds unused may be what the system lacks.
    private func allocateAfterTrimming(_ capacity: Int) -> Block? {
        guard freeBytes > 0 else { return nil }
        trim(toBytes: 0)
        return Self.allocate(capacity)
    }

    /// Takes a block back; called by the last owner of its storage.
    func recycle(_ block: Block) {
        let dropped = state.withLock { state -> [Block] in
            guard block.capacity <= state.maximumFreeBytes else { return [block] }
            state.free.insert(block)
            return state.free.drop(toBytes: state.maximumFreeBytes)
        }
        for block in dropped { free(block.address) }
    }

    private static let hugePage = 2 << 20

    private static func roundedCapacity(_ byteCount: Int) -> Int? {
        let unit = byteCount >= hugePage ? hugePage : 4096
        let (sum, overflow) = byteCount.addingReportingOverflow(unit - 1)
        return overflow ? nil : max(unit, sum / unit * unit)
    }

    private static func allocate(_ capacity: Int) -> Block? {
        var address: UnsafeMutableRawPointer?
        let isHuge = capacity >= hugePage
        guard posix_memalign(&address, isHuge ? hugePage : 64, capacity) == 0, let address else { return nil }
        if isHuge { _ = madvise(address, capacity, MADV_HUGEPAGE) }
        return Block(address: address, capacity: capacity)
    }
}

/// Owns one block of the pool and gives it back at the end.
final class PixelStorage: Sendable {
    let block: PixelBufferPool.Block
    private let pool: PixelBufferPool

    init(block: PixelBufferPool.Block, pool: PixelBufferPool) {
        self.block = block
        self.pool = pool
    }

    deinit { pool.recycle(block) }
}
