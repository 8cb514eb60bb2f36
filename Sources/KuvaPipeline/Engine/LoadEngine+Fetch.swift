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
        let transfer = request.transfer ?? LoadRequest(url: request.url)
        let now = configuration.time.monotonic
        let started = state.withLock { state -> JobID? in
            guard let priority = state.pictures.priority(of: picture) else { return nil }
            let joined = state.fetches.join(
                key,
                subscriber: picture,
                priority: priority,
                payload: FetchJob(key: key, transfer: transfer, start: now)
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
            readDisk(started, key: key, transfer: transfer)
        } else {
            load(started, key: key)
        }
    }

    /// Ends the work of a fetch that nobody waits for.
    func stop(_ fetch: FetchJob) {
        if let disk = fetch.diskTicket { configuration.diskPool.cancel(disk) }
        fetch.load?.cancel()
    }

    private func readDisk(_ id: JobID, key: FetchJobKey, transfer: LoadRequest) {
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
            found(entry, for: id, key: key, transfer: transfer)
        }
        state.withLock { $0.fetches[id]?.diskTicket = ticket }
    }

    /// Asks the source.
    func load(_ id: JobID, key: FetchJobKey) {
        guard let loadRequest = state.withLock({ $0.beginLoad(id) }) else { return }
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
        let handle = loader.load(loadRequest) { [self] event in
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

    /// Keeps what is known of pictures in memory up to date with a file that has come.
    private func note(_ loaded: LoadedData, for key: FetchJobKey, isNew: Bool) {
        guard let response = loaded.response else { return }
        let now = configuration.time.wall
        freshness.withLock { $0.answered(key.original, response, at: now) }
        // Pictures of other sizes were made of the file before this one.
        if isNew, key.transfer != nil {
            configuration.memoryCache(for: key.parts)?.removeImages(ofOriginal: key.original.original)
        }
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

    /// Ends a fetch and gives its file, or its error, to all picture jobs that wait for it.
    ///
    /// - Parameters:
    ///   - isConfirmed: whether the file is the disk entry's after the server was asked about it.
    ///   - isStored: whether the file may be stored, if it did not come from disk or was confirmed.
    func finishFetch(
        _ id: JobID,
        _ result: Result<LoadedData, ImageError>,
        origin: ImageResponse.Origin,
        isConfirmed: Bool = false,
        isStored mayStore: Bool = true
    ) {
        guard let fetch = state.withLock({ $0.fetches[id] }) else { return }
        switch result {
        case .failure(let error):
            let located = error.locating(stage: .download, url: fetch.key.url)
            for picture in state.withLock({ $0.fetches.finish(id) }) { finishPicture(picture, .failure(located)) }
        case .success(let loaded):
            let isStored =
                mayStore && (origin != .disk || isConfirmed) && loaded.isCacheable
                && fetch.key.policy.contains(.writeDisk) && configuration.diskCache(for: fetch.key.parts) != nil
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
            note(loaded, for: key, isNew: origin == .network)
            for picture in pictures {
                let known = isConfirmed ? state.withLock { $0.pictures[picture]?.known } : nil
                if let known { finishPicture(picture, .success(known.from(file))) } else { decode(file, for: picture) }
            }
        }
    }
}

extension LoadEngine.State {
    /// A fetch goes to its source. Returns what to ask for; `nil` if it has ended.
    ///
    /// A picture that the disk cache had is shown whole already: previews of its successor would be a step back.
    fileprivate mutating func beginLoad(_ id: JobID) -> LoadRequest? {
        guard let priority = fetches.priority(of: id), let job = fetches[id] else { return nil }
        var request = job.transfer
        request.url = job.key.url
        request.priority = priority
        request.known = job.entry?.response
        request.wantsBytes =
            job.entry == nil && fetches.subscribers(of: id).contains { pictures[$0]?.previews != nil }
        if request.wantsBytes { fetches[id]?.pieces = [] }
        return request
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
