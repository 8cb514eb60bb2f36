internal import KuvaCore

/// Picture jobs: joining, leaving and ending them.
extension LoadEngine {
    /// Adds a subscriber to the job for a picture, starting the job if there is none.
    ///
    /// - Parameter keep: keeps the ticket, with the lock held, so that nobody can miss it.
    func join(
        _ request: ImageRequest,
        priority: Priority,
        subscriber: PictureSubscriber,
        keep: (inout State, JobTicket) -> Void
    ) {
        let now = configuration.time.monotonic
        let previews =
            request.wantsPreviews && request.transformers.isEmpty
            ? PreviewMaker(request: request, configuration: configuration) : nil
        let (ticket, isNew) = state.withLock { state in
            let joined = state.pictures.join(
                PictureJobKey(request),
                subscriber: subscriber,
                priority: priority,
                payload: PictureJob(request: request, start: now, previews: previews)
            )
            switch joined {
            case .started(let ticket):
                keep(&state, ticket)
                return (ticket, true)
            case .joined(let ticket, _):
                keep(&state, ticket)
                return (ticket, false)
            }
        }
        if isNew { begin(ticket.job, request: request, since: now) } else { propagatePriority(of: ticket.job) }
    }

    /// Starts the work of a new job.
    private func begin(_ id: JobID, request: ImageRequest, since start: Duration) {
        // Between the caller's look into memory and the new job, the job before it may have ended.
        if let image = imageInMemory(for: request) {
            let timings = ImageResponse.Timings(total: configuration.time.monotonic - start)
            return finishPicture(id, .success(MadePicture(image: image, file: nil, timings: timings)))
        }
        guard let previous = request.beforeLastTransformer else {
            return startFetch(for: id, request: request, policy: request.effectiveCachePolicy)
        }
        if let image = imageInMemory(for: previous) {
            return transform(MadePicture(image: image, file: nil, timings: .init()), for: id)
        }
        let priority = state.withLock { $0.pictures.priority(of: id) }
        guard let priority else { return }
        join(previous, priority: priority, subscriber: .step(id)) { state, ticket in
            state.pictures[id]?.source = .picture(ticket)
        }
    }

    /// A subscriber leaves. Work that nobody waits for stops, down to the fetch.
    func leave(_ ticket: JobTicket) {
        guard case .abandoned(let job) = state.withLock({ $0.pictures.leave(ticket) }) else {
            return propagatePriority(of: ticket.job)
        }
        job.cancellation.cancel()
        switch job.source {
        case .nothing: break
        case .thread(let thread): configuration.decodePool.cancel(thread)
        case .picture(let previous): leave(previous)
        case .fetch(let fetch):
            if case .abandoned(let job) = state.withLock({ $0.fetches.leave(fetch) }) { stop(job) }
        }
    }

    /// Hands the priority of a picture job on to the work that is done for it.
    func propagatePriority(of id: JobID) {
        let (job, priority) = state.withLock { ($0.pictures[id], $0.pictures.priority(of: id)) }
        guard let job, let priority else { return }
        switch job.source {
        case .nothing: break
        case .thread(let thread): configuration.decodePool.setPriority(priority, of: thread)
        case .picture(let previous):
            state.withLock { _ = $0.pictures.setPriority(priority, of: previous) }
            propagatePriority(of: previous.job)
        case .fetch(let ticket):
            let (fetch, changed) = state.withLock { state in
                let changed = state.fetches.setPriority(priority, of: ticket)
                return (state.fetches[ticket.job], changed)
            }
            guard let fetch, let changed else { return }
            if let disk = fetch.diskTicket { configuration.diskPool.setPriority(changed, of: disk) }
            fetch.load?.setPriority(changed)
        }
    }

    /// Ends a picture job: keeps the picture if someone wants that kept, then answers all who wait, in the order in
    /// which they came.
    func finishPicture(_ id: JobID, _ result: Result<MadePicture, ImageError>) {
        // Kept before the job is gone: who comes in between finds one or the other.
        let early = state.withLock { $0.pictures.subscribers(of: id) }
        let isKept = keepInMemory(result, for: early)
        let (request, subscribers) = state.withLock { ($0.pictures[id]?.request, $0.pictures.finish(id)) }
        if !isKept { _ = keepInMemory(result, for: subscribers) }
        if let request { noteEnd(of: request, result) }
        for subscriber in subscribers {
            switch subscriber {
            case .task(let task): answer(task, result)
            case .step(let step): continueStep(step, result)
            }
        }
    }

    private func keepInMemory(_ result: Result<MadePicture, ImageError>, for subscribers: [PictureSubscriber]) -> Bool {
        guard case .success(let made) = result else { return true }
        let keeper = subscribers.lazy.compactMap { subscriber -> ImageRequest? in
            guard case .task(let task) = subscriber, task.request.cachePolicy.contains(.writeMemory) else { return nil }
            return task.request
        }.first
        guard let keeper else { return false }
        configuration.memoryCache(for: keeper.parts)?.store(made.image, for: keeper.cacheKey)
        return true
    }

    private func continueStep(_ id: JobID, _ result: Result<MadePicture, ImageError>) {
        switch result {
        case .success(let made): transform(made, for: id)
        case .failure(let error): finishPicture(id, .failure(error))
        }
    }

    private func answer(_ task: ImageTask, _ result: Result<MadePicture, ImageError>) {
        switch result {
        case .failure(let error): task.finish(.failure(error))
        case .success(let made):
            guard let file = made.file else {
                return task.finish(.success(ImageResponse(memoryHit: made.image, total: made.timings.total)))
            }
            let isPatient = task.request.waitsForStore
            store(file) { error in
                if isPatient { task.finish(.success(ImageResponse(made, file, for: task.request, error))) }
            }
            if !isPatient { task.finish(.success(ImageResponse(made, file, for: task.request, nil))) }
        }
    }
}

extension ImageResponse {
    fileprivate init(_ made: MadePicture, _ file: FetchedFile, for request: ImageRequest, _ storeError: ImageError?) {
        self.init(
            image: made.image,
            origin: file.origin,
            encodedByteCount: file.bytes.count,
            data: request.wantsData ? file.bytes : nil,
            timings: made.timings,
            warnings: file.warnings + (storeError.map { [$0] } ?? [])
        )
    }
}
