public import KuvaCore

/// A query under way. Its completion is called exactly once: with the result, or by ``cancel()``.
public final class CacheQuery: Sendable {
    /// What a query ends with; `nil` for a miss.
    public typealias Completion = @Sendable (Result<CacheHit?, ImageError>) -> Void

    private struct State: Sendable {
        var completion: Completion?
    }

    private let state: Lock<State>
    let cancellation = CancellationFlag()

    /// - Parameter completion: called once, on the thread that finishes or cancels the query.
    init(_ completion: @escaping Completion) { state = Lock(State(completion: completion)) }

    /// Whether the completion has been called.
    public var isFinished: Bool { state.withLock { $0.completion == nil } }

    /// Ends the query: its completion is called before this returns, with the code `cancelled`, unless it was called
    /// already.
    public func cancel() {
        cancellation.cancel()
        finish(.failure(ImageError(.cancelled, "the query was cancelled", stage: .cacheRead)))
    }

    func finish(_ result: Result<CacheHit?, ImageError>) {
        let completion = state.withLock { state in
            defer { state.completion = nil }
            return state.completion
        }
        completion?(result)
    }
}

extension TieredImageCaching {
    /// Looks for a picture without blocking. A hit in memory calls the completion before this returns; everything else
    /// is done on threads of the cache's own, files and decoding apart.
    ///
    /// - Returns: the query, which can be cancelled. It goes on if it is dropped.
    @discardableResult
    public func query(
        _ key: CacheKey,
        _ options: CacheQueryOptions = CacheQueryOptions(),
        completion: @escaping CacheQuery.Completion
    ) -> CacheQuery {
        let query = CacheQuery(completion)
        var options = options
        if let outer = options.cancellation, outer.isCancelled {
            query.cancel()
            return query
        }
        if !options.wantsData {
            var memoryOnly = options
            memoryOnly.tiers = options.tiers.intersection(.memory)
            do throws(ImageError) {
                if let hit = try self.query(key, memoryOnly) {
                    query.finish(.success(hit))
                    return query
                }
            } catch {
                query.finish(.failure(error))
                return query
            }
        }
        options.cancellation = query.cancellation
        let wanted = options
        CacheWork.files.submit {
            if query.isFinished { return }
            if wanted.wantsImage, wanted.tiers.contains(.disk), let prepared = self as? any CachePreparing {
                query.finish(prepared, key, wanted)
            } else {
                query.finish(Result { () throws(ImageError) in try self.query(key, wanted) })
            }
        }
        return query
    }

