internal import FoundationEssentials
internal import KuvaCore

/// The way from the bytes to the picture: decode, keep in memory, deliver.
extension LoadEngine {
    /// Queues the decode of a file for a picture job, at the job's priority.
    func decode(_ file: FetchedFile, for id: ImageJobs.JobID) {
        guard
            let (job, priority) = state.withLock({ state in
                state.images[id].flatMap { job in state.images.priority(of: id).map { (job, $0) } }
            })
        else { return }
        let queued = configuration.time.monotonic
        let ticket = configuration.decodePool.submit(priority: priority) { [self] in
            guard !job.cancellation.isCancelled else { return }
            switch decoded(file, for: job.request, cancellation: job.cancellation) {
            case .success(let image):
                let now = configuration.time.monotonic
                let timings = ImageResponse.Timings(
                    total: now - job.start,
                    fetch: file.fetchTime,
                    decode: now - queued
                )
                finish(id, image, from: file, for: job.request, timings: timings)
            case .failure(let error):
                recover(from: error, file: file, for: id, request: job.request)
            }
        }
        let isWanted = state.withLock { state -> Bool in
            guard state.images[id] != nil else { return false }
            state.images[id]?.fetch = nil
            state.images[id]?.decodeTicket = ticket
            return true
        }
        if !isWanted { configuration.decodePool.cancel(ticket) }
    }

    private func decoded(
        _ file: FetchedFile,
        for request: ImageRequest,
        cancellation: CancellationFlag
    ) -> Result<Image, ImageError> {
        let options = DecodeOptions(
            targetSize: request.targetSize,
            limits: request.limits,
            cancellation: cancellation
        )
        do throws(ImageError) {
            let decoded = try configuration.decoders.decode(
                file.bytes,
                options: options,
                scale: request.scale,
                mediaType: file.response?.mediaType,
                pool: configuration.pixelPool
            )
            if let damage = decoded.damage { throw damage.locating(stage: .decode) }
            return .success(decoded.image)
        } catch {
            return .failure(error.locating(stage: .decode, url: request.url))
        }
    }

    /// A file from disk that does not decode is dropped and fetched once more; any other failure is final.
    private func recover(from error: ImageError, file: FetchedFile, for id: ImageJobs.JobID, request: ImageRequest) {
        let isBadEntry = file.origin == .disk && error.code != .cancelled && error.code != .limitExceeded
        guard isBadEntry, file.key.policy.contains(.load) else { return finishImage(id, .failure(error)) }
        try? configuration.diskCache?.removeData(for: file.key.original)
        startFetch(for: id, request: request, policy: request.cachePolicy.subtracting(.readDisk))
    }

    private func finish(
        _ id: ImageJobs.JobID,
        _ image: Image,
        from file: FetchedFile,
        for request: ImageRequest,
        timings: ImageResponse.Timings
    ) {
        if request.cachePolicy.contains(.writeMemory) {
            configuration.memoryCache?.store(image, for: request.cacheKey)
        }
        let deliver: @Sendable (ImageError?) -> Void = { [self] storeError in
            let response = ImageResponse(
                image: image,
                origin: file.origin,
                encodedByteCount: file.bytes.count,
                data: request.wantsData ? file.bytes : nil,
                timings: timings,
                warnings: file.warnings + (storeError.map { [$0] } ?? [])
            )
            finishImage(id, .success(response))
        }
        if request.waitsForStore {
            store(file) { deliver($0) }
        } else {
            store(file) { _ in }
            deliver(nil)
        }
    }
}
