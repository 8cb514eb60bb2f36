internal import FoundationEssentials
internal import KuvaCore

/// What callers ask.
extension TransferDriver {
    func apply(_ command: NetworkEngine.Command) {
        switch command {
        case .load(let id, let ticket): load(id, ticket)
        case .cancel(let id): cancel(id)
        case .setPriority(let priority, let id): setPriority(priority, of: id)
        case .cancelAll: cancelAll()
        case .configure(let configuration): configure(configuration)
        case .suspend(let isSuspended): self.isSuspended = isSuspended
        case .prepared(let id, let result): prepared(id, result)
        case .partialRead(let id, let partial): partialRead(id, partial)
        case .transformed(let id, let result): transformed(id, result)
        }
    }

    private func load(_ id: LoadID, _ ticket: LoadTicket) {
        guard let address = WebAddress(ticket.request.url) else {
            return deliver(.failure(Self.noHost(ticket.request.url)), to: ticket)
        }
        guard !ticket.isCancelled else { return deliver(.failure(Self.unwanted), to: ticket) }
        let key = ticket.request.sharingKey(address)
        if let key, let job = joinable[key], job.suits(ticket.request.headers) {
            join(job, LoadJob.Subscriber(id: id, ticket: ticket, priority: ticket.request.priority))
        } else {
            begin(LoadJob(id, ticket, address: address, key: key))
        }
    }

    private static func noHost(_ url: URL) -> ImageError {
        ImageError(.invalidURL, "the address names no host", advice: "write it as \(url.scheme ?? "https")://host/path")
    }

    /// The result for a load whose ticket knows better why it ends.
    static let unwanted = ImageError(.cancelled, "the load was cancelled")

    private func join(_ job: LoadJob, _ subscriber: LoadJob.Subscriber) {
        jobs[subscriber.id] = job
        job.subscribers.append(subscriber)
        queue.setPriority(job.priority, of: job.id)
        job.transfer?.bringUpToDate(subscriber.ticket)
        engine.count { $0.joined += 1 }
        tell(.joined(job.request.url))
    }

    private func begin(_ job: LoadJob) {
        jobs[job.id] = job
        openJobCount += 1
        if let key = job.key, joinable[key] == nil { joinable[key] = job }
        tell(.queued(job.request.url))
        let own = job.request.requestModifier
        let common = configuration.requestModifier
        guard own != nil || common != nil else { return admit(job) }
        let modifiers = [common, own].compactMap { $0 }
        job.phase = .preparing(Self.modify(job.request, by: modifiers, for: job.id, of: engine))
    }

    private static func modify(
        _ request: LoadRequest,
        by modifiers: [RequestModifier],
        for id: LoadID,
        of engine: NetworkEngine
    ) -> Task<Void, Never> {
        Task { engine.send(.prepared(id, await modified(request, by: modifiers))) }
    }

    private static func modified(
        _ request: LoadRequest,
        by modifiers: [RequestModifier]
    ) async -> Result<LoadRequest, ImageError> {
        var request = request
        do {
            for modifier in modifiers { request = try await modifier.modified(request) }
            return .success(request)
        } catch let error as ImageError {
            return .failure(error)
        } catch {
            return .failure(
                ImageError(
                    .requestModifierFailed,
                    "the request modifier failed: \(error)",
                    advice: "see the cause, or change the modifier",
                    stage: .request,
                    cause: error
                )
            )
        }
    }

    private func prepared(_ id: LoadID, _ result: Result<LoadRequest, ImageError>) {
        guard let job = jobs[id], case .preparing = job.phase else { return }
        switch result {
        case .failure(let error): conclude(job, .failure(error))
        case .success(let request):
            guard let address = WebAddress(request.url) else {
                return conclude(job, .failure(Self.noHost(request.url)))
            }
            job.request = request
            job.address = address
            job.homeOrigin = address.origin
            admit(job)
        }
    }

    /// Lets a job whose request stands wait for its turn; if an earlier run left a beginning, after that is read.
    func admit(_ job: LoadJob) {
        if let problem = Self.problem(with: job.request) { return conclude(job, .failure(problem)) }
        if job.partial == nil, job.request.canResume, let store = configuration.resumeStore,
            store.mayHold(job.address.text)
        {
            job.phase = .reading
            let (id, engine) = (job.id, engine)
            store.read(job.address.text) { engine.send(.partialRead(id, $0)) }
        } else {
            wait(job)
        }
    }

    private static func problem(with request: LoadRequest) -> ImageError? {
        if request.cachePolicy == .onlyIfCached {
            return ImageError(
                .notInCache,
                "the request allows no server to be asked",
                advice: "use another cache policy",
                stage: .request
            )
        }
        // Most requests have no fields of their own.
        let problem = request.headers.isEmpty ? nil : request.headers.problem
        if let problem = problem ?? (request.method.isToken ? nil : "the method “\(request.method)”") {
            return ImageError(
                .requestModifierFailed,
                "\(problem) cannot be sent",
                advice: "use the names and values that RFC 9110 §5 and §9 allow",
                stage: .request
            )
        }
        return nil
    }

    private func partialRead(_ id: LoadID, _ partial: PartialBody?) {
        guard let job = jobs[id], case .reading = job.phase else { return }
        job.partial = partial
        wait(job)
    }

    private func wait(_ job: LoadJob) {
        job.phase = .waiting
        queue.add(job.id, host: job.address.origin, priority: job.priority)
    }

    // MARK: Leaving

    private func cancel(_ id: LoadID) {
        guard let job = jobs[id], let index = job.subscribers.firstIndex(where: { $0.id == id }) else { return }
        let ticket = job.subscribers.remove(at: index).ticket
        if id != job.id { jobs[id] = nil }
        if job.subscribers.isEmpty {
            abandon(job)
        } else {
            queue.setPriority(job.priority, of: job.id)
        }
        engine.count { $0.cancelled += 1 }
        deliver(.failure(Self.unwanted), to: ticket)
        tell(.cancelled(ticket.request.url))
    }

    private func cancelAll() {
        // Tickets whose cancelling is on its way already are taken along; their commands find nothing then.
        let all = jobs.values.flatMap { $0.subscribers }
        for subscriber in all.sorted(by: { $0.id.number < $1.id.number }) {
            _ = subscriber.ticket.cancel()
            cancel(subscriber.id)
        }
    }

    private func setPriority(_ priority: Priority, of id: LoadID) {
        guard let job = jobs[id], let index = job.subscribers.firstIndex(where: { $0.id == id }) else { return }
        job.subscribers[index].priority = priority
        queue.setPriority(job.priority, of: job.id)
    }

    private func configure(_ configuration: Downloader.Configuration) {
        if configuration.order != self.configuration.order {
            queue = queue.reordered(configuration.order.queueOrder)
        }
        queue.limits = configuration.limits
        multi.setConnections(configuration.idleConnectionCount)
        self.configuration = configuration
        setup = RequestSetup(configuration)
    }
}
