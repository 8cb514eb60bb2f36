internal import FoundationEssentials
internal import KuvaCore

/// Until when the pictures in memory are fresh by what their servers said (RFC 9111 §4.2). A value that decides and
/// never acts; for the disk, the stored answers themselves tell.
struct FreshnessTable: Sendable {
    /// At most so many originals are remembered; after that all are forgotten, which costs a look on disk each.
    static let capacity = 10_000

    private var ends: [CacheKey: Date] = [:]

    /// An answer for an original came, or was confirmed.
    mutating func answered(_ original: CacheKey, _ response: StoredResponse, at now: Date) {
        if ends.count >= Self.capacity { ends = [:] }
        let remaining = response.directives.noCache ? 0 : response.freshnessLifetime - response.age(at: now)
        ends[original] = now.addingTimeInterval(remaining)
    }

    /// Whether a picture made of the original may be used without asking.
    func isFresh(_ original: CacheKey, at now: Date) -> Bool { ends[original].map { $0 > now } ?? false }
}
