public import FoundationEssentials
public import KuvaCore

extension ImageManager {
    /// The URLs whose failure is remembered now, with their errors; requests like those that failed fail at once with the
    /// code `failed-before`. O(n).
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

    func forgetFailure(of url: URL) { changeFailures { $0.remove(url) } }

    func forgetAllFailures() { changeFailures { $0.removeAll() } }

    /// The error for a request that is not worth trying; `nil` if it is.
    func rememberedFailure(for request: ImageRequest) -> ImageError? {
        guard !request.retriesFailed, mayRememberFailures else { return nil }
        let now = configuration.time.monotonic
        let circumstances = FailedURLs.Circumstances(
            parts: request.parts,
            transfer: request.boxedTransfer.map { TransferKey($0.value) },
            limits: request.limits
        )
        guard let error = failures.withLock({ $0.remembered(request.url, circumstances, at: now) }) else { return nil }
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
    ///
    /// - Parameter file: the file that is no picture, if that is why it failed.
    func noteEnd(of spec: PictureSpec, _ result: Result<MadePicture, ImageError>, badFile file: FetchedFile?) {
        let request = spec.request
        switch result {
        case .success: if mayRememberFailures { changeFailures { $0.remove(request.url) } }
        case .failure(let error):
            if !error.isCancellation { counters.count(.failure) }
            let memory = configuration.failurePolicy.memory(of: error)
            guard memory != .none else { return }
            let now = configuration.time.monotonic
            let circumstances = FailedURLs.Circumstances(
                parts: request.parts,
                transfer: spec.transfer,
                limits: error.code == .limitExceeded ? request.limits : nil
            )
            let bad = file.map { FailedURLs.BadFile($0.bytes, response: $0.response) }
            changeFailures {
                $0.failed(request.url, error, circumstances, file: bad, memory: memory, at: now)
            }
        }
    }

    /// What is known of the file that a fetch is about to bring: that it was no picture the last time.
    func knownBadFile(_ spec: FetchSpec) -> (file: FailedURLs.BadFile, error: ImageError)? {
        guard !spec.retriesFailed, mayRememberFailures else { return nil }
        return failures.withLock { $0.badFile(spec.url, spec.circumstances) }
    }
}
