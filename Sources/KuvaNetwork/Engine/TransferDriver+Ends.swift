internal import FoundationEssentials
internal import KuvaCore

/// How jobs end.
extension TransferDriver {
    /// The whole has come.
    func finished(_ transfer: Transfer, _ loaded: LoadedData) {
        let job = transfer.job
        transfer.easy.describe(in: &job.metrics)
        job.metrics.redirectCount = transfer.exchange.redirectCount
        job.metrics.resumedByteCount = Int64(transfer.exchange.resumedBytes?.count ?? 0)
        retire(transfer)
        queue.remove(job.id)
        dropPartial(of: job)
        var loaded = loaded
        loaded.metrics = job.metrics
        guard !loaded.isNotModified, let transformer = job.request.bodyTransformer ?? configuration.bodyTransformer
        else { return conclude(job, .success(loaded)) }
        job.phase = .transforming
        let (id, engine) = (job.id, engine)
        transformPool.submit(priority: job.priority) { [loaded] in
            engine.send(.transformed(id, Self.transformed(loaded, by: transformer)))
        }
    }

    private static func transformed(
        _ loaded: LoadedData,
        by transformer: BodyTransformer
    ) -> Result<LoadedData, ImageError> {
        var loaded = loaded
        do {
            loaded.bytes = try transformer.transformed(loaded.bytes, response: loaded.response)
        } catch let error as ImageError {
            return .failure(error)
        } catch {
            return .failure(
                ImageError(
                    .bodyTransformFailed,
                    "the body could not be transformed: \(error)",
                    advice: "see the cause, or change the transformer",
                    cause: error
                )
            )
        }
        guard loaded.bytes.isEmpty else { return .success(loaded) }
        return .failure(
            ImageError(.bodyTransformFailed, "the transformed body is empty", advice: "check the transformer")
        )
    }

    func transformed(_ id: LoadID, _ result: Result<LoadedData, ImageError>) {
        guard let job = jobs[id], case .transforming = job.phase else { return }
        conclude(job, result)
    }

    /// Ends a job and tells its callers, in the order in which they came.
    func conclude(_ job: LoadJob, _ result: Result<LoadedData, ImageError>) {
        keepPartial(of: job)
        let subscribers = job.subscribers
        forget(job)
        engine.count { counters in
            switch result {
            case .success(let loaded):
                counters.succeeded += 1
                if loaded.isNotModified { counters.notModified += 1 }
                if job.metrics.isResumed { counters.resumed += 1 }
                counters.receivedByteCount += job.metrics.transferredByteCount
            case .failure: counters.failed += 1
            }
        }
        for subscriber in subscribers { deliver(result, to: subscriber.ticket) }
        guard configuration.onEvent != nil else { return }
        switch result {
        case .success: tell(.finished(job.request.url, job.metrics))
        case .failure(let error): tell(.failed(job.request.url, error.locating(url: job.request.url)))
        }
    }

    /// The last caller has left: ends the work, and keeps what has come for another time.
    func abandon(_ job: LoadJob) {
        switch job.phase {
        case .preparing(let task): task?.cancel()
        case .waiting: queue.remove(job.id)
        case .running(let transfer):
            if let partial = transfer.takePartial() { job.partial = partial }
            retire(transfer)
            queue.remove(job.id)
        case .pausing: pausing.removeAll { $0.job === job }
        case .reading, .transforming, .ended: break
        }
        keepPartial(of: job)
        forget(job)
    }

    private func forget(_ job: LoadJob) {
        job.phase = .ended
        openJobCount -= 1
        jobs[job.id] = nil
        for subscriber in job.subscribers where subscriber.id != job.id { jobs[subscriber.id] = nil }
        job.subscribers = []
        if let key = job.key, let index = joinable.index(forKey: key), joinable[index].value === job {
            joinable.remove(at: index)
        }
    }

    func deliver(_ result: Result<LoadedData, ImageError>, to ticket: LoadTicket) {
        engine.loadEnded()
        ticket.finish(result)
    }

    func tell(_ event: @autoclosure () -> DownloadEvent) {
        if let onEvent = configuration.onEvent { onEvent(event()) }
    }
}
