internal import FoundationEssentials
internal import KuvaCore

/// The way to the bytes: disk cache, then the source.
extension LoadEngine {
    fileprivate enum FetchStart {
        /// Nobody wants the picture any more.
        case unwanted
        /// The file has come already and is not on disk yet.
        case here(FetchedFile)
        case joined(JobTicket, newPriority: Priority?)
        /// The source is to be asked, unless the disk is looked at before.
        case started(JobID, LoadStart?)
    }

    /// How a fetch goes to its source.
    struct LoadStart: Sendable {
        let priority: Priority
        /// What the disk cache had.
        let entry: Boxed<CachedData>?
        /// Whether somebody wants bytes before the end.
        let wantsBytes: Bool
    }

    /// Lets a picture job wait for its file, starting the fetch if nobody has.
    func startFetch(for picture: JobID, spec: PictureSpec, policy: CachePolicy, since start: Duration) {
        let fetch = FetchSpec(spec, policy: policy)
        let readsDisk = fetch.policy.contains(.readDisk) && configuration.diskCache(for: fetch.parts) != nil
        let outcome = state.withLock { state in
            state.startFetch(fetch, for: picture, since: start) { state, id in
                readsDisk ? nil : state.beginLoad(id)
            }
        }
        switch outcome {
        case .unwanted: break
        case .here(let file): decode(file, for: picture)
        case .joined(let ticket, let priority):
            if let priority { passOn(priority, of: ticket.job) }
            catchUp(picture)
        case .started(let id, nil): readDisk(id, spec: fetch)
        case .started(let id, let beginning?): load(id, spec: fetch, beginning)
        }
    }

    /// Ends the work of a fetch that nobody waits for.
    func stop(_ fetch: FetchJob) {
        if let disk = fetch.diskTicket { configuration.diskPool.cancel(disk) }
        fetch.load?.cancel()
    }

    private func readDisk(_ id: JobID, spec: FetchSpec) {
        let priority = state.withLock { $0.fetches.priority(of: id) } ?? .normal
        let start = configuration.time.monotonic
        let ticket = configuration.diskPool.submit(priority: priority) { [self] in
            var entry: CachedData?
            var failure: ImageError?
            do throws(ImageError) {
                entry = try configuration.diskCache(for: spec.parts)?.data(for: spec.original)
            } catch {
                let warning = error.locating(stage: .cacheRead, url: spec.url)
                failure = warning
                state.withLock { _ = $0.fetches.update(id) { $0.warnings.append(warning) } }
            }
            counters.count(entry == nil ? .diskMiss : .diskHit)
            record(.cacheRead, spec.url, since: start, byteCount: entry?.bytes.count, error: failure)
            found(entry, for: id, spec: spec)
        }
        if !began(id, as: priority, { $0.diskTicket = ticket }) { configuration.diskPool.cancel(ticket) }
    }

    /// Asks the source.
    func load(_ id: JobID, spec: FetchSpec) {
        if let beginning = state.withLock({ $0.beginLoad(id) }) { load(id, spec: spec, beginning) }
    }

    private func load(_ id: JobID, spec: FetchSpec, _ beginning: LoadStart) {
        var loadRequest = spec.transfer
        loadRequest.url = spec.url
        loadRequest.priority = beginning.priority
        loadRequest.known = beginning.entry?.value.response ?? knownBadFile(spec)?.file.response
        loadRequest.wantsBytes = beginning.wantsBytes
        guard spec.policy.contains(.load), configuration.mayLoad?(loadRequest) ?? true else {
            let isAllowed = spec.policy.contains(.load)
            let error = ImageError(
                .notInCache,
                isAllowed ? "the picture is in no cache and mayLoad refuses it" : "the picture is in no cache",
                advice: isAllowed ? "" : "allow the request to load it",
                stage: .cacheRead,
                url: spec.url
            )
            return finishFetch(id, spec, .failure(error), origin: .disk)
        }
        guard let loader = configuration.loader(for: spec.url, parts: spec.parts) else {
            let scheme = spec.url.scheme ?? ""
            let error = ImageError(
                .unsupportedScheme,
                scheme.isEmpty ? "the URL has no scheme" : "nothing loads URLs of the scheme “\(scheme)”",
                advice: "use http, https or file, or register a loader",
                stage: .request,
                url: spec.url
            )
            return finishFetch(id, spec, .failure(error), origin: .network)
        }
        let start = configuration.onStageEnd == nil ? .zero : configuration.time.monotonic
        let handle = loader.load(loadRequest) { [self] event in
            switch event {
            case .progress(let progress): report(progress, from: id)
            case .bytes(let piece): preview(piece, from: id)
            case .finished(let result):
                noteLoad(spec.url, since: start, result)
                finishLoad(id, spec, result, entry: beginning.entry)
            }
        }
        if !began(id, as: beginning.priority, { $0.load = handle }) { handle.cancel() }
    }

    /// Notes who works for a fetch, and tells them if it has become more or less urgent since they were asked.
    ///
    /// - Returns: `false` if nobody wants it any more.
    private func began(_ id: JobID, as priority: Priority, _ note: (inout FetchJob) -> Void) -> Bool {
        let now = state.withLock { state in
            state.fetches.update(id, note) == nil ? nil : state.fetches.priority(of: id)
        }
        if let now, now != priority { passOn(now, of: id) }
        return now != nil
    }

