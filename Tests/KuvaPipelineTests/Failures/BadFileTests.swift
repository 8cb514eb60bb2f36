import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

/// A file that is no picture stays one until its bytes change.
@Suite("Bad files", .timeLimit(.minutes(10)))
struct BadFileTests {
    let time = ManualTime()
    let loader = FakeLoader()
    let disk = FakeDataCache()
    let url: URL
    let manager: ImageManager

    init() throws {
        url = try #require(URL(string: "http://pictures.test/a"))
        manager = ImageManager(
            configuration: .init(diskCache: disk, loaders: [loader], decoders: FakeDecoders(), time: time.source)
        )
    }

    func request(retries: Bool = false) -> ImageRequest { ImageRequest(url: url, retriesFailed: retries) }

    func response(tag: String) -> StoredResponse {
        StoredResponse(url: url, status: 200, fields: ["ETag": tag], requestTime: time.wall, responseTime: time.wall)
    }

    /// A page comes in place of the picture; then its time is up.
    func failOnce() async {
        let task = manager.task(for: request())
        await loader.waitForLoads(1)
        loader.succeed(0, with: Data("<!DOCTYPE html>".utf8), response: response(tag: "\"1\""))
        #expect(await code(of: task) == .notAnImage)
        #expect(await code(of: manager.task(for: request())) == .failedBefore)
        time.advance(by: .seconds(301))
    }

    @Test func theServerIsAskedForNewsOnlyAndItsNoIsEnough() async throws {
        await failOnce()
        let task = manager.task(for: request())
        await loader.waitForLoads(2)
        #expect(loader.loads[1].request.known?.fields["ETag"] == "\"1\"")
        loader.finish(1, with: LoadedData(bytes: Data(), response: response(tag: "\"1\""), isNotModified: true))
        #expect(await code(of: task) == .notAnImage)
        // And that counts for a time again.
        #expect(await code(of: manager.task(for: request())) == .failedBefore)
        #expect(loader.loads.count == 2)
        #expect(manager.failedURLs[url]?.code == .notAnImage)
    }

    @Test func theSameBytesAreNotDecodedAgain() async throws {
        await failOnce()
        let task = manager.task(for: request())
        await loader.waitForLoads(2)
        loader.succeed(1, with: Data("<!DOCTYPE html>".utf8), response: response(tag: "\"2\""))
        #expect(await code(of: task) == .notAnImage)
        #expect(manager.statistics.decodeCount == 0)
    }

    @Test func otherBytesAreAPictureAgain() async throws {
        await failOnce()
        let task = manager.task(for: request())
        await loader.waitForLoads(2)
        loader.succeed(1, with: FakeDecoders.file(width: 2, height: 1), response: response(tag: "\"2\""))
        #expect(try await task.image.pixelSize.width == 2)
        #expect(manager.failedURLs.isEmpty)
    }

    @Test func retryingAsksForTheWhole() async throws {
        await failOnce()
        let task = manager.task(for: request(retries: true))
        await loader.waitForLoads(2)
        #expect(loader.loads[1].request.known == nil)
        task.cancel()
    }

    /// The file is needed after all when what was known of it has been removed while the server was asked.
    @Test func aNoAfterTheFailureWasRemovedIsAskedAgain() async throws {
        await failOnce()
        let task = manager.task(for: request())
        await loader.waitForLoads(2)
        manager.removeAllFailedURLs()
        loader.finish(1, with: LoadedData(bytes: Data(), response: response(tag: "\"1\""), isNotModified: true))
        await loader.waitForLoads(3)
        #expect(loader.loads[2].request.known == nil)
        loader.succeed(2, with: FakeDecoders.file(width: 2, height: 1))
        #expect(try await task.image.pixelSize.width == 2)
    }

    @Test func otherCircumstancesAreTried() async throws {
        let task = manager.task(for: request())
        await loader.waitForLoads(1)
        loader.fail(0, with: ImageError(.httpStatus, "status 401", httpStatus: 401))
        #expect(await code(of: task) == .httpStatus)
        #expect(await code(of: manager.task(for: request())) == .failedBefore)
        // With a credential.
        var authorised = request()
        authorised.transfer = LoadRequest(url: url)
        authorised.transfer?.credential = .bearer("token")
        let second = manager.task(for: authorised)
        await loader.waitForLoads(2)
        second.cancel()
        // With a loader of its own.
        var apart = request()
        apart.parts = RequestParts(loaders: [
            FakeLoader { _ in
                .success(LoadedData(bytes: FakeDecoders.file(width: 1, height: 1)))
            }
        ])
        _ = try await manager.image(for: apart)
    }

    @Test func aLimitCountsForTheSameLimitsOnly() async throws {
        var strict = request()
        strict.limits.maximumSourcePixels = 1
        let task = manager.task(for: strict)
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 2, height: 2))
        #expect(await code(of: task) == .limitExceeded)
        #expect(await code(of: manager.task(for: strict)) == .failedBefore)
        let generous = manager.task(for: request())
        await loader.waitForLoads(2)
        loader.succeed(1, with: FakeDecoders.file(width: 2, height: 2))
        _ = try await generous.image
    }
}
