internal import FoundationEssentials
internal import Glibc

/// Bytes that come in pieces, gathered once into one run of memory and handed over without a copy.
struct BodyBuffer: ~Copyable {
    /// Bytes gathered so far.
    private(set) var count = 0

    private var base: UnsafeMutableRawPointer?
    private var capacity = 0

    /// The most that a promised length makes the buffer take at once; what comes beyond it is made room for when it
    /// comes, so that a lie costs nothing.
    static let maximumReservation = 16 << 20

    init() {}

    deinit { free(base) }

    /// Makes room for a body of a promised length. Returns whether the memory was there.
    mutating func reserve(_ byteCount: Int64) -> Bool {
        let wanted = Int(min(byteCount, Int64(Self.maximumReservation)))
        return wanted <= capacity || grow(to: wanted)
    }

    /// Adds bytes. Returns `false`, and adds nothing, if the system gave no memory.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return true }
        guard makeRoom(for: bytes.count), let base else { return false }
        memcpy(base + count, source, bytes.count)
        count += bytes.count
        return true
    }

    /// Lets `body` write up to `byteCount` bytes at the end and return how many it has written; `nil` if the system
    /// gave no memory.
    mutating func append<E: Error>(
        upTo byteCount: Int,
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int? {
        guard makeRoom(for: byteCount), let base else { return nil }
        let written = try body(UnsafeMutableRawBufferPointer(start: base + count, count: byteCount))
        count += min(max(0, written), byteCount)
        return written
    }

    /// The bytes so far.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// The bytes, whose memory the result now owns; the buffer is empty afterwards.
    mutating func take() -> Data {
        guard let base, count > 0 else {
            reset()
            return Data()
        }
        // Give back what a wrong or missing length made the buffer take too much, if it is worth a call.
        let isWasteful = capacity - count > max(4096, count / 8)
        let memory = isWasteful ? realloc(base, count) ?? base : base
        let data = Data(bytesNoCopy: memory, count: count, deallocator: .free)
        self.base = nil
        reset()
        return data
    }

    /// Forgets what has come and frees its memory.
    mutating func reset() {
        free(base)
        base = nil
        count = 0
        capacity = 0
    }

    private mutating func makeRoom(for byteCount: Int) -> Bool {
        let (needed, overflow) = count.addingReportingOverflow(byteCount)
        guard !overflow else { return false }
        return needed <= capacity || grow(to: max(needed, capacity + capacity / 2, 16_384))
    }

    private mutating func grow(to wanted: Int) -> Bool {
        guard wanted > 0 else { return true }
        guard let memory = realloc(base, wanted) else { return false }
        base = memory
        capacity = wanted
        return true
    }
}
