internal import Dispatch
public import KuvaCore

/// Several caches that act as one. Those added later are higher: asked first where there is an order.
///
/// A hit in a lower cache is kept in the higher ones that were asked before and did not have it: the picture in memory,
/// its file on disk, as far as these levels were asked. One that cannot keep it, its disk being full, say, does without:
/// the hit is what was asked for. With no caches, everything is a miss, and nothing fails.
public final class ImageCaches: TieredImageCaching {
    /// Which caches an operation goes to, and how.
    public enum Policy: Sendable {
        /// From the highest down, one after the other.
        case serial
        /// To all at once.
        case concurrent
        /// To the highest only.
        case highestOnly
        /// To the lowest only.
        case lowestOnly
    }

    /// How each operation goes to the caches.
    public struct Policies: Sendable {
        /// Queries; serial ends at the first hit, concurrent takes the hit that comes first.
        public var query = Policy.serial
        /// Stores.
        public var store = Policy.highestOnly
        /// Removals.
        public var remove = Policy.concurrent
        /// Questions whether a picture is there; serial ends at the first cache that has it.
        public var contains = Policy.serial
        /// Emptying.
        public var clear = Policy.concurrent

        /// Makes the default policies.
        public init() {}
    }

    private struct State: Sendable {
        /// The highest first.
        var caches: [any TieredImageCaching]
        var policies: Policies
    }

    private let state: Lock<State>

    /// Makes a group.
    ///
    /// - Parameter caches: the lowest first.
    public init(_ caches: [any TieredImageCaching] = [], policies: Policies = Policies()) {
        state = Lock(State(caches: caches.reversed(), policies: policies))
    }

    /// The caches, the lowest first.
    public var caches: [any TieredImageCaching] {
        get { state.withLock { $0.caches.reversed() } }
        set { state.withLock { $0.caches = newValue.reversed() } }
    }

    /// How operations go to the caches.
    public var policies: Policies {
        get { state.withLock { $0.policies } }
        set { state.withLock { $0.policies = newValue } }
    }

    /// Puts a cache above all others.
    public func add(_ cache: any TieredImageCaching) { state.withLock { $0.caches.insert(cache, at: 0) } }

    /// See ``TieredImageCaching``. The highest that has it, whatever the policies: nobody is waited for.
    public func imageInMemory(for key: CacheKey) -> Image? {
        for cache in chosen(\.query).caches {
            if let image = cache.imageInMemory(for: key) { return image }
        }
        return nil
    }

    /// See ``TieredImageCaching``. A cache that fails counts as one without the picture while another has it.
    public func query(_ key: CacheKey, _ options: CacheQueryOptions) throws(ImageError) -> CacheHit? {
        try prepare(key, options).finish()
    }

    /// See ``TieredImageCaching``.
    public func store(
        _ image: Image?,
        data: CachedData?,
        for key: CacheKey,
        in tiers: CacheTiers
    ) throws(ImageError) {
        try each(\.store) { cache throws(ImageError) in try cache.store(image, data: data, for: key, in: tiers) }
    }

    /// See ``TieredImageCaching``.
    public func remove(_ removal: CacheRemoval, from tiers: CacheTiers) throws(ImageError) {
        try each(\.remove) { cache throws(ImageError) in try cache.remove(removal, from: tiers) }
    }

