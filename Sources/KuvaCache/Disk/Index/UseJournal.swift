internal import CKuvaFiles
internal import KuvaCore

/// Uses on their way to the queue, in the mapped file of a writer's session.
///
/// Recording one is a few writes to memory, yet it outlives the process: whoever finds a dead session takes its uses
/// over. The file also says whether a change of the counters was under way.
final class UseJournal: @unchecked Sendable {
    // Unchecked: the address never changes; `count` and `active` are atomic, the records are written under `lock`.
    private let numbers: UnsafeMutablePointer<Int64>
    private let lock = Lock(UInt8(0))

    static let length = 16384
    static let capacity = (length - 8 * header) / (8 * width)
    private static let header = 8
    private static let width = 6
    private static let magic: Int64 = 0x3130_6C6E_4A61_764B
    private static let count = 1
    private static let active = 2

    /// The content of a new file.
    static var empty: [Int64] { [magic] + [Int64](repeating: 0, count: length / 8 - 1) }

    /// - Parameter address: `length` bytes that stay mapped as long as the journal lives.
    init(_ address: UnsafeMutableRawPointer) {
        numbers = address.bindMemory(to: Int64.self, capacity: Self.length / 8)
    }

    /// Adds a use. If the journal is full then, `drain` gets all of it, and the journal is empty.
    func record(_ use: Use, _ drain: ([Use]) -> Void) {
        lock.withLock { _ in
            var count = Int(kuva_files_load(numbers + Self.count))
            if count >= Self.capacity || count < 0 {
                drain(Self.uses(UnsafePointer(numbers)))
                count = 0
            }
            let place = numbers + Self.header + Self.width * count
            place[0] = Int64(bitPattern: use.name.original.high)
            place[1] = Int64(bitPattern: use.name.original.low)
            place[2] = Int64(bitPattern: use.name.variant.high)
            place[3] = Int64(bitPattern: use.name.variant.low)
            place[4] = use.used
            place[5] = use.stored
            kuva_files_store(numbers + Self.count, Int64(count + 1))
        }
    }

    /// Gives all uses to `body` and is empty afterwards.
    func drain(_ body: ([Use]) -> Void) {
        lock.withLock { _ in
            let uses = Self.uses(UnsafePointer(numbers))
            guard !uses.isEmpty else { return }
            body(uses)
            kuva_files_store(numbers + Self.count, 0)
        }
    }

    /// Runs `body` marked as a change of the counters.
    func whileChanging<R>(_ body: () throws(SystemCallError) -> R) throws(SystemCallError) -> R {
        _ = kuva_files_add(numbers + Self.active, 1)
        defer { _ = kuva_files_add(numbers + Self.active, -1) }
        return try body()
    }

    /// What the file of another session says, alive or dead; records that are being written now may be wrong.
    static func read(_ content: [Int64]) -> (uses: [Use], isChanging: Bool)? {
        guard content.count == length / 8, content[0] == magic else { return nil }
        return content.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { (uses($0), $0[active] != 0) }
        }
    }

    private static func uses(_ numbers: UnsafePointer<Int64>) -> [Use] {
        let count = min(capacity, max(0, Int(numbers[count])))
        return (0..<count).map { index in
            let place = numbers + header + width * index
            let words = (0..<4).map { UInt64(bitPattern: place[$0]) }
            return Use(
                name: EntryName(
                    original: Hash128(high: words[0], low: words[1]),
                    variant: Hash128(high: words[2], low: words[3])
                ),
                used: place[4],
                stored: place[5]
            )
        }
    }
}
