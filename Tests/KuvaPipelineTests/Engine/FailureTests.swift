import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Failures", .timeLimit(.minutes(10)))
struct FailureTests {
    let loader = FakeLoader()
    let memory = FakeImageCache()
    let disk = FakeDataCache()
    let backgroundErrors = Lock<[ImageError]>([])

    var manager: ImageManager {
        let errors = backgroundErrors
        return ImageManager(
            configuration: .init(
                memoryCache: memory,
                diskCache: disk,
                loaders: [loader],
                decoders: FakeDecoders(),
                onBackgroundError: { error in errors.withLock { $0.append(error) } }
            )
        )
    }

    func request(_ name: String = "a.fake") throws -> ImageRequest {
        ImageRequest(url: try #require(URL(string: "http://pictures.test/\(name)")))
    }

    func failure(of request: ImageRequest, after act: () async -> Void) async throws -> ImageError {
        let manager = manager
        let task = manager.task(for: request)
        await act()
        let error = await #expect(throws: ImageError.self) { _ = try await task.image }
        await manager.flush()
        return try #require(error)
    }

    @Test func downloadErrorNamesStageAndURL() async throws {
        let error = try await failure(of: request()) {
            await loader.waitForLoads(1)
            loader.fail(0, with: ImageError(.httpStatus, "the server answered 404", httpStatus: 404))
        }
        #expect(error.code == .httpStatus)
        #expect(error.stage == .download)
        #expect(error.url?.absoluteString == "http://pictures.test/a.fake")
        #expect(error.httpStatus == 404)
    }

    @Test func pageInsteadOfPictureIsSaidSoAndNotKept() async throws {
        let url = try request().url
        let response = StoredResponse(
            url: url,
            status: 200,
            fields: ["Content-Type": "text/html; charset=utf-8"],
            requestTime: Date(timeIntervalSince1970: 0),
            responseTime: Date(timeIntervalSince1970: 0)
        )
        let error = try await failure(of: request()) {
            await loader.waitForLoads(1)
            loader.succeed(0, with: Data("<!DOCTYPE html><html></html>".utf8), response: response)
        }
        #expect(error.code == .notAnImage)
        #expect(error.stage == .decode)
        #expect(error.message.contains("text/html"))
        #expect(disk.entries.isEmpty)
        #expect(memory.keys.isEmpty)
    }

    @Test func cutOffPictureIsAnErrorAndNotKept() async throws {
        let error = try await failure(of: request()) {
            await loader.waitForLoads(1)
            loader.succeed(0, with: Data("partial 4x4".utf8))
        }
        #expect(error.code == .truncatedImage)
        #expect(disk.entries.isEmpty)
        #expect(memory.keys.isEmpty)
    }

    @Test func emptyBodyIsSaidSo() async throws {
        let error = try await failure(of: request()) {
            await loader.waitForLoads(1)
            loader.succeed(0, with: Data())
        }
        #expect(error.code == .emptyBody)
    }

    @Test func schemeWithoutLoaderIsRefused() async throws {
        let url = try #require(URL(string: "gopher://old.test/a"))
        let error = try await failure(of: ImageRequest(url: url)) {}
        #expect(error.code == .unsupportedScheme)
        #expect(error.stage == .request)
    }

    @Test func cacheOnlyMissIsNotInCache() async throws {
        var request = try request()
        request.cachePolicy = .cacheOnly
        let error = try await failure(of: request) {}
        #expect(error.code == .notInCache)
        #expect(loader.loads.isEmpty)
    }

    @Test func unreadableCacheIsAWarningAndThePictureComes() async throws {
        disk.failReads(with: ImageError(.permissionDenied, "no rights"))
        let task = manager.task(for: try request())
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        let response = try await task.response
        #expect(response.warnings.map(\.code) == [.permissionDenied])
        #expect(response.warnings.first?.stage == .cacheRead)
    }

    @Test func fullDiskIsReportedAndThePictureComes() async throws {
        disk.failWrites(with: ImageError(.diskFull, "no space"))
        let manager = manager
        var request = try request()
        request.waitsForStore = true
        let waiting = manager.task(for: request)
        let plain = manager.task(for: try self.request())
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        #expect(try await waiting.response.warnings.map(\.code) == [.diskFull])
        #expect(try await plain.response.warnings.isEmpty)
        await manager.flush()
        #expect(backgroundErrors.withLock { $0.map(\.code) } == [.diskFull])
        #expect(disk.writeCount == 1)
    }

    @Test func badEntryOnDiskIsDroppedAndFetchedAgain() async throws {
        let request = try request()
        let bad = CachedData(bytes: Data("rubbish".utf8), storedAt: Date(timeIntervalSince1970: 0))
        try disk.store(bad, for: request.originalKey)
        let manager = manager
        let task = manager.task(for: request)
        await loader.waitForLoads(1)
        #expect(disk.entries.isEmpty)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        #expect(try await task.response.origin == .local)
        await manager.flush()
        #expect(disk.entries[request.originalKey]?.bytes == FakeDecoders.file(width: 1, height: 1))
    }

    @Test func othersOfABatchGoOn() async throws {
        let manager = manager
        let good = manager.task(for: try request("good"))
        let bad = manager.task(for: try request("bad"))
        await loader.waitForLoads(2)
        for load in loader.loads {
            if load.request.url.lastPathComponent == "bad" {
                loader.fail(load.id, with: ImageError(.timedOut, "too slow"))
            } else {
                loader.succeed(load.id, with: FakeDecoders.file(width: 1, height: 1))
            }
        }
        _ = try await good.image
        #expect(await code(of: bad) == .timedOut)
    }
}
