internal import FoundationEssentials
internal import KuvaCore

/// The way of a job from one attempt to the next.
extension TransferDriver {
    /// Makes the next attempt of a job whose turn it is; it holds its place in the queue.
    func start(_ job: LoadJob) {
        let now = time.monotonic
        if job.retryCount == 0, job.alternativeCount == 0 { job.metrics.queue = now - job.start }
        let handle: EasyHandle
        do throws(CurlFailure) {
            handle = try takeHandle()
            let transfer = transfer(for: job, handle, now: now)
            job.phase = .running(transfer)
            enlist(transfer)
            try send(transfer)
            tell(.started(job.request.url))
        } catch {
            if let transfer = job.transfer { retire(transfer) }
            queue.remove(job.id)
            conclude(job, .failure(TransferErrors.error(for: error, url: job.request.url)))
        }
    }

    private func transfer(for job: LoadJob, _ handle: EasyHandle, now: Duration) -> Transfer {
        let rules = Exchange.Rules(
            maximumBodyByteCount: configuration.maximumBodyByteCount,
            maximumHeaderByteCount: configuration.maximumHeaderByteCount,
            maximumRedirectCount: configuration.maximumRedirectCount,
            allowsInsecureRedirects: configuration.allowsInsecureRedirects,
            acceptableStatuses: configuration.acceptableStatuses,
            acceptableContentTypes: configuration.acceptableContentTypes,
            modifier: job.request.responseModifier ?? configuration.responseModifier,
            selecting: job.subscribers.first?.ticket.request.headers ?? HTTPFields(),
            method: job.request.method,
            known: job.ignoresKnown ? nil : job.request.known,
            partial: job.partial
        )
        let limits = TransferClock.Limits(
            connect: configuration.connectTimeout,
            idle: configuration.idleTimeout,
            total: configuration.totalTimeout,
            firstByte: configuration.firstByteTimeout,
            slowest: configuration.minimumSpeed
        )
        return Transfer(
            job: job,
            easy: handle,
            exchange: Exchange(url: job.request.url, rules: rules, at: time.wall),
            clock: TransferClock(limits: limits, now: now),
            progress: ProgressFilter(minimumInterval: configuration.minimumProgressInterval),
            passesBytes: (job.request.bodyTransformer ?? configuration.bodyTransformer) == nil,
            time: time,
            driver: self
        )
    }

    /// Gives curl the request that the exchange is at.
    private func send(_ transfer: Transfer) throws(CurlFailure) {
        try setup.prepare(transfer) { jar }
        try multi.add(transfer.easy)
    }

    /// The head of a job's answer has ended: callers who, as its `Vary` shows, do not get what the others get, start
    /// anew. Called inside `perform`: nothing here touches curl.
    func headEnded(of job: LoadJob, naming names: Set<String>) {
        for subscriber in job.removeUnsuited(names) {
            if subscriber.id != job.id { jobs[subscriber.id] = nil }
            apply(.load(subscriber.id, subscriber.ticket))
        }
    }

    /// curl says that a transfer has ended.
    func ended(_ transfer: Transfer, _ failure: CurlFailure?) {
        let job = transfer.job
        switch transfer.exchange.ended(failure) {
        case .redirect(let url): redirect(transfer, to: url)
        case .startOver:
            retire(transfer)
            dropPartial(of: job)
            job.ignoresKnown = true
            for subscriber in job.subscribers { subscriber.ticket.startOver() }
            start(job)
        case .failed(let error): failed(transfer, error)
        case .notModified(let response):
            job.metrics.isNotModified = true
            finished(transfer, LoadedData(bytes: Data(), response: response, isNotModified: true))
        case .finished(let response):
            transfer.reportEnd()
            let isCacheable = job.request.cachePolicy.mayStore(
                response,
                method: job.request.method,
                request: job.request.headers
            )
            finished(
                transfer,
                LoadedData(bytes: transfer.takeBody(), response: response, isCacheable: isCacheable)
            )
        }
    }