    /// Looks for a picture. Cancelling the task ends the query with the code `cancelled`.
    public func query(
        _ key: CacheKey,
        _ options: CacheQueryOptions = CacheQueryOptions()
    ) async throws(ImageError) -> CacheHit? {
        let slot = Lock<CacheQuery?>(nil)
        let result: Result<CacheHit?, ImageError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancelled task starts nothing: the answer could come before the cancelling.
                var options = options
                if Task.isCancelled {
                    options.cancellation = CancellationFlag()
                    options.cancellation?.cancel()
                }
                let query = self.query(key, options) { continuation.resume(returning: $0) }
                slot.withLock { $0 = query }
                if Task.isCancelled { query.cancel() }
            }
        } onCancel: {
            slot.withLock { $0 }?.cancel()
        }
        return try result.get()
    }

    /// Keeps a picture, its file, or both: in memory at once, on disk on a thread of the cache's own.
    ///
    /// - Parameter completion: called once; before this returns if no file is to be written.
    public func store(
        _ image: Image?,
        data: CachedData? = nil,
        for key: CacheKey,
        in tiers: CacheTiers = .all,
        completion: @escaping @Sendable (Result<Void, ImageError>) -> Void
    ) {
        let memory = tiers.intersection(.memory)
        if image != nil, !memory.isEmpty { try? store(image, data: nil, for: key, in: memory) }
        guard tiers.contains(.disk) else { return completion(.success(())) }
        CacheWork.files.submit {
            completion(Result { () throws(ImageError) in try self.store(image, data: data, for: key, in: .disk) })
        }
    }

    /// Keeps a picture, its file, or both.
    public func store(
        _ image: Image?,
        data: CachedData? = nil,
        for key: CacheKey,
        in tiers: CacheTiers = .all
    ) async throws(ImageError) {
        try await later { completion in self.store(image, data: data, for: key, in: tiers, completion: completion) }
    }

    /// Removes pictures: from memory at once, from disk on a thread of the cache's own.
    public func remove(
        _ removal: CacheRemoval,
        from tiers: CacheTiers = .all,
        completion: @escaping @Sendable (Result<Void, ImageError>) -> Void
    ) {
        split(tiers, completion) { cache, tiers throws(ImageError) in try cache.remove(removal, from: tiers) }
    }

    /// Removes pictures.
    public func remove(_ removal: CacheRemoval, from tiers: CacheTiers = .all) async throws(ImageError) {
        try await later { completion in self.remove(removal, from: tiers, completion: completion) }
    }

    /// Empties some levels: memory at once, the disk on a thread of the cache's own.
    public func clear(
        _ tiers: CacheTiers = .all,
        completion: @escaping @Sendable (Result<Void, ImageError>) -> Void
    ) {
        split(tiers, completion) { cache, tiers throws(ImageError) in try cache.clear(tiers) }
    }

    /// Empties some levels.
    public func clear(_ tiers: CacheTiers = .all) async throws(ImageError) {
        try await later { completion in self.clear(tiers, completion: completion) }
    }

    /// Which of the levels asked for have a picture.
    public func contains(
        _ key: CacheKey,
        in tiers: CacheTiers = .all,
        completion: @escaping @Sendable (Result<CacheTiers, ImageError>) -> Void
    ) {
        CacheWork.files.submit {
            completion(Result { () throws(ImageError) in try self.contains(key, in: tiers) })
        }
    }

    /// Which of the levels asked for have a picture.
    public func contains(_ key: CacheKey, in tiers: CacheTiers = .all) async throws(ImageError) -> CacheTiers {
        try await later { completion in self.contains(key, in: tiers, completion: completion) }
    }

    private func split(
        _ tiers: CacheTiers,
        _ completion: @escaping @Sendable (Result<Void, ImageError>) -> Void,
        _ work: @escaping @Sendable (Self, CacheTiers) throws(ImageError) -> Void
    ) {
        let memory = tiers.intersection(.memory)
        if !memory.isEmpty { try? work(self, memory) }
        guard tiers.contains(.disk) else { return completion(.success(())) }
        CacheWork.files.submit { completion(Result { () throws(ImageError) in try work(self, .disk) }) }
    }

    private func later<R: Sendable>(
        _ start: (@escaping @Sendable (Result<R, ImageError>) -> Void) -> Void
    ) async throws(ImageError) -> R {
        let result: Result<R, ImageError> = await withCheckedContinuation { continuation in
            start { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}

/// A cache that can read a file on one thread and decode it on another.
protocol CachePreparing: Sendable {
    /// Reads what a query needs.
    func prepare(_ key: CacheKey, _ options: CacheQueryOptions) throws(ImageError) -> PreparedQuery
}

/// A query whose files have been read.
enum PreparedQuery: Sendable {
    /// It is answered.
    case done(CacheHit?)
    /// What is left is to decode.
    case decode(@Sendable () throws(ImageError) -> CacheHit?)

    /// Does what is left on this thread.
    func finish() throws(ImageError) -> CacheHit? {
        switch self {
        case .done(let hit): hit
        case .decode(let work): try work()
        }
    }
}

extension CacheQuery {
    /// Reads on this thread and decodes on one that is for that.
    fileprivate func finish(_ cache: any CachePreparing, _ key: CacheKey, _ options: CacheQueryOptions) {
        do throws(ImageError) {
            switch try cache.prepare(key, options) {
            case .done(let hit): finish(.success(hit))
            case .decode(let work):
                CacheWork.pictures.submit { self.finish(Result { () throws(ImageError) in try work() }) }
            }
        } catch {
            finish(.failure(error))
        }
    }
}
