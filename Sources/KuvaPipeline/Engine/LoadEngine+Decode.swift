internal import FoundationEssentials
internal import KuvaCore

/// The way from the bytes to the picture: decoding and transforming, on the decode threads.
extension LoadEngine {
    /// Queues the decode of a file for a picture job.
    func decode(_ file: FetchedFile, for id: JobID) {
        if let work = state.withLock({ $0.work(for: id) }) { decode(file, for: id, work) }
    }

    /// Queues the decode of a file, as the work that a picture job needs next.
    func decode(_ file: FetchedFile, for id: JobID, _ work: PictureWork) {
        let queued = configuration.time.monotonic
        perform(work, for: id) { [self] in
            let request = work.spec.request
            // The animation that previews have shown goes on, now that its file is whole: who plays it never goes back.
            let shown = work.previews?.finish(file.bytes).map { Result<Image, ImageError>.success($0) }
            let result = shown ?? decoded(file, for: request, cancellation: work.flag)
            switch result {
            case .success(let image):
                counters.count(.decode)
                record(.decode, request.url, since: queued)
                let now = configuration.time.monotonic
                let timings = ImageResponse.Timings(
                    total: now - work.start,
                    fetch: file.fetchTime,
                    decode: now - queued
                )
                finishPicture(id, .success(MadePicture(image: image, file: file, timings: timings)))
            case .failure(let error):
                record(.decode, request.url, since: queued, error: error)
                recover(from: error, file: file, for: id, spec: work.spec)
            }
        }
    }

    /// Queues the decode of a file that the server is being asked about, to show its picture meanwhile.
    func decodeKnown(_ file: FetchedFile, for id: JobID) {
        guard let work = state.withLock({ $0.work(for: id) }) else { return }
        let (spec, flag) = (work.spec, work.flag)
        configuration.decodePool.submit(priority: work.priority) { [self] in
            guard !flag.isCancelled, case .success(let image) = decoded(file, for: spec.request, cancellation: flag)
            else { return }
            let total = configuration.time.monotonic - work.start
            let timings = ImageResponse.Timings(total: total, fetch: file.fetchTime)
            let known = Boxed(MadePicture(image: image, file: file, timings: timings))
            state.withLock { _ = $0.pictures.update(id) { $0.known = known } }
            show(image, of: id)
            counters.count(.decode)
        }
    }

    /// Queues the last transformer of a picture job on the picture before it.
    func transform(_ previous: MadePicture, for id: JobID) {
        let queued = configuration.time.monotonic
        perform(for: id) { [self] work in
            let request = work.spec.request
            guard let transformer = request.transformers.last else {
                return finishPicture(id, .success(previous))
            }
            let result: Result<MadePicture, ImageError>
            do throws(ImageError) {
                let image = try transformed(previous.image, by: transformer)
                let now = configuration.time.monotonic
                var timings = previous.timings
                timings.total = now - work.start
                timings.transform += now - queued
                result = .success(MadePicture(image: image, file: previous.file, timings: timings))
                counters.count(.transform)
                record(.transform, request.url, since: queued)
            } catch {
                let located = error.locating(stage: .transform, url: request.url)
                result = .failure(located)
                record(.transform, request.url, since: queued, error: located)
            }
            finishPicture(id, result)
        }
    }

    /// Queues work for a picture job at its priority; it never runs once nobody wants the picture.
    func perform(for id: JobID, _ body: @escaping @Sendable (PictureWork) -> Void) {
        guard let work = state.withLock({ $0.work(for: id) }) else { return }
        perform(work, for: id) { body(work) }
    }

    /// The same for work that is known already.
    private func perform(_ work: PictureWork, for id: JobID, _ body: @escaping @Sendable () -> Void) {
        let flag = work.flag
        let ticket = configuration.decodePool.submit(priority: work.priority) {
            if !flag.isCancelled { body() }
        }
        if !began(.thread(ticket), for: id, as: work.priority, after: work.sourceChanges) {
            configuration.decodePool.cancel(ticket)
        }
    }

    /// An animation is changed frame by frame, when they are shown; the picture is its first.
    func transformed(
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
            maximumFrameBytes: request.maximumFrameBytes,
            scalingQuality: request.scalingQuality,
            limits: request.limits,
            cancellation: cancellation
        )
        do throws(ImageError) {
            let image = try configuration.decoders(for: request.parts).decodePicture(
                file.bytes,
                options: options,
                scale: request.scale,
                mediaType: file.response?.mediaType,
                wantsAnimation: request.wantsAnimation,
                pool: configuration.pixelPool
            )
            return .success(image)
        } catch {
            return .failure(error.locating(stage: .decode, url: request.url))
        }
    }

    /// A file from disk that does not decode is dropped and fetched once more; any other failure is final.
    private func recover(from error: ImageError, file: FetchedFile, for id: JobID, spec: PictureSpec) {
        let isBadEntry = file.origin == .disk && error.code != .cancelled && error.code != .limitExceeded
        guard isBadEntry, file.spec.policy.contains(.load) else {
            return finishPicture(id, .failure(error), badFile: file)
        }
        try? configuration.diskCache(for: file.spec.parts)?.removeData(for: file.spec.original)
        let policy = spec.request.effectiveCachePolicy.subtracting(.readDisk)
        startFetch(for: id, spec: spec, policy: policy, since: configuration.time.monotonic)
    }
}

/// What a thread needs to know to work for a picture job.
struct PictureWork: Sendable {
    let spec: PictureSpec
    let start: Duration
    let flag: CancellationFlag
    /// What has shown previews; `nil` if nobody wants them.
    let previews: PreviewMaker?
    let priority: Priority
    let sourceChanges: Int
    /// The picture of what the disk has, while the server is asked whether that is still good.
    let known: Boxed<MadePicture>?
}

extension LoadEngine.State {
    /// Work for a picture is about to be queued; `nil` if the job has ended.
    mutating func work(for id: JobID) -> PictureWork? {
        guard let spec = pictures.key(of: id), let priority = pictures.priority(of: id) else { return nil }
        return pictures.update(id) { job in
            PictureWork(
                spec: spec,
                start: job.start,
                flag: job.flag(),
                previews: job.previews,
                priority: priority,
                sourceChanges: job.sourceChanges,
                known: job.known
            )
        }
    }
}