    /// See ``TieredImageCaching``. The levels of the first cache that has the picture; of all together where all are
    /// asked at once.
    public func contains(_ key: CacheKey, in tiers: CacheTiers) throws(ImageError) -> CacheTiers {
        let (caches, policy) = chosen(\.contains)
        if policy == .concurrent {
            let found = Lock<CacheTiers>([])
            try all(caches) { cache throws(ImageError) in
                let tiers = try cache.contains(key, in: tiers)
                found.withLock { $0.formUnion(tiers) }
            }
            return found.withLock { $0 }
        }
        for cache in caches {
            let found = try cache.contains(key, in: tiers)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// See ``TieredImageCaching``.
    public func clear(_ tiers: CacheTiers) throws(ImageError) {
        try each(\.clear) { cache throws(ImageError) in try cache.clear(tiers) }
    }

    // MARK: Policies

    private func chosen(_ operation: KeyPath<Policies, Policy>) -> (caches: [any TieredImageCaching], policy: Policy) {
        let (caches, policies) = state.withLock { ($0.caches, $0.policies) }
        let policy = policies[keyPath: operation]
        switch policy {
        case .serial, .concurrent: return (caches, policy)
        case .highestOnly: return (Array(caches.prefix(1)), policy)
        case .lowestOnly: return (Array(caches.suffix(1)), policy)
        }
    }

    /// Does the same in each cache; one that fails does not stop the others.
    private func each(
        _ operation: KeyPath<Policies, Policy>,
        _ work: @escaping @Sendable (any TieredImageCaching) throws(ImageError) -> Void
    ) throws(ImageError) {
        let (caches, policy) = chosen(operation)
        if policy == .concurrent { return try all(caches, work) }
        var failure: ImageError?
        for cache in caches {
            do { try work(cache) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Does the same in all caches at once, and waits for all.
    private func all(
        _ caches: [any TieredImageCaching],
        _ work: @escaping @Sendable (any TieredImageCaching) throws(ImageError) -> Void
    ) throws(ImageError) {
        let failure = Lock<ImageError?>(nil)
        DispatchQueue.concurrentPerform(iterations: caches.count) { index in
            do throws(ImageError) {
                try work(caches[index])
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// Asks all caches at once and returns with the first hit, or when all have missed.
    private func queryAll(
        _ caches: [any TieredImageCaching],
        _ key: CacheKey,
        _ options: CacheQueryOptions
    ) throws(ImageError) -> CacheHit? {
        let race = QueryRace(caches.count)
        let flag = CancellationFlag()
        for (index, cache) in caches.enumerated() {
            var wanted = askedBelow(options, index)
            wanted.cancellation = flag
            let options = wanted
            DispatchQueue.global().async {
                race.finish(Result { () throws(ImageError) in try cache.query(key, options) }, of: index)
            }
        }
        let (result, winner) = race.wait(options.cancellation)
        flag.cancel()
        guard let hit = try result.get() else { return nil }
        // One above that was slower may have the picture as well.
        let above = caches[..<winner].filter { (try? $0.contains(key, in: options.tiers))?.isEmpty ?? false }
        return kept(hit, key, options, in: above[...])
    }

    /// Asks one cache after the other, until one needs to decode.
    private func prepare(
        _ all: [any TieredImageCaching],
        from start: Int = 0,
        _ key: CacheKey,
        _ options: CacheQueryOptions,
        failure: ImageError? = nil
    ) throws(ImageError) -> PreparedQuery {
        var failure = failure
        for index in all.indices.dropFirst(start) {
            let above = all[..<index]
            do throws(ImageError) {
                switch try prepared(all[index], key, askedBelow(options, index)) {
                case .done(nil): continue
                case .done(let hit?): return .done(kept(hit, key, options, in: above))
                case .decode(let work):
                    let earlier = failure
                    return .decode { () throws(ImageError) in
                        var failure = earlier
                        do throws(ImageError) {
                            if let hit = try work() { return self.kept(hit, key, options, in: above) }
                        } catch {
                            if error.isCancellation { throw error }
                            failure = failure ?? error
                        }
                        return try self.prepare(all, from: index + 1, key, options, failure: failure).finish()
                    }
                }
            } catch {
                if error.isCancellation { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return .done(nil)
    }

    private func prepared(
        _ cache: any TieredImageCaching,
        _ key: CacheKey,
        _ options: CacheQueryOptions
    ) throws(ImageError) -> PreparedQuery {
        if let cache = cache as? any CachePreparing { return try cache.prepare(key, options) }
        return .done(try cache.query(key, options))
    }

    /// What is found below is to be kept above with its file.
    private func askedBelow(_ options: CacheQueryOptions, _ index: Int) -> CacheQueryOptions {
        var options = options
        if index > 0, options.promotes, options.tiers.contains(.disk) { options.wantsData = true }
        return options
    }

    /// Keeps a hit in the caches above, and takes from it what nobody asked for.
    private func kept(
        _ hit: CacheHit,
        _ key: CacheKey,
        _ options: CacheQueryOptions,
        in above: ArraySlice<any TieredImageCaching>
    ) -> CacheHit {
        if options.promotes { promote(hit, key, options, to: above) }
        var hit = hit
        if !options.wantsData, options.wantsImage { hit.data = nil }
        return hit
    }

    private func promote(
        _ hit: CacheHit,
        _ key: CacheKey,
        _ options: CacheQueryOptions,
        to caches: ArraySlice<any TieredImageCaching>
    ) {
        guard !caches.isEmpty else { return }
        let shownKey = options.targetSize.map(key.sized) ?? key
        for cache in caches {
            if options.tiers.contains(.memory), !(options.firstFrameOnly), let image = hit.image {
                try? cache.store(image, data: nil, for: shownKey, in: .memory)
            }
            if options.tiers.contains(.disk), let data = hit.data {
                try? cache.store(nil, data: data, for: key, in: .disk)
            }
        }
    }
}

extension ImageCaches: CachePreparing {
    func prepare(_ key: CacheKey, _ options: CacheQueryOptions) throws(ImageError) -> PreparedQuery {
        let (caches, policy) = chosen(\.query)
        if policy == .concurrent, caches.count > 1, options.tiers != .memory {
            return .done(try queryAll(caches, key, options))
        }
        return try prepare(caches, key, options)
    }
}

/// Waits for the first hit of several queries.
private final class QueryRace: Sendable {
    private struct State: Sendable {
        var waiting: Int
        var result: Result<CacheHit?, ImageError> = .success(nil)
        var winner = 0
        var isDecided = false
    }

    private let state: Lock<State>
    private let decided = DispatchSemaphore(value: 0)

    init(_ count: Int) { state = Lock(State(waiting: count)) }

    func finish(_ result: Result<CacheHit?, ImageError>, of index: Int) {
        let decides = state.withLock { state in
            guard !state.isDecided else { return false }
            state.waiting -= 1
            switch (result, state.result) {
            case (.success(.some), _):
                state.result = result
                state.winner = index
                state.isDecided = true
            case (.failure, .success): state.result = result
            default: break
            }
            if state.waiting == 0 { state.isDecided = true }
            return state.isDecided
        }
        if decides { decided.signal() }
    }

    /// What came of it, and which cache had the hit.
    func wait(_ cancellation: CancellationFlag?) -> (Result<CacheHit?, ImageError>, winner: Int) {
        while decided.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
            if cancellation?.isCancelled == true {
                return (.failure(ImageError(.cancelled, "the query was cancelled", stage: .cacheRead)), 0)
            }
        }
        return state.withLock { ($0.result, $0.winner) }
    }
}
