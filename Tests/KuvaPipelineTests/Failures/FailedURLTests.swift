import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Failed URLs", .timeLimit(.minutes(10)))
struct FailedURLTests {
    let time = ManualTime()
    let fails = Lock<ImageError?>(nil)

    func manager(_ policy: FailurePolicy = .standard, loader: FakeLoader) -> ImageManager {
        ImageManager(
            configuration: .init(
                loaders: [loader],
                decoders: FakeDecoders(),
                failurePolicy: policy,
                time: time.source
            )
        )
    }

    var loader: FakeLoader {
        let fails = fails
        return FakeLoader { _ in
            if let error = fails.withLock({ $0 }) { return .failure(error) }
            return .success(LoadedData(bytes: FakeDecoders.file(width: 1, height: 1)))
        }
    }

    func request(retries: Bool = false) throws -> ImageRequest {
        let url = try #require(URL(string: "http://pictures.test/a"))
        return ImageRequest(url: url, retriesFailed: retries)
    }

    func status(_ status: Int) -> ImageError { ImageError(.httpStatus, "status \(status)", httpStatus: status) }

    @Test func missingPictureIsNotAskedForAgainUntilItsTimeIsUp() async throws {
        let loader = loader
        let manager = manager(loader: loader)
        fails.withLock { $0 = status(404) }
        #expect(await code(of: manager.task(for: try request())) == .httpStatus)
        #expect(await code(of: manager.task(for: try request())) == .failedBefore)
        #expect(loader.loads.count == 1)
        #expect(manager.failedURLs.count == 1)
        time.advance(by: .seconds(299))
        #expect(await code(of: manager.task(for: try request())) == .failedBefore)
        time.advance(by: .seconds(1))
        fails.withLock { $0 = nil }
        _ = try await manager.image(for: request())
        #expect(loader.loads.count == 2)
        #expect(manager.failedURLs.isEmpty)
    }

    @Test func whatCanHealIsTriedAgainAtOnce() async throws {
        let loader = loader
        let manager = manager(loader: loader)
        let passing: [ImageError] = [
            status(503), status(429), ImageError(.hostNotFound, ""), ImageError(.timedOut, ""),
            ImageError(.connectionLost, ""), ImageError(.cannotConnect, ""),
        ]
        for error in passing {
            fails.withLock { $0 = error }
            #expect(await code(of: manager.task(for: try request())) == error.code)
        }
        #expect(loader.loads.count == passing.count)
    }

    @Test func retryingPassesTheListAndSuccessClearsIt() async throws {
        let manager = manager(loader: loader)
        fails.withLock { $0 = status(410) }
        #expect(await code(of: manager.task(for: try request())) == .httpStatus)
        fails.withLock { $0 = nil }
        _ = try await manager.image(for: request(retries: true))
        _ = try await manager.image(for: request())
        #expect(manager.failedURLs.isEmpty)
    }

    @Test func failuresCanBeRemovedByHand() async throws {
        let manager = manager(loader: loader)
        fails.withLock { $0 = status(404) }
        #expect(await code(of: manager.task(for: try request())) == .httpStatus)
        manager.removeFailedURL(try request().url)
        #expect(await code(of: manager.task(for: try request())) == .httpStatus)
        manager.removeAllFailedURLs()
        #expect(await code(of: manager.task(for: try request())) == .httpStatus)
    }

    /// The table of `SDWebImageDownloader.shouldBlockFailedURL`: statuses and passing network errors are never
    /// blacklisted, bad data, bad TLS, unknown schemes and redirect loops are, for good.
    @Test func peersBlacklistIsAvailable() {
        let policy = FailurePolicy.sdWebImage
        let blocked: [ImageError.Code] = [
            .invalidURL, .corruptImage, .notAnImage, .tlsFailed, .unsupportedScheme, .tooManyRedirects,
        ]
        let passing: [ImageError.Code] = [
            .httpStatus, .cancelled, .timedOut, .hostNotFound, .cannotConnect, .connectionLost,
        ]
        for code in blocked { #expect(policy.memory(of: ImageError(code, "")) == .unlimited) }
        for code in passing { #expect(policy.memory(of: ImageError(code, "")) == .none) }
    }
}