    /// Keeps what is known of pictures in memory up to date with a file that has come.
    private func note(_ loaded: LoadedData, for spec: FetchSpec, isNew: Bool) {
        guard let response = loaded.response else { return }
        let now = configuration.time.wall
        freshness.withLock { $0.answered(spec.original, response, at: now) }
        // Pictures of other sizes were made of the file before this one.
        if isNew, !spec.isPlain {
            configuration.memoryCache(for: spec.parts)?.removeImages(ofOriginal: spec.original.original)
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
        _ spec: FetchSpec,
        _ result: Result<LoadedData, ImageError>,
        origin: ImageResponse.Origin,
        isConfirmed: Bool = false,
        isStored mayStore: Bool = true
    ) {
        switch result {
        case .failure(let error):
            let pictures = state.withLock({ $0.fetches.finish(id) }).subscribers
            guard !pictures.isEmpty else { return }
            let located = error.locating(stage: .download, url: spec.url)
            for picture in pictures { finishPicture(picture, .failure(located)) }
        case .success(let loaded):
            let isStored =
                mayStore && (origin != .disk || isConfirmed) && loaded.isCacheable && spec.policy.contains(.writeDisk)
                && configuration.diskCache(for: spec.parts) != nil
            let now = configuration.time.monotonic
            let (ended, file, works) = state.withLock { state in
                let ended = state.fetches.finish(id)
                let file = ended.payload.map { job in
                    makeFile(spec, loaded, origin: origin, job: job, now: now, isStored: isStored, &state)
                }
                return (ended, file, ended.subscribers.map { state.work(for: $0) })
            }
            guard let file else { return }
            note(loaded, for: spec, isNew: origin == .network)
            for (picture, work) in zip(ended.subscribers, works) {
                guard let work else { continue }
                if isConfirmed, let known = work.known?.value {
                    finishPicture(picture, .success(known.from(file)))
                } else {
                    decode(file, for: picture, work)
                }
            }
        }
    }
}

extension LoadEngine {
    /// A file that has come. One that is to be stored is found until it is.
    private func makeFile(
        _ spec: FetchSpec,
        _ loaded: LoadedData,
        origin: ImageResponse.Origin,
        job: FetchJob,
        now: Duration,
        isStored: Bool,
        _ state: inout State
    ) -> FetchedFile {
        let number = state.unstored.nextNumber()
        var onRelease: (@Sendable () -> Void)?
        if isStored {
            onRelease = { [state = self.state] in state.withLock { $0.unstored.released(spec, number: number) } }
        }
        let file = FetchedFile(
            spec: spec,
            loaded: loaded,
            origin: origin,
            fetchTime: now - job.start,
            warnings: job.warnings,
            removeOlder: isStored && origin == .network ? olderRemoval(spec, job) : nil,
            onRelease: onRelease
        )
        if isStored { state.unstored.fetched(file, number: number) }
        return file
    }
}

extension LoadEngine {
    /// How what was made of an older file leaves the disk; `nil` if there can be none.
    private func olderRemoval(_ spec: FetchSpec, _ job: FetchJob) -> (@Sendable () throws(ImageError) -> Void)? {
        guard job.entry != nil || !spec.policy.contains(.readDisk) || !spec.isPlain,
            let cache = configuration.diskCache(for: spec.parts)
        else { return nil }
        return { () throws(ImageError) in try cache.removeData(ofOriginal: spec.original.original) }
    }
}

extension LoadEngine.State {
    fileprivate mutating func startFetch(
        _ fetch: FetchSpec,
        for picture: JobID,
        since start: Duration,
        beginning: (inout Self, JobID) -> LoadEngine.LoadStart?
    ) -> LoadEngine.FetchStart {
        guard let priority = pictures.priority(of: picture) else { return .unwanted }
        if fetch.policy.contains(.readDisk), let file = unstored.file(for: fetch) { return .here(file) }
        let joined = fetches.join(fetch, subscriber: picture, priority: priority, payload: FetchJob(start: start))
        switch joined {
        case .started(let ticket):
            pictures.update(picture) { $0.source = .fetch(ticket) }
            return .started(ticket.job, beginning(&self, ticket.job))
        case .joined(let ticket, let priority):
            pictures.update(picture) { $0.source = .fetch(ticket) }
            return .joined(ticket, newPriority: priority)
        }
    }

    /// A fetch goes to its source. `nil` if it has ended.
    ///
    /// A picture that the disk cache had is shown whole already: previews of its successor would be a step back.
    fileprivate mutating func beginLoad(_ id: JobID) -> LoadEngine.LoadStart? {
        guard let priority = fetches.priority(of: id) else { return nil }
        let entry = fetches.read(id) { $0.entry } ?? nil
        let wantsBytes =
            entry == nil && fetches.hasSubscriber(of: id) { pictures.read($0) { $0.previews != nil } ?? false }
        if wantsBytes { fetches.update(id) { $0.pieces = [] } }
        return LoadEngine.LoadStart(priority: priority, entry: entry, wantsBytes: wantsBytes)
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