    private func redirect(_ transfer: Transfer, to url: URL) {
        multi.remove(transfer.easy)
        tell(.redirected(from: transfer.exchange.url, to: url))
        transfer.exchange.redirected(to: url, at: time.wall)
        transfer.clock.restarted(now: time.monotonic)
        deadlineMoved(of: transfer)
        do throws(CurlFailure) {
            try send(transfer)
        } catch {
            failed(transfer, TransferErrors.error(for: error, url: url))
        }
    }

    /// An attempt has failed: the next one, the next place, or the end.
    func failed(_ transfer: Transfer, _ error: ImageError) {
        let job = transfer.job
        let retryAfter = error.code == .httpStatus ? transfer.exchange.retryAfter : nil
        if let partial = transfer.takePartial() { job.partial = partial }
        job.metrics.redirectCount = transfer.exchange.redirectCount
        retire(transfer)
        queue.remove(job.id)
        let delay = configuration.retry.delay(
            after: error,
            retryCount: job.retryCount,
            retryAfter: retryAfter.map { .seconds(min($0, 1e9)) },
            random: Double.random(in: 0...1)
        )
        // What is not safe to do twice is done once (RFC 9110 §9.2.2).
        if let delay, ["GET", "HEAD"].contains(job.request.method) {
            pause(job, for: delay, after: error)
        } else {
            tryElsewhere(job, error)
        }
    }

    private func pause(_ job: LoadJob, for delay: Duration, after error: ImageError) {
        job.retryCount += 1
        job.metrics.retryCount += 1
        let deadline = time.monotonic + delay
        job.phase = .pausing(until: deadline)
        let index = pausing.firstIndex { $0.deadline <= deadline } ?? pausing.endIndex
        pausing.insert((deadline, job), at: index)
        engine.count { $0.retried += 1 }
        tell(.retrying(job.request.url, after: delay, error))
    }

    /// Lets jobs whose pause is over wait for their turn.
    func resumePausing() {
        guard !pausing.isEmpty else { return }
        let now = time.monotonic
        while let next = pausing.last, next.deadline <= now {
            pausing.removeLast()
            next.job.phase = .waiting
            queue.add(next.job.id, host: next.job.address.origin, priority: next.job.priority)
        }
    }

    private func tryElsewhere(_ job: LoadJob, _ error: ImageError) {
        job.errors.append(error.locating(url: job.request.url))
        if error.outlook == .willNotHeal { dropPartial(of: job) } else { keepPartial(of: job) }
        let places = job.request.alternatives
        while error.outlook != .cancelled, job.alternativeCount < places.count {
            let place = places[job.alternativeCount]
            job.alternativeCount += 1
            guard let address = WebAddress(place) else { continue }
            job.request.url = place
            job.address = address
            job.retryCount = 0
            job.ignoresKnown = true
            for subscriber in job.subscribers { subscriber.ticket.startOver() }
            tell(.redirected(from: job.errors.last?.url ?? place, to: place))
            return admit(job)
        }
        conclude(job, .failure(job.errors.count > 1 ? Self.combined(job.errors) : error))
    }

    private static func combined(_ errors: [ImageError]) -> ImageError {
        let last = errors[errors.count - 1]
        return ImageError(
            last.code,
            "none of \(errors.count) places has the picture; the last: \(last.message)",
            advice: last.advice,
            stage: .download,
            httpStatus: last.httpStatus,
            contentType: last.contentType,
            cause: FailedAlternatives(errors)
        )
    }

    /// Hands the beginning of a body that nobody will continue now to the store.
    func keepPartial(of job: LoadJob) {
        guard let partial = job.partial else { return }
        job.partial = nil
        guard let store = configuration.resumeStore, job.request.canResume else { return }
        store.keep(partial, of: job.address.text)
    }

    /// What is there of a body belongs to nothing any longer.
    func dropPartial(of job: LoadJob) {
        job.partial = nil
        guard let store = configuration.resumeStore, job.request.canResume else { return }
        store.remove(job.address.text)
    }
}
