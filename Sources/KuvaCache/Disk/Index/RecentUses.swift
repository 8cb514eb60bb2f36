internal import KuvaCore

/// Which entries this process stored or used lately, by hash: what the queue does not say.
///
/// A use within a minute of the last one is not written anywhere; when the entry's turn to leave comes, this table
/// gives it another round instead. Of two names in one place the later one is remembered.
final class RecentUses: Sendable {
    enum Verdict: Equatable {
        /// Nothing is known that the queue does not say.
        case unknown
        /// A later use is in the queue already.
        case superseded
        /// It was used since, at this time, which the queue does not know.
        case used(Int64)
    }

    private struct Record: Sendable {
        var tag: UInt64 = 0
        /// The last use in the queue.
        var queued: Int64 = 0
        /// The last use.
        var used: Int64 = 0
    }

    private static let capacity = 4096
    private let records = Lock(ContiguousArray<Record>())

    func note(_ name: EntryName, used: Int64, isQueued: Bool) {
        let tag = Self.tag(name)
        records.withLock { records in
            if records.isEmpty { records = ContiguousArray(repeating: Record(), count: Self.capacity) }
            let place = Int(tag >> 52)
            if records[place].tag != tag { records[place] = Record(tag: tag) }
            records[place].used = max(records[place].used, used)
            if isQueued { records[place].queued = used }
        }
    }

    /// What is known about an entry whose turn to leave has come.
    func verdict(_ use: Use) -> Verdict {
        let tag = Self.tag(use.name)
        return records.withLock { records in
            guard !records.isEmpty else { return .unknown }
            let record = records[Int(tag >> 52)]
            guard record.tag == tag else { return .unknown }
            if record.queued > use.used { return .superseded }
            return record.used > use.used ? .used(record.used) : .unknown
        }
    }

    private static func tag(_ name: EntryName) -> UInt64 {
        name.original.low ^ (name.variant.low &* 0x9E37_79B9_7F4A_7C15) | 1
    }
}
