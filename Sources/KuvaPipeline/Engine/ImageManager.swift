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

    /// Starts a load. If the picture is in memory, or its URL failed a moment ago, the task has ended when the method
    /// returns.
    public func task(for request: ImageRequest) -> ImageTask {
        guard let prepare = configuration.prepareRequest else { return preparedTask(for: request) }
        do throws(ImageError) {
            return preparedTask(for: try prepare(request))
        } catch {
            return ImageTask(request: request, result: .failure(error.locating(stage: .request, url: request.url)))
        }
    }

    private func preparedTask(for request: ImageRequest) -> ImageTask {
        let start = configuration.time.monotonic
        if request.mayBeServedFromMemory {
            if let image = engine.imageInMemory(for: request) {
                engine.counters.count(.memoryHit)
                engine.record(.cacheRead, request.url, since: start)
                let response = ImageResponse(memoryHit: image, total: configuration.time.monotonic - start)
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
        engine.start(task)
        return task
    }

    /// Starts a load and reports by callbacks.
    ///
    /// - Parameters:
    ///   - progress: called as bytes come.
    ///   - completion: called exactly once. For a picture in memory, before the method returns; otherwise on a thread
    ///     of Kuva's that it must not block.
    @discardableResult
    public func load(
        _ request: ImageRequest,
        progress: (@Sendable (LoadProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<ImageResponse, ImageError>) -> Void
    ) -> ImageTask {
        let task = task(for: request)
        task.observe { event in
            switch event {
            case .progress(let value): progress?(value)
            case .preview: break
            case .finished(let response): completion(.success(response))
            case .failed(let error): completion(.failure(error))
            }
        }
        return task
    }

    /// The picture that a request describes, if it is in memory now.
    public func cachedImage(for request: ImageRequest) -> Image? {
        configuration.memoryCache(for: request.parts)?.image(for: request.cacheKey)
    }

    /// Loads that have not ended, memory hits never counted.
    public var runningTaskCount: Int { engine.runningTasks.count }

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
