import Foundation
import Kuva
import KuvaTesting
import Testing

@Suite("A group of caches in a manager", .timeLimit(.minutes(10)))
struct CacheGroupTests {
    let loader = FakeLoader { _ in .success(LoadedData(bytes: FakeDecoders.file(width: 3, height: 2))) }
    let low = FakeDataCache()
    let high = FakeDataCache()
    let lowMemory = FakeImageCache()
    let highMemory = FakeImageCache()

    var group: ImageCaches {
        ImageCaches([
            ImageCache(memory: lowMemory, disk: low, decoders: FakeDecoders()),
            ImageCache(memory: highMemory, disk: high, decoders: FakeDecoders()),
        ])
    }

    func request() throws -> ImageRequest {
        var request = ImageRequest(url: try #require(URL(string: "http://pictures.test/a")))
        request.waitsForStore = true
        return request
    }

    @Test func theOneAddedLastIsStoredInAndAskedFirst() async throws {
        let group = group
        let manager = ImageManager(
            configuration: .init(
                memoryCache: group.memoryCache,
                diskCache: group.diskCache,
                loaders: [loader],
                decoders: FakeDecoders()
            )
        )
        _ = try await manager.image(for: request())
        await manager.flush()
        #expect(high.entries.count == 1)
        #expect(low.entries.isEmpty)
        #expect(highMemory.keys.count == 1)
        #expect(try manager.task(for: request()).result?.get().origin == .memory)
        highMemory.removeAll()
        #expect(try await manager.task(for: request()).response.origin == .disk)
        #expect(loader.loads.count == 1)
    }

    @Test func aRequestNamesAGroupOfItsOwn() async throws {
        let manager = ImageManager(configuration: .init(loaders: [loader], decoders: FakeDecoders()))
        var request = try request()
        request.parts = RequestParts(cache: group)
        _ = try await manager.image(for: request)
        // A file on its way to disk is still known as that from the source.
        await manager.flush()
        #expect(high.entries.count == 1)
        // What only the lower one has is found, too.
        try low.store(
            high.entries[request.originalKey] ?? CachedData(bytes: Data(), storedAt: Date()),
            for: request.originalKey
        )
        high.removeAll()
        highMemory.removeAll()
        #expect(try await manager.task(for: request).response.origin == .disk)
        #expect(loader.loads.count == 1)
    }
}
