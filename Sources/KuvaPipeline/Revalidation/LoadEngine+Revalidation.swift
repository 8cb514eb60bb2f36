internal import FoundationEssentials
internal import KuvaCore

/// What servers say about caching, between the disk entry and the loader (RFC 9111). The decisions themselves are made
/// by ``HTTPCachePolicy`` and ``StoredResponse``.
extension LoadEngine {
    /// The picture in memory that may serve a request without asking anyone.
    func imageInMemory(for request: ImageRequest) -> Image? {
        guard request.mayBeServedFromMemory else { return nil }
        if request.httpCachePolicy == .useProtocol {
            let now = configuration.time.wall
            guard freshness.withLock({ $0.isFresh(request.originalKey, at: now) }) else { return nil }
        }
        return configuration.memoryCache(for: request.parts)?.image(for: request.cacheKey)
    }

    /// The disk cache has been looked into: use what it has, ask the server about it, or fetch.
    func found(_ entry: CachedData?, for id: JobID, key: FetchJobKey, transfer: LoadRequest) {
        let now = configuration.time.wall
        switch transfer.cachePolicy.decision(for: entry, request: transfer.headers, at: now) {
        case .fetch, .notInCache: load(id, key: key)
        case .use:
            guard let entry else { return load(id, key: key) }
            finishFetch(id, .success(LoadedData(entry)), origin: .disk)
        case .revalidate:
            state.withLock { $0.fetches[id]?.entry = entry }
            load(id, key: key)
        case .useThenRevalidate:
            guard let entry else { return load(id, key: key) }
            if transfer.cachePolicy == .refresh {
                state.withLock { $0.fetches[id]?.entry = entry }
                preview(entry, from: id)
                load(id, key: key)
            } else {
                finishFetch(id, .success(LoadedData(entry)), origin: .disk)
                revalidate(key, transfer: transfer)
            }
        }
    }

    /// The loader has ended. A file that is still good, or good enough, is the entry's.
    func finishLoad(_ id: JobID, _ result: Result<LoadedData, ImageError>) {
        let fetch = state.withLock { $0.fetches[id] }
        guard let fetch, let entry = fetch.entry else {
            let isLocal = (try? result.get()).map { $0.response == nil } ?? false
            return finishFetch(id, result, origin: isLocal ? .local : .network)
        }
        let now = configuration.time.wall
        switch result {
        case .success(let loaded) where loaded.isNotModified:
            let confirmed = entry.confirmed(by: loaded, at: now)
            finishFetch(id, .success(LoadedData(confirmed)), origin: .disk, isConfirmed: true)
        case .success:
            finishFetch(id, result, origin: .network)
        case .failure(let error):
            let transfer = fetch.transfer
            let mayBeUsed = entry.response?.mayBeUsed(
                insteadOf: error,
                policy: transfer.cachePolicy,
                request: transfer.headers,
                at: now
            )
            guard mayBeUsed ?? true, !error.isCancellation else { return finishFetch(id, result, origin: .network) }
            state.withLock { $0.fetches[id]?.warnings.append(error.locating(stage: .download, url: fetch.key.url)) }
            finishFetch(id, .success(LoadedData(entry)), origin: .disk, isConfirmed: true, isStored: false)
        }
    }

    /// Asks the server about a file behind its callers' backs (RFC 5861 §3): a load of its own, for nobody.
    private func revalidate(_ key: FetchJobKey, transfer: LoadRequest) {
        var request = ImageRequest(url: key.url, priority: .low, cachePolicy: [.readDisk, .writeDisk, .load])
        request.cacheName = key.original.original
        request.parts = key.parts
        request.transfer = transfer
        request.httpCachePolicy = .refresh
        // The engine keeps the task until it has ended.
        start(ImageTask(request: request, engine: self))
    }

    /// Shows the picture of an entry to all who wait, while the server is asked about it.
    private func preview(_ entry: CachedData, from fetch: JobID) {
        guard let job = state.withLock({ $0.fetches[fetch] }) else { return }
        let file = FetchedFile(
            key: job.key,
            loaded: LoadedData(entry),
            origin: .disk,
            fetchTime: configuration.time.monotonic - job.start,
            warnings: job.warnings,
            isStored: false,
            onRelease: {}
        )
        for picture in state.withLock({ $0.fetches.subscribers(of: fetch) }) { decodeKnown(file, for: picture) }
    }
}

extension LoadedData {
    /// What a disk entry holds.
    fileprivate init(_ entry: CachedData) { self.init(bytes: entry.bytes, response: entry.response) }
}
