public import FoundationEssentials

/// How old an answer is and how long it stays good (RFC 9111 §4.2). All times are seconds.
extension StoredResponse {
    /// The directives of the answer's `Cache-Control`.
    public var directives: CacheDirectives { CacheDirectives(fields["Cache-Control"]) }

    /// When the answer was made: its `Date`, or else when it came (RFC 9110 §6.6.1).
    public var date: Date {
        fields["Date"].flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
    }

    /// How old the answer is at a moment, the time in caches on its way included (§4.2.3).
    public func age(at now: Date) -> Double {
        let apparent = max(0, responseTime.timeIntervalSince(date))
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        let initial = max(apparent, ageField + delay)
        return initial + max(0, now.timeIntervalSince(responseTime))
    }

    /// `Age` (§5.1): of several the first, and nothing if it is no number.
    private var ageField: Double {
        let first = fields["Age"]?.prefix { $0 != "," }.filter { $0 != " " } ?? ""
        guard !first.isEmpty, first.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return min(Int64(first).map(Double.init) ?? .infinity, 2_147_483_648)
    }

    /// How long the server said that the answer is fresh: `max-age`, else `Expires` less `Date` (§4.2.1); `nil` if it
    /// did not say. An `Expires` that is no date counts as past (§5.3).
    public var explicitLifetime: Double? {
        if let maxAge = directives.maxAge { return maxAge }
        guard let expires = fields.values(of: "Expires").first else { return nil }
        return max(0, HTTPDate.parse(expires, now: responseTime)?.timeIntervalSince(date) ?? 0)
    }

    /// How long the answer is fresh: what the server said or else, where a guess is allowed, a tenth of the time since
    /// the last change (§4.2.2).
    public var freshnessLifetime: Double {
        if let explicitLifetime { return explicitLifetime }
        guard Self.heuristicallyCacheable.contains(status) || directives.isPublic,
            let modified = fields["Last-Modified"].flatMap({ HTTPDate.parse($0, now: responseTime) })
        else { return 0 }
        return max(0, date.timeIntervalSince(modified) / 10)
    }

    /// Whether the answer is fresh at a moment (§4.2).
    public func isFresh(at now: Date) -> Bool { freshnessLifetime > age(at: now) }

    /// How long ago the answer stopped being fresh; negative while it is.
    func staleness(at now: Date) -> Double { age(at: now) - freshnessLifetime }

    /// Statuses for which a guess is allowed (RFC 9110 §15.1), but for 206, which is never kept as a whole.
    static let heuristicallyCacheable: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
}
