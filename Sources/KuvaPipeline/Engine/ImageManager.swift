public import FoundationEssentials
public import KuvaCore

/// Where an app meets Kuva: gives pictures for requests, from memory, disk or their source.
///
/// Simultaneous loads share their work: one download for all that want one URL, one decode for all that want one
/// picture. Every load ends exactly once. Any thread may call every method; none of them blocks.
public final class ImageManager: Sendable {
    /// What the manager is made of.
    public let configuration: Configuration

    let engine: LoadEngine

    /// Makes a manager. Most programs use the shared one.
    public init(configuration: Configuration) {
        self.configuration = configuration
        engine = LoadEngine(configuration: configuration)
    }

    /// The picture at a URL.
    ///
    /// Cancelling the Swift task cancels this load; others who want the same picture still get it.
    /// - Throws: ``ImageError``; see its codes.
    public func image(from url: URL) async throws(ImageError) -> Image {
        try await task(for: ImageRequest(url: url)).image
    }

    /// The picture that a request describes.
    ///
    /// - Throws: ``ImageError``; see its codes.
    public func image(for request: ImageRequest) async throws(ImageError) -> Image {
        try await task(for: request).image
    }

    /// Starts a load. If the picture is in memory, or its URL failed a moment ago, or the request contradicts itself
    /// (``ImageRequest/validate()``), the task has ended when the method returns.
    public func task(for request: ImageRequest) -> ImageTask {
        do throws(ImageError) {
            guard let prepare = configuration.prepareRequest else { return try checkedTask(for: request) }
            return try checkedTask(for: prepare(request))
        } catch {
            return ImageTask(request: request, result: .failure(error.locating(stage: .request, url: request.url)))
        }
    }

    /// What ``task(for:)`` would answer with at once, because the picture is in memory; `nil` if it is not. Starts
    /// nothing, so that a view can look on the main thread and let another thread start what it misses. The configuration's
    /// `prepareRequest` is asked here, and again by ``task(for:)`` for what is missed.
    package func memoryHit(for request: ImageRequest) -> ImageResponse? {
        guard let prepare = configuration.prepareRequest else { return preparedMemoryHit(for: request) }
        return (try? prepare(request)).flatMap { preparedMemoryHit(for: $0) }
    }

    private func preparedMemoryHit(for request: ImageRequest) -> ImageResponse? {
        guard request.mayBeServedFromMemory, (try? request.validate()) != nil else { return nil }
        return memoryHit(for: request, key: request.cacheKey, since: configuration.time.monotonic)
    }

    private func checkedTask(for request: ImageRequest) throws(ImageError) -> ImageTask {
        try request.validate()
        let start = configuration.time.monotonic
        let key = request.cacheKey
        var seen: Int?
        if request.mayBeServedFromMemory {
            seen = engine.endedPictureCount
            if let response = memoryHit(for: request, key: key, since: start) {
                return ImageTask(request: request, result: .success(response))
            }
            engine.counters.count(.memoryMiss)
        }
        if let error = engine.rememberedFailure(for: request) {
            return ImageTask(request: request, result: .failure(error))
        }
        let task = ImageTask(request: request, engine: engine)
        if request.httpCachePolicy == .refresh, request.cachePolicy.contains(.readMemory),
            let image = cachedImage(for: request)
        {
            task.report(preview: image)
        }
        engine.start(task, key: key, since: start, seen: seen)
        return task
    }

    private func memoryHit(for request: ImageRequest, key: CacheKey, since start: Duration) -> ImageResponse? {
        guard
            let image = engine.imageInMemory(for: request, key: key)
                ?? (request.acceptsLarger ? engine.largerImageInMemory(for: request, key: key) : nil)
        else { return nil }
        engine.counters.count(.memoryHit)
        engine.record(.cacheRead, request.url, since: start)
        return ImageResponse(memoryHit: image, total: configuration.time.monotonic - start)
    }

    /// Starts a load and reports by callbacks.
    ///
    /// - Parameters:
    ///   - executor: where the callbacks are called; by default on the thread on which something happens, one of Kuva's
    ///     or the caller's.
    ///   - progress: called as bytes come.
    ///   - preview: called with what can be shown of the picture so far, if the request wants that.
    ///   - completion: called exactly once, after all others. For a picture in memory, before the method returns, unless
    ///     the executor is elsewhere.
    @discardableResult
    public func load(
        _ request: ImageRequest,
        on executor: CallbackExecutor = .immediate,
        progress: (@Sendable (LoadProgress) -> Void)? = nil,
        preview: (@Sendable (Image) -> Void)? = nil,
        completion: @escaping @Sendable (Result<ImageResponse, ImageError>) -> Void
    ) -> ImageTask {
        let task = task(for: request)
        // Without the closures that the rest needs: they would cost a memory hit further allocations.
        if let result = task.result, executor.isCurrent {
            completion(result)
            return task
        }
        let relay = CallbackRelay(executor) { event in
            switch event {
            case .progress(let value): progress?(value)
            case .preview(let image): preview?(image)
            case .finished(let response): completion(.success(response))
            case .failed(let error): completion(.failure(error))
            }
        }
        task.observe { relay.receive($0) }
        return task
    }

    /// The picture that a request describes, if it is in memory now.
    public func cachedImage(for request: ImageRequest) -> Image? {
        configuration.memoryCache(for: request.parts)?.image(for: request.cacheKey)
    }

    /// Loads that have not ended, memory hits never counted.
    public var runningTaskCount: Int { engine.runningTaskCount }

    /// Whether a load runs.
    public var isRunning: Bool { runningTaskCount > 0 }

    /// Ends every load; each fails with the code `cancelled`.
    public func cancelAll() {
        for task in engine.runningTasks { task.cancel() }
    }

    /// Waits until everything that is on its way to the disk cache is there. For programs that are about to end.
    public func flush() async { await engine.flush() }

    /// How often what happened since the manager was made.
    public var statistics: LoadStatistics { engine.counters.statistics }

    /// Downloads and disk reads under way; for tests and status lines.
    public var activeFetchCount: Int { engine.activeFetchCount }
}
