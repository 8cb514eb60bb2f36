internal import FoundationEssentials
internal import KuvaCore

/// What servers say about caching, between the disk entry and the loader (RFC 9111). The decisions themselves are made
/// by ``HTTPCachePolicy`` and ``StoredResponse``.
extension LoadEngine {
    /// The picture in memory that may serve a request without asking anyone.
    func imageInMemory(for request: ImageRequest, key: CacheKey) -> Image? {
        guard request.mayBeServedFromMemory else { return nil }
        if request.httpCachePolicy == .useProtocol {
            let now = configuration.time.wall
            guard freshness.withLock({ $0.isFresh(key.originalKey, at: now) }) else { return nil }
        }
        return configuration.memoryCache(for: request.parts)?.image(for: key)
    }

    /// The disk cache has been looked into: use what it has, ask the server about it, or fetch.
    func found(_ entry: CachedData?, for id: JobID, spec: FetchSpec) {
        let transfer = spec.transfer
        let now = configuration.time.wall
        switch transfer.cachePolicy.decision(for: entry, request: transfer.headers, at: now) {
        case .fetch, .notInCache: load(id, spec: spec)
        case .use:
            guard let entry else { return load(id, spec: spec) }
            finishFetch(id, spec, .success(LoadedData(entry)), origin: .disk)
        case .revalidate:
            guard let entry else { return load(id, spec: spec) }
            state.withLock { _ = $0.fetches.update(id) { $0.entry = Boxed(entry) } }
            load(id, spec: spec)
        case .useThenRevalidate:
            guard let entry else { return load(id, spec: spec) }
            if transfer.cachePolicy == .refresh {
                state.withLock { _ = $0.fetches.update(id) { $0.entry = Boxed(entry) } }
                preview(entry, from: id)
                load(id, spec: spec)
            } else {
                finishFetch(id, spec, .success(LoadedData(entry)), origin: .disk)
                revalidate(spec, transfer: transfer)
            }
        }
    }

    /// The loader has ended. A file that is still good, or good enough, is the entry's.
    ///
    /// - Parameter entry: what the disk cache had when the load began.
    func finishLoad(
        _ id: JobID,
        _ spec: FetchSpec,
        _ result: Result<LoadedData, ImageError>,
        entry: Boxed<CachedData>?
    ) {
        guard let entry = entry?.value else {
            if case .success(let loaded) = result, let (file, error) = knownBadFile(spec),
                loaded.isNotModified || file.isLike(loaded.bytes)
            {
                return finishFetch(id, spec, .failure(error), origin: .network)
            }
            // What was known has been removed by hand meanwhile: the file is needed after all.
            if (try? result.get())?.isNotModified == true { return load(id, spec: spec) }
            let isLocal = (try? result.get()).map { $0.response == nil } ?? false
            return finishFetch(id, spec, result, origin: isLocal ? .local : .network)
        }
        let now = configuration.time.wall
        switch result {
        case .success(let loaded) where loaded.isNotModified:
            let confirmed = entry.confirmed(by: loaded, at: now)
            finishFetch(id, spec, .success(LoadedData(confirmed)), origin: .disk, isConfirmed: true)
        case .success:
            finishFetch(id, spec, result, origin: .network)
        case .failure(let error):
            let transfer = spec.transfer
            let mayBeUsed = entry.response?.mayBeUsed(
                insteadOf: error,
                policy: transfer.cachePolicy,
                request: transfer.headers,
                at: now
            )
            guard mayBeUsed ?? true, !error.isCancellation else {
                return finishFetch(id, spec, result, origin: .network)
            }
            let warning = error.locating(stage: .download, url: spec.url)
            state.withLock { _ = $0.fetches.update(id) { $0.warnings.append(warning) } }
            finishFetch(id, spec, .success(LoadedData(entry)), origin: .disk, isConfirmed: true, isStored: false)
        }
    }

    /// Asks the server about a file behind its callers' backs (RFC 5861 §3): a load of its own, for nobody.
    private func revalidate(_ spec: FetchSpec, transfer: LoadRequest) {
        var request = ImageRequest(url: spec.url, priority: .low, cachePolicy: [.readDisk, .writeDisk, .load])
        request.cacheName = spec.original.original
        request.parts = spec.parts
        request.transfer = transfer
        request.httpCachePolicy = .refresh
        // The engine keeps the task until it has ended.
        let task = ImageTask(request: request, engine: self)
        start(task, key: request.cacheKey, since: configuration.time.monotonic, seen: nil)
    }

    /// Shows the picture of an entry to all who wait, while the server is asked about it.
    private func preview(_ entry: CachedData, from fetch: JobID) {
        guard
            let (spec, job) = state.withLock({ state in
                state.fetches.key(of: fetch).flatMap { spec in state.fetches[fetch].map { (spec, $0) } }
            })
        else { return }
        let file = FetchedFile(
            spec: spec,
            loaded: LoadedData(entry),
            origin: .disk,
            fetchTime: configuration.time.monotonic - job.start,
            warnings: job.warnings
        )
        for picture in state.withLock({ $0.fetches.subscribers(of: fetch) }) { decodeKnown(file, for: picture) }
    }
}

extension LoadedData {
    /// What a disk entry holds.
    fileprivate init(_ entry: CachedData) { self.init(bytes: entry.bytes, response: entry.response) }
}
