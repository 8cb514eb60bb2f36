import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Hooks", .timeLimit(.minutes(10)))
struct HookTests {
    let loader = FakeLoader { _ in .success(LoadedData(bytes: FakeDecoders.file(width: 2, height: 2))) }
    let memory = FakeImageCache()
    let disk = FakeDataCache()

    func manager(_ change: (inout ImageManager.Configuration) -> Void) -> ImageManager {
        var configuration = ImageManager.Configuration(
            memoryCache: memory,
            diskCache: disk,
            loaders: [loader],
            decoders: FakeDecoders()
        )
        change(&configuration)
        return ImageManager(configuration: configuration)
    }

    func request(_ name: String = "a") throws -> ImageRequest {
        var request = ImageRequest(url: try #require(URL(string: "http://pictures.test/\(name)")))
        request.waitsForStore = true
        return request
    }

    @Test func aLoadCanBeVetoed() async throws {
        let manager = manager { $0.mayLoad = { $0.url.path() != "/private" } }
        #expect(await code(of: manager.task(for: try request("private"))) == .notInCache)
        #expect(loader.loads.isEmpty)
        _ = try await manager.image(for: request("public"))
        #expect(loader.loads.count == 1)
        // The veto is for misses: what a cache has is given.
        try disk.store(
            CachedData(bytes: FakeDecoders.file(width: 1, height: 1), storedAt: Date()),
            for: request("private").originalKey
        )
        #expect(try await manager.image(for: request("private")).pixelSize.width == 1)
    }

    @Test func whatIsStoredCanBeChangedOrKeptBack() async throws {
        let manager = manager {
            $0.prepareEntry = { entry, key throws(ImageError) in
                guard key.original.hasSuffix("keep") else { return nil }
                return CachedData(bytes: FakeDecoders.file(width: 7, height: 7), storedAt: entry.storedAt)
            }
        }
        _ = try await manager.image(for: request("keep"))
        _ = try await manager.image(for: request("drop"))
        #expect(disk.entries.map { $0.key.original } == ["http://pictures.test/keep"])
        memory.removeAll()
        #expect(try await manager.image(for: request("keep")).pixelSize.width == 7)
    }

    @Test func anErrorOfTheHookIsAWarning() async throws {
        let manager = manager {
            $0.prepareEntry = { _, _ throws(ImageError) in throw ImageError(.ioFailed, "no ink") }
        }
        let response = try await manager.task(for: request()).response
        #expect(response.warnings.map(\.code) == [.ioFailed])
        #expect(response.warnings.first?.stage == .cacheWrite)
    }

    @Test func whatContradictsItselfIsRefusedBeforeAnythingRuns() async throws {
        let manager = manager { _ in }
        var request = try request()
        request.cachePolicy = []
        #expect(await code(of: manager.task(for: request)) == .invalidConfiguration)
        #expect(loader.loads.isEmpty)
    }

    @Test func theAnswerTellsOfServerAndTransfer() async throws {
        let url = try request().url
        let answer = StoredResponse(
            url: url,
            status: 200,
            fields: ["X": "y"],
            requestTime: Date(),
            responseTime: Date()
        )
        var metrics = TransferMetrics()
        metrics.retryCount = 2
        let loaded = LoadedData(bytes: FakeDecoders.file(width: 1, height: 1), response: answer, metrics: metrics)
        let manager = manager { $0.loaders = [FakeLoader { _ in .success(loaded) }] }
        let response = try await manager.task(for: request()).response
        #expect(response.httpResponse == answer)
        #expect(response.transferMetrics?.retryCount == 2)
        await manager.flush()
        memory.removeAll()
        let kept = try await manager.task(for: request()).response
        #expect(kept.httpResponse == answer)
        #expect(kept.transferMetrics == nil)
    }

    @Test func theLoaderAddedLastIsAskedFirstAndMayDecline() async throws {
        let declining = FakeLoader(schemes: ["ftp"])
        let last = FakeLoader { _ in .success(LoadedData(bytes: FakeDecoders.file(width: 5, height: 5))) }
        let manager = manager { $0.loaders = [loader, last, declining] }
        #expect(try await manager.image(for: request()).pixelSize.width == 5)
        #expect(loader.loads.isEmpty)
        #expect(declining.loads.isEmpty)
    }
}
