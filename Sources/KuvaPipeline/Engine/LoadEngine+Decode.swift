internal import FoundationEssentials
internal import KuvaCore

/// The way from the bytes to the picture: decoding and transforming, on the decode threads.
extension LoadEngine {
    /// Queues the decode of a file for a picture job.
    func decode(_ file: FetchedFile, for id: JobID) {
        let queued = configuration.time.monotonic
        work(for: id) { [self] job in
            switch decoded(file, for: job.request, cancellation: job.cancellation) {
            case .success(let image):
                counters.count(.decode)
                record(.decode, job.request.url, since: queued)
                let now = configuration.time.monotonic
                let timings = ImageResponse.Timings(total: now - job.start, fetch: file.fetchTime, decode: now - queued)
                finishPicture(id, .success(MadePicture(image: image, file: file, timings: timings)))
            case .failure(let error):
                record(.decode, job.request.url, since: queued, error: error)
                recover(from: error, file: file, for: id, request: job.request)
            }
        }
    }

    /// Queues the decode of a file that the server is being asked about, to show its picture meanwhile.
    func decodeKnown(_ file: FetchedFile, for id: JobID) {
        guard let job = state.withLock({ $0.pictures[id] }) else { return }
        configuration.decodePool.submit(priority: job.request.priority) { [self] in
            guard !job.cancellation.isCancelled,
                case .success(let image) = decoded(file, for: job.request, cancellation: job.cancellation)
            else { return }
            counters.count(.decode)
            let timings = ImageResponse.Timings(total: configuration.time.monotonic - job.start, fetch: file.fetchTime)
            state.withLock { $0.pictures[id]?.known = MadePicture(image: image, file: file, timings: timings) }
            show(image, of: id)
        }
    }

    /// Queues the last transformer of a picture job on the picture before it.
    func transform(_ previous: MadePicture, for id: JobID) {
        let queued = configuration.time.monotonic
        work(for: id) { [self] job in
            guard let transformer = job.request.transformers.last else {
                return finishPicture(id, .success(previous))
            }
            let result: Result<MadePicture, ImageError>
            do throws(ImageError) {
                let image = try transformed(previous.image, by: transformer)
                let now = configuration.time.monotonic
                var timings = previous.timings
                timings.total = now - job.start
                timings.transform += now - queued
                result = .success(MadePicture(image: image, file: previous.file, timings: timings))
                counters.count(.transform)
                record(.transform, job.request.url, since: queued)
            } catch {
                let located = error.locating(stage: .transform, url: job.request.url)
                result = .failure(located)
                record(.transform, job.request.url, since: queued, error: located)
            }
            finishPicture(id, result)
        }
    }

    /// Queues work for a picture job at its priority; it never runs once nobody wants the picture.
    private func work(for id: JobID, _ body: @escaping @Sendable (PictureJob) -> Void) {
        let (job, priority) = state.withLock { ($0.pictures[id], $0.pictures.priority(of: id)) }
        guard let job, let priority else { return }
        let ticket = configuration.decodePool.submit(priority: priority) {
            if !job.cancellation.isCancelled { body(job) }
        }
        // The work may have run already and gone on to something else, which must not be overwritten.
        let isWanted = state.withLock { state in
            if state.pictures[id]?.sourceChanges == job.sourceChanges { state.pictures[id]?.source = .thread(ticket) }
            return state.pictures[id] != nil
        }
        if !isWanted { configuration.decodePool.cancel(ticket) }
    }

    /// An animation is changed frame by frame, when they are shown; the picture is its first.
    private func transformed(
        _ image: Image,
        by transformer: any ImageTransformer
    ) throws(ImageError) -> Image {
        let pool = configuration.pixelPool
        guard let animation = image.animation else { return try transformer.transform(image, pool: pool) }
        let changed = try animation.applying(transformer, pool: pool)
        return changed.poster.animated(by: changed)
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
            let decoders = configuration.decoders(for: request.parts)
            let decoded = try decoders.decode(
                file.bytes,
                options: options,
                scale: request.scale,
                mediaType: file.response?.mediaType,
                pool: configuration.pixelPool
            )
            if let damage = decoded.damage { throw damage.locating(stage: .decode) }
            guard request.wantsAnimation, decoded.info.frameCount > 1 else { return .success(decoded.image) }
            // Frames are decoded long after the load, whose flag is raised if its last task is dropped.
            let frameOptions = DecodeOptions(targetSize: request.targetSize, limits: request.limits)
            let frames = try DecodedAnimation.open(file.bytes, decoders: decoders, options: frameOptions)
            return .success(
                decoded.image.animated(by: frames.map { AnimatedImage(poster: decoded.image, provider: $0) })
            )
        } catch {
            return .failure(error.locating(stage: .decode, url: request.url))
        }
    }

    /// A file from disk that does not decode is dropped and fetched once more; any other failure is final.
    private func recover(from error: ImageError, file: FetchedFile, for id: JobID, request: ImageRequest) {
        let isBadEntry = file.origin == .disk && error.code != .cancelled && error.code != .limitExceeded
        guard isBadEntry, file.key.policy.contains(.load) else { return finishPicture(id, .failure(error)) }
        try? configuration.diskCache(for: request.parts)?.removeData(for: file.key.original)
        startFetch(for: id, request: request, policy: request.effectiveCachePolicy.subtracting(.readDisk))
    }
}
