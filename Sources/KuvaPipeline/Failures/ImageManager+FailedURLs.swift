public import FoundationEssentials
public import KuvaCore

extension ImageManager {
    /// The URLs whose failure is remembered now, with their errors; requests for them fail at once with the code
    /// `failed-before`. O(n).
    public var failedURLs: [URL: ImageError] { engine.failedURLs }

    /// Forgets the failure of one URL, so that the next request tries again.
    public func removeFailedURL(_ url: URL) { engine.forgetFailure(of: url) }

    /// Forgets all failures.
    public func removeAllFailedURLs() { engine.forgetAllFailures() }
}

extension LoadEngine {
    var failedURLs: [URL: ImageError] {
        let now = configuration.time.monotonic
        return failures.withLock { $0.all(at: now) }
    }

    func forgetFailure(of url: URL) { failures.withLock { _ = $0.remove(url) } }

    func forgetAllFailures() { failures.withLock { $0.removeAll() } }

    /// The error for a request that is not worth trying; `nil` if it is.
    func rememberedFailure(for request: ImageRequest) -> ImageError? {
        guard !request.retriesFailed else { return nil }
        let now = configuration.time.monotonic
        guard let error = failures.withLock({ $0.isEmpty ? nil : $0.remembered(request.url, at: now) }) else {
            return nil
        }
        return ImageError(
            .failedBefore,
            "the picture failed a moment ago: \(error.message)",
            advice: "wait, set retriesFailed on the request, or remove the URL from failedURLs",
            stage: error.stage,
            url: request.url,
            httpStatus: error.httpStatus,
            cause: error
        )
    }

    /// Keeps the list of failures up to date with how a load ended.
    func noteEnd(of request: ImageRequest, _ result: Result<MadePicture, ImageError>) {
        switch result {
        case .success: failures.withLock { if !$0.isEmpty { $0.remove(request.url) } }
        case .failure(let error):
            if !error.isCancellation { counters.count(.failure) }
            let memory = configuration.failurePolicy.memory(of: error)
            guard memory != .none else { return }
            let now = configuration.time.monotonic
            failures.withLock { $0.failed(request.url, error, memory: memory, at: now) }
        }
    }
}
