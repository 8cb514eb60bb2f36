import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Request parts", .timeLimit(.minutes(10)))
struct RequestPartsTests {
    let managers = (memory: FakeImageCache(), disk: FakeDataCache())
    let own = (memory: FakeImageCache(), disk: FakeDataCache())
    let loader = FakeLoader { _ in .success(LoadedData(bytes: FakeDecoders.file(width: 1, height: 1))) }
    let ownLoader = FakeLoader(schemes: ["mine"]) { _ in
        .success(LoadedData(bytes: FakeDecoders.file(width: 2, height: 2)))
    }
    let ownDecoders = FakeDecoders()

    var manager: ImageManager {
        ImageManager(
            configuration: .init(
                memoryCache: managers.memory,
                diskCache: managers.disk,
                loaders: [loader],
                decoders: FakeDecoders()
            )
        )
    }

    @Test func requestsOwnPartsAreUsedInPlaceOfTheManagers() async throws {
        let parts = RequestParts(
            memoryCache: own.memory,
            diskCache: own.disk,
            loaders: [ownLoader],
            decoders: ownDecoders
        )
        let manager = manager
        let request = ImageRequest(url: try #require(URL(string: "mine://a")), parts: parts)
        #expect(try await manager.image(for: request).pixelSize.width == 2)
        await manager.flush()
        #expect(own.memory.keys.count == 1)
        #expect(own.disk.entries.count == 1)
        #expect(ownDecoders.decodeCount == 1)
        #expect(managers.memory.keys.isEmpty)
        #expect(managers.disk.entries.isEmpty)
        #expect(manager.cachedImage(for: request) != nil)
    }

    @Test func loadersOfThePartsStandBeforeTheManagers() async throws {
        let parts = RequestParts(loaders: [ownLoader])
        let request = ImageRequest(url: try #require(URL(string: "http://pictures.test/a")), parts: parts)
        #expect(try await manager.image(for: request).pixelSize.width == 1)
        #expect(loader.loads.count == 1)
        #expect(ownLoader.loads.isEmpty)
    }

    @Test func requestsWithOtherPartsDoNotShareWork() async throws {
        let loader = FakeLoader()
        let manager = ImageManager(configuration: .init(loaders: [loader], decoders: FakeDecoders()))
        let url = try #require(URL(string: "http://pictures.test/a"))
        let parts = RequestParts(memoryCache: own.memory)
        let tasks = [nil, parts, parts].map { manager.task(for: ImageRequest(url: url, parts: $0)) }
        await loader.waitForLoads(2)
        #expect(loader.loads.count == 2)
        for task in tasks { task.cancel() }
    }
}
