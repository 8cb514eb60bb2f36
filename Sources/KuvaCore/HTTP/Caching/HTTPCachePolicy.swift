public import FoundationEssentials

/// How far a load follows what servers say about caching.
public enum HTTPCachePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// What is cached is used, however old, and everything is kept: SDWebImage's way, and the default.
    case cached
    /// RFC 9111, as a browser's private cache does it.
    case useProtocol
    /// What is cached is shown at once; then the server is asked, and a changed picture shown after it.
    case refresh
    /// What is cached is used, however old; what is not is an error with the code `not-in-cache`.
    case onlyIfCached
    /// The server is asked for the whole again, and caches on the way are passed by.
    case reload
}

/// What to do about a load, given what the cache has: the one answer that ``HTTPCachePolicy/decision(for:request:at:)``
/// gives.
public enum HTTPCacheDecision: Hashable, Sendable {
    /// Use the entry; ask nobody.
    case use
    /// Use the entry now and ask the server behind the caller's back, with the entry's answer as
    /// ``LoadRequest/known``. A 304 brings the entry up to date; a new body replaces it, and is shown if the policy is
    /// ``HTTPCachePolicy/refresh``.
    case useThenRevalidate
    /// Ask the server first, with the entry's answer as ``LoadRequest/known``. A 304 makes the entry good again; so may
    /// a failure, see ``StoredResponse/mayBeUsed(insteadOf:policy:at:)``.
    case revalidate
    /// Load it as though there were no entry.
    case fetch
    /// Do not load: an error with the code `not-in-cache`.
    case notInCache
}

extension HTTPCachePolicy {
    /// Whether a cached entry serves a request, or what must be done first (RFC 9111 §4).
    ///
    /// - Parameters:
    ///   - entry: what the cache has; `nil` for a miss. An entry that did not come by HTTP is always used.
    ///   - request: the header fields of the request, which may have a `Cache-Control` of their own (§5.2.1).
    ///   - now: the time.
    public func decision(
        for entry: CachedData?,
        request: HTTPFields = HTTPFields(),
        at now: Date
    ) -> HTTPCacheDecision {
        guard let entry else {
            let isForbidden =
                self == .onlyIfCached || isProtocol && CacheDirectives(request["Cache-Control"]).onlyIfCached
            return isForbidden ? .notInCache : .fetch
        }
        guard let response = entry.response else { return self == .reload ? .fetch : .use }
        switch self {
        case .cached, .onlyIfCached: return .use
        case .reload: return .fetch
        case .refresh:
            let isSettled = response.directives.isImmutable && response.isFresh(at: now)
            return isSettled ? .use : .useThenRevalidate
        case .useProtocol: return response.reuse(for: request, at: now)
        }
    }

    /// Whether a disk cache may keep an answer under this policy: under the protocol what RFC 9111 §3 allows, otherwise
    /// everything.
    public func mayStore(_ response: StoredResponse, method: String = "GET", request: HTTPFields = HTTPFields()) -> Bool
    {
        isProtocol ? response.mayBeStored(method: method, request: request) : method == "GET"
    }

    private var isProtocol: Bool { self == .useProtocol }
}

extension StoredResponse {
    /// Whether this answer may serve a request under RFC 9111 §4, or must be confirmed first.
    public func reuse(for request: HTTPFields = HTTPFields(), at now: Date) -> HTTPCacheDecision {
        let wishes = CacheDirectives(request["Cache-Control"])
        let mustAsk: HTTPCacheDecision = wishes.onlyIfCached ? .notInCache : conditions.isEmpty ? .fetch : .revalidate
        guard matches(request: request) else { return wishes.onlyIfCached ? .notInCache : .fetch }
        let directives = directives
        let asksByPragma = request["Cache-Control"] == nil && request["Pragma"]?.lowercased() == "no-cache"
        if directives.noCache || wishes.noCache || asksByPragma { return mustAsk }
        let age = age(at: now)
        if let maxAge = wishes.maxAge, age > maxAge { return mustAsk }
        let staleness = age - freshnessLifetime
        if staleness < 0 { return staleness <= -(wishes.minFresh ?? 0) ? .use : mustAsk }
        if directives.mustRevalidate { return mustAsk }
        if let maxStale = wishes.maxStale, staleness <= maxStale { return .use }
        if let window = directives.staleWhileRevalidate, staleness < window, !wishes.onlyIfCached {
            return .useThenRevalidate
        }
        return mustAsk
    }

    /// Whether the answer may be used although the server could not be asked, or answered with an error.
    ///
    /// Under the protocol: a server that is out of reach is passed over unless the answer forbids it (RFC 9111 §4.2.4),
    /// and one that answers 500, 502, 503 or 504 if `stale-if-error` of the answer or of the request allows it
    /// (RFC 5861 §4). Under the other policies an old picture is better than none.
    public func mayBeUsed(
        insteadOf error: ImageError,
        policy: HTTPCachePolicy,
        request: HTTPFields = HTTPFields(),
        at now: Date
    ) -> Bool {
        guard !error.isCancellation else { return false }
        guard policy == .useProtocol else { return policy != .reload }
        guard matches(request: request) else { return false }
        let directives = directives
        if directives.mustRevalidate || directives.noCache { return false }
        switch error.code {
        case .httpStatus:
            guard [500, 502, 503, 504].contains(error.httpStatus) else { return false }
            let allowed = [directives, CacheDirectives(request["Cache-Control"])].compactMap(\.staleIfError).max()
            return allowed.map { staleness(at: now) <= $0 } ?? false
        case .hostNotFound, .cannotConnect, .connectionLost, .timedOut, .tooSlow, .networkCancelled: return true
        default: return false
        }
    }
}

extension CachedData {
    /// The entry to store after the server has confirmed it: the same bytes with what a 304 said (RFC 9111 §4.3.4).
    ///
    /// - Parameter loaded: what the loader delivered with ``LoadedData/isNotModified``; its answer is merged already.
    public func confirmed(by loaded: LoadedData, at now: Date) -> CachedData {
        CachedData(bytes: bytes, response: loaded.response ?? response, storedAt: now)
    }
}
