internal import FoundationEssentials
internal import KuvaCore

/// The way to the bytes: disk cache, then the source.
extension LoadEngine {
    /// Lets a picture job wait for its file, starting the fetch if nobody has.
    func startFetch(for picture: JobID, request: ImageRequest, policy: CachePolicy) {
        var key = FetchJobKey(request)
        key.policy.formIntersection(policy)
        if key.policy.contains(.readDisk), let file = state.withLock({ $0.unstored[key] }) {
            return decode(file, for: picture)
        }
        let now = configuration.time.monotonic
        let started = state.withLock { state -> JobID? in
            guard let priority = state.pictures.priority(of: picture) else { return nil }
            let joined = state.fetches.join(
                key,
                subscriber: picture,
                priority: priority,
                payload: FetchJob(key: key, start: now)
            )
            switch joined {
            case .started(let ticket):
                state.pictures[picture]?.source = .fetch(ticket)
                return ticket.job
            case .joined(let ticket, _):
                state.pictures[picture]?.source = .fetch(ticket)
                return nil
            }
        }
        guard let started else { return catchUp(picture) }
        if key.policy.contains(.readDisk), configuration.diskCache(for: key.parts) != nil {
            readDisk(started, key: key)
        } else {
            load(started, key: key)
        }
    }

    /// Ends the work of a fetch that nobody waits for.
    func stop(_ fetch: FetchJob) {
        if let disk = fetch.diskTicket { configuration.diskPool.cancel(disk) }
        fetch.load?.cancel()
    }

    private func readDisk(_ id: JobID, key: FetchJobKey) {
        let priority = state.withLock { $0.fetches.priority(of: id) } ?? .normal
        let start = configuration.time.monotonic
        let ticket = configuration.diskPool.submit(priority: priority) { [self] in
            var entry: CachedData?
            var failure: ImageError?
            do throws(ImageError) {
                entry = try configuration.diskCache(for: key.parts)?.data(for: key.original)
            } catch {
                let warning = error.locating(stage: .cacheRead, url: key.url)
                failure = warning
                state.withLock { $0.fetches[id]?.warnings.append(warning) }
            }
            counters.count(entry == nil ? .diskMiss : .diskHit)
            record(.cacheRead, key.url, since: start, byteCount: entry?.bytes.count, error: failure)
            if let entry {
                finishFetch(id, .success(LoadedData(bytes: entry.bytes, response: entry.response)), origin: .disk)
            } else {
                load(id, key: key)
            }
        }
        state.withLock { $0.fetches[id]?.diskTicket = ticket }
    }

    private func load(_ id: JobID, key: FetchJobKey) {
        guard let (priority, wantsBytes) = state.withLock({ $0.beginLoad(id) }) else { return }
        guard key.policy.contains(.load) else {
            let error = ImageError(
                .notInCache,
                "the picture is in no cache",
                advice: "allow the request to load it",
                stage: .cacheRead,
                url: key.url
            )
            return finishFetch(id, .failure(error), origin: .disk)
        }
        guard let loader = configuration.loader(for: key.url, parts: key.parts) else {
            let scheme = key.url.scheme ?? ""
            let error = ImageError(
                .unsupportedScheme,
                scheme.isEmpty ? "the URL has no scheme" : "nothing loads URLs of the scheme “\(scheme)”",
                advice: "use http, https or file, or register a loader",
                stage: .request,
                url: key.url
            )
            return finishFetch(id, .failure(error), origin: .network)
        }
        let start = configuration.time.monotonic
        let handle = loader.load(LoadRequest(url: key.url, priority: priority, wantsBytes: wantsBytes)) {
            [self] event in
            switch event {
            case .progress(let progress): report(progress, from: id)
            case .bytes(let piece): preview(piece, from: id)
            case .finished(let result):
                noteLoad(key.url, since: start, result)
                finishLoad(id, result)
            }
        }
        let isWanted = state.withLock { state -> Bool in
            guard state.fetches[id] != nil else { return false }
            state.fetches[id]?.load = handle
            return true
        }
        if !isWanted { handle.cancel() }
    }

    private func report(_ progress: LoadProgress, from id: JobID) {
        let tasks = state.withLock { state in
            state.fetches.subscribers(of: id).flatMap { state.tasks(waitingFor: $0) }
        }
        for task in tasks { task.report(progress) }
    }

    private func noteLoad(_ url: URL, since start: Duration, _ result: Result<LoadedData, ImageError>) {
        switch result {
        case .success(let loaded):
            counters.count(.load)
            counters.count(.loadedBytes, loaded.bytes.count)
            record(.download, url, since: start, byteCount: loaded.bytes.count)
        case .failure(let error):
            record(.download, url, since: start, error: error)
        }
    }

    private func finishLoad(_ id: JobID, _ result: Result<LoadedData, ImageError>) {
        let isLocal = (try? result.get()).map { $0.response == nil } ?? false
        finishFetch(id, result, origin: isLocal ? .local : .network)
    }

    /// Ends a fetch and gives its file, or its error, to all picture jobs that wait for it.
    private func finishFetch(
        _ id: JobID,
        _ result: Result<LoadedData, ImageError>,
        origin: ImageResponse.Origin
    ) {
        guard let fetch = state.withLock({ $0.fetches[id] }) else { return }
        switch result {
        case .failure(let error):
            let located = error.locating(stage: .download, url: fetch.key.url)
            for picture in state.withLock({ $0.fetches.finish(id) }) { finishPicture(picture, .failure(located)) }
        case .success(let loaded):
            let isStored =
                origin != .disk && loaded.isCacheable && fetch.key.policy.contains(.writeDisk)
                && configuration.diskCache(for: fetch.key.parts) != nil
            let key = fetch.key
            let file = FetchedFile(
                key: fetch.key,
                loaded: loaded,
                origin: origin,
                fetchTime: configuration.time.monotonic - fetch.start,
                warnings: fetch.warnings,
                isStored: isStored,
                onRelease: { [state] in state.withLock { $0.unstored.released(key) } }
            )
            let pictures = state.withLock { state in
                if isStored { state.unstored.fetched(file) }
                return state.fetches.finish(id)
            }
            for picture in pictures { decode(file, for: picture) }
        }
    }
}

extension LoadEngine.State {
    /// A fetch goes to its source. Returns its priority and whether someone wants previews; `nil` if it has ended.
    fileprivate mutating func beginLoad(_ id: JobID) -> (Priority, wantsBytes: Bool)? {
        guard let priority = fetches.priority(of: id) else { return nil }
        let wantsBytes = fetches.subscribers(of: id).contains { pictures[$0]?.previews != nil }
        if wantsBytes { fetches[id]?.pieces = [] }
        return (priority, wantsBytes)
    }

    /// The tasks that wait for a picture, or for something made from it.
    func tasks(waitingFor id: JobID) -> [ImageTask] {
        pictures.subscribers(of: id).flatMap { subscriber -> [ImageTask] in
            switch subscriber {
            case .task(let task): [task]
            case .step(let step): tasks(waitingFor: step)
            }
        }
    }
}
