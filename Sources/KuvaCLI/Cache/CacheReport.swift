internal import FoundationEssentials
internal import Kuva

/// What `kuva cache stats` says.
struct CacheReport: Encodable {
    struct Host: Encodable {
        let host: String
        var entries = 0
        var bytes = 0
    }

    let folder: String
    let entries: Int
    let bytes: Int
    let limit: Int
    let hits: Int
    let misses: Int
    let evictions: Int
    /// Entries by whole days since their last use: today, this week, this month, before.
    private(set) var usedToday = 0
    private(set) var usedThisWeek = 0
    private(set) var usedThisMonth = 0
    private(set) var usedBefore = 0
    private(set) var hosts: [Host] = []

    init(_ cache: DiskCache) throws(ImageError) {
        let statistics = try cache.statistics()
        folder = statistics.path
        entries = statistics.entryCount
        bytes = statistics.byteCount
        limit = statistics.byteLimit
        hits = statistics.hitCount
        misses = statistics.missCount
        evictions = statistics.evictionCount
        var hosts: [String: Host] = [:]
        var ages = [0, 0, 0, 0]
        let now = Date()
        try cache.forEachEntry { entry in
            let name = CacheEntryLine.host(of: entry.key.original)
            hosts[name, default: Host(host: name)].entries += 1
            hosts[name, default: Host(host: name)].bytes += entry.diskByteCount
            let days = now.timeIntervalSince(entry.usedAt) / 86_400
            ages[days < 1 ? 0 : days < 7 ? 1 : days < 30 ? 2 : 3] += 1
            return true
        }
        (usedToday, usedThisWeek, usedThisMonth, usedBefore) = (ages[0], ages[1], ages[2], ages[3])
        self.hosts = hosts.values.sorted { ($1.bytes, $0.host) < ($0.bytes, $1.host) }
    }

    var lines: [String] {
        var lines = [
            "folder   \(folder)",
            "entries  \(entries)",
            "bytes    \(Self.amount(bytes))",
            "limit    \(Self.amount(limit))",
        ]
        if hits + misses > 0 {
            lines.append("hits     \(hits) of \(hits + misses) reads (\(100 * hits / (hits + misses)) %)")
        }
        if evictions > 0 { lines.append("evicted  \(evictions)") }
        if entries > 0 {
            lines.append(
                "used     today \(usedToday), week \(usedThisWeek), month \(usedThisMonth), before \(usedBefore)"
            )
        }
        for host in hosts.prefix(10) {
            lines.append("host     \(host.host): \(host.entries), \(Self.amount(host.bytes))")
        }
        if hosts.count > 10 { lines.append("         and \(hosts.count - 10) hosts more") }
        return lines
    }

    var json: String { JSONText.line(self) }

    private static func amount(_ byteCount: Int) -> String { "\(byteCount) (\(ByteText.short(Int64(byteCount))))" }
}
