internal import KuvaCore

/// Picture jobs: joining, leaving and ending them.
extension LoadEngine {
    /// Adds a subscriber to the job for a picture, starting the job if there is none.
    ///
    /// - Parameters:
    ///   - start: when the caller asked.
    ///   - seen: ``endedPictureCount`` before the caller looked into memory; `nil` if it did not.
    ///   - keep: keeps the ticket, with the lock held, so that nobody can miss it.
    func join(
        _ spec: PictureSpec,
        priority: Priority,
        subscriber: PictureSubscriber,
        since start: Duration,
        seen: Int? = nil,
        keep: (inout State, JobTicket) -> Void
    ) {
        let request = spec.request
        let previews =
            request.wantsPreviews && request.transformers.isEmpty
            ? PreviewMaker(request: request, configuration: configuration) : nil
        let (ticket, isNew) = state.withLock { state in
            let joined = state.pictures.join(
                spec,
                subscriber: subscriber,
                priority: priority,
                payload: PictureJob(start: start, previews: previews)
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
        if isNew { begin(ticket.job, spec: spec, since: start, seen: seen) } else { propagatePriority(of: ticket.job) }
    }

    /// Starts the work of a new job.
    private func begin(_ id: JobID, spec: PictureSpec, since start: Duration, seen: Int?) {
        let request = spec.request
        // Between the caller's look into memory and the new job, the job before it may have ended.
        let mayHaveCome = seen != endedPictureCount
        if mayHaveCome, let image = imageInMemory(for: request, key: spec.key) {
            let timings = ImageResponse.Timings(total: configuration.time.monotonic - start)
            return finishPicture(id, .success(MadePicture(image: image, file: nil, timings: timings)))
        }
        if request.diskContent != .original,
            readResult(id, spec: spec, otherwise: { [self] in make(id, spec: spec, since: start) })
        {
            return
        }
        make(id, spec: spec, since: start)
    }

    /// Makes a picture that is in no cache: from the picture without its last transformer, or from its file.
    private func make(_ id: JobID, spec: PictureSpec, since start: Duration) {
        let request = spec.request
        guard let previous = request.beforeLastTransformer else {
            return startFetch(for: id, spec: spec, policy: request.effectiveCachePolicy, since: start)
        }
        let key = previous.cacheKey
        let seen = endedPictureCount
        if let image = imageInMemory(for: previous, key: key) {
            return transform(MadePicture(image: image, file: nil, timings: .init()), for: id)
        }
        guard let priority = state.withLock({ $0.pictures.priority(of: id) }) else { return }
        let step = PictureSpec(previous, key: key)
        join(step, priority: priority, subscriber: .step(id), since: start, seen: seen) { state, ticket in
            state.pictures.update(id) { $0.source = .picture(ticket) }
        }
    }

    /// Notes what works for a picture job, unless that has ended already and the job has gone on to something else, and
    /// tells it if the picture has become more or less urgent since.
    ///
    /// - Parameters:
    ///   - priority: what the work was queued with.
    ///   - changes: how often the job had gone on when the work was queued.
    /// - Returns: `false` if nobody wants the picture any more.
    func began(_ source: PictureJob.Source, for id: JobID, as priority: Priority, after changes: Int) -> Bool {
        let (isWanted, now) = state.withLock { state in
            let isCurrent = state.pictures.update(id) { job in
                let isCurrent = job.sourceChanges == changes
                if isCurrent { job.source = source }
                return isCurrent
            }
            return (isCurrent != nil, isCurrent == true ? state.pictures.priority(of: id) : nil)
        }
        if let now, now != priority { propagatePriority(of: id) }
        return isWanted
    }

    /// A subscriber leaves. Work that nobody waits for stops, down to the fetch.
    func leave(_ ticket: JobTicket) {
        let left = state.withLock { $0.leave(ticket) }
        for flag in left.flags { flag.cancel() }
        if let thread = left.thread { configuration.decodePool.cancel(thread) }
        if let disk = left.disk { configuration.diskPool.cancel(disk) }
        if let fetch = left.fetch { stop(fetch) }
        if let (fetch, priority) = left.slowerFetch { passOn(priority, of: fetch) }
        if let job = left.stillWanted { propagatePriority(of: job) }
    }

    /// Hands the priority of a picture job on to the work that is done for it, until that is what it is: others may
    /// change it meanwhile, and who tells last has to be right.
    func propagatePriority(of id: JobID) {
        var told: Priority?
        while true {
            let (source, priority) = state.withLock { state in
                (state.pictures.read(id) { $0.source }, state.pictures.priority(of: id))
            }
            guard let source, let priority, priority != told else { return }
            pass(priority, to: source)
            told = priority
        }
    }

    private func pass(_ priority: Priority, to source: PictureJob.Source) {
        switch source {
        case .nothing: break
        case .thread(let thread): configuration.decodePool.setPriority(priority, of: thread)
        case .disk(let thread): configuration.diskPool.setPriority(priority, of: thread)
        case .picture(let previous):
            state.withLock { _ = $0.pictures.setPriority(priority, of: previous) }
            propagatePriority(of: previous.job)
        case .fetch(let ticket): setPriority(priority, ofFetch: ticket)
        }
    }

    private func setPriority(_ priority: Priority, ofFetch ticket: JobTicket) {
        let changed = state.withLock { $0.fetches.setPriority(priority, of: ticket) }
        if let changed { passOn(changed, of: ticket.job) }
    }

    /// Tells those who work for a fetch how urgent it is, until that is what it is: others may change it meanwhile, and
    /// who tells last has to be right.
    ///
    /// - Parameter told: what was true a moment ago.
    func passOn(_ told: Priority, of id: JobID) {
        var told = told
        while true {
            guard let fetch = state.withLock({ $0.fetches[id] }) else { return }
            if let disk = fetch.diskTicket { configuration.diskPool.setPriority(told, of: disk) }
            fetch.load?.setPriority(told)
            guard let now = state.withLock({ $0.fetches.priority(of: id) }), now != told else { return }
            told = now
        }
    }

    /// Ends a picture job: keeps the picture if someone wants that kept, then answers all who wait, in the order in
    /// which they came.
    ///
    /// - Parameter badFile: the file that is no picture, if that is why there is none.
    func finishPicture(_ id: JobID, _ result: Result<MadePicture, ImageError>, badFile: FetchedFile? = nil) {
        let (spec, isWanted) = state.withLock { ($0.pictures.key(of: id), $0.isToBeKept(id)) }
        guard let spec else { return }
        // Kept before the job is gone: who comes in between finds one or the other.
        if isWanted { keepInMemory(result, spec) }
        let (ended, isWantedNow) = state.withLock { state in
            let isWantedNow = state.isToBeKept(id)
            countEndedPicture()
            return (state.pictures.finish(id), isWantedNow)
        }
        if isWantedNow, !isWanted { keepInMemory(result, spec) }
        // Previews that are still to be made come too late.
        ended.payload?.cancellation?.cancel()
        noteEnd(of: spec, result, badFile: badFile)
        let file = resultFile(for: result, spec)
        for subscriber in ended.subscribers {
            switch subscriber {
            case .task(let task): answer(task, result, file)
            case .step(let step): continueStep(step, result)
            }
        }
    }

    private func keepInMemory(_ result: Result<MadePicture, ImageError>, _ spec: PictureSpec) {
        guard case .success(let made) = result else { return }
        configuration.memoryCache(for: spec.request.parts)?.store(made.image, for: spec.key)
    }

    private func continueStep(_ id: JobID, _ result: Result<MadePicture, ImageError>) {
        switch result {
        case .success(let made): transform(made, for: id)
        case .failure(let error): finishPicture(id, .failure(error))
        }
    }

    /// The file of its own that a picture may get; `nil` if it has one, or is to have none.
    private func resultFile(for result: Result<MadePicture, ImageError>, _ spec: PictureSpec) -> ResultFile? {
        guard !spec.key.variant.isEmpty, case .success(let made) = result, !made.isKept, made.image.frameCount == 1,
            configuration.diskCache(for: spec.request.parts) != nil
        else { return nil }
        return ResultFile(image: made.image, spec: spec, response: made.file?.response)
    }

    private func answer(_ task: ImageTask, _ result: Result<MadePicture, ImageError>, _ resultFile: ResultFile?) {
        switch result {
        case .failure(let error): task.finish(.failure(error))
        case .success(let made):
            // Looked at where it is: a copy costs more than all else here.
            let waitsForStore = task.request.waitsForStore
            let original = made.file.flatMap { file in
                file.store != nil && (resultFile == nil || task.request.diskContent != .result) ? file : nil
            }
            let kept = resultFile.flatMap { file in
                task.request.cachePolicy.contains(.writeDisk) && task.request.keepsResult(as: file.spec.key)
                    ? file : nil
            }
            guard original != nil || kept != nil else {
                return task.finish(.success(ImageResponse(made, for: task, [])))
            }
            store(original, kept, of: made.file) { errors in
                if waitsForStore { task.finish(.success(ImageResponse(made, for: task, errors))) }
            }
            // After the stores are queued, so that who flushes now waits for them.
            if !waitsForStore { task.finish(.success(ImageResponse(made, for: task, []))) }
        }
    }

    /// Stores what is given and calls back when both have ended.
    private func store(
        _ original: FetchedFile?,
        _ kept: ResultFile?,
        of file: FetchedFile?,
        _ ended: @escaping @Sendable ([ImageError]) -> Void
    ) {
        let storeKept: @Sendable ([ImageError]) -> Void = { [self] errors in
            guard let kept else { return ended(errors) }
            store(kept, replacing: file) { error in ended(errors + (error.map { [$0] } ?? [])) }
        }
        guard let original else { return storeKept([]) }
        store(original) { error in storeKept(error.map { [$0] } ?? []) }
    }
}

extension LoadEngine.State {
    /// What is to be done after a subscriber has left.
    struct Leaving {
        var flags: [CancellationFlag] = []
        var thread: WorkPool.Ticket?
        var disk: WorkPool.Ticket?
        var fetch: FetchJob?
        /// A fetch that others still wait for, but less urgently.
        var slowerFetch: (JobID, Priority)?
        /// A picture job whose priority may have fallen.
        var stillWanted: JobID?
    }

    /// Takes a subscriber away, and from job to job down all that nobody waits for any more.
    mutating func leave(_ ticket: JobTicket) -> Leaving {
        var leaving = Leaving()
        var next: JobTicket? = ticket
        while let ticket = next {
            next = nil
            guard case .abandoned(let job) = pictures.leave(ticket) else {
                leaving.stillWanted = ticket.job
                return leaving
            }
            if let flag = job.cancellation { leaving.flags.append(flag) }
            switch job.source {
            case .nothing: break
            case .thread(let thread): leaving.thread = thread
            case .disk(let thread): leaving.disk = thread
            case .picture(let previous): next = previous
            case .fetch(let fetch):
                switch fetches.leave(fetch) {
                case .abandoned(let job): leaving.fetch = job
                case .stillWanted(let priority?): leaving.slowerFetch = (fetch.job, priority)
                case .unknown, .stillWanted(nil): break
                }
            }
        }
        return leaving
    }

    /// Whether a caller who waits for a picture wants it kept in memory.
    fileprivate func isToBeKept(_ id: JobID) -> Bool {
        pictures.hasSubscriber(of: id) { subscriber in
            guard case .task(let task) = subscriber else { return false }
            return task.request.cachePolicy.contains(.writeMemory)
        }
    }
}

extension ImageResponse {
    fileprivate init(_ made: MadePicture, for task: ImageTask, _ storeErrors: [ImageError]) {
        self.init(
            image: made.image,
            origin: made.file?.origin ?? .memory,
            encodedByteCount: made.file?.bytes.count,
            data: task.request.wantsData ? made.file?.bytes : nil,
            timings: made.timings,
            warnings: (made.file?.warnings ?? []) + storeErrors,
            answer: made.file?.answer
        )
    }
}
