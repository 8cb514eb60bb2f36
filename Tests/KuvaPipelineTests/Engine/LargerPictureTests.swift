import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Larger pictures", .timeLimit(.minutes(10)))
struct LargerPictureTests {
    let loader = FakeLoader { _ in .success(LoadedData(bytes: FakeDecoders.file(width: 100, height: 50))) }
    let memory = FakeImageCache()

    var manager: ImageManager {
        ImageManager(configuration: .init(memoryCache: memory, loaders: [loader], decoders: FakeDecoders()))
    }

    func request(_ side: Int?, mode: TargetSize.Mode = .aspectFit, accepts: Bool = false) throws -> ImageRequest {
        ImageRequest(
            url: try #require(URL(string: "http://pictures.test/a")),
            targetSize: side.map { TargetSize(PixelSize(width: $0, height: $0), mode: mode) },
            acceptsLarger: accepts
        )
    }

    @Test func theSmallestThatIsLargeEnoughIsGivenAtOnce() async throws {
        let manager = manager
        for side in [nil, 60, 80] { _ = try await manager.image(for: request(side)) }
        let loads = loader.loads.count
        // 60 wide is not enough for 70, 80 wide is.
        let result = try manager.task(for: request(70, accepts: true)).result?.get()
        #expect(result?.image.pixelSize.width == 80)
        #expect(result?.origin == .memory)
        // More than any of them: the whole picture has all there is.
        #expect(try manager.task(for: request(90, accepts: true)).result?.get().image.pixelSize.width == 100)
        #expect(try manager.task(for: request(500, accepts: true)).result?.get().image.pixelSize.width == 100)
        #expect(loader.loads.count == loads)
        #expect(manager.statistics.memoryHitCount == 3)
    }

    @Test func nobodyGetsALargerOneUnasked() async throws {
        let manager = manager
        _ = try await manager.image(for: request(nil))
        #expect(try await manager.image(for: request(70)).pixelSize.width == 70)
    }

    @Test func whatWasCutOrChangedDoesNotServe() async throws {
        let manager = manager
        let marker = CustomTransformer(name: "marker") { image, _ throws(ImageError) in image }
        var changed = try request(80)
        changed.transformers = [marker]
        _ = try await manager.image(for: changed)
        _ = try await manager.image(for: request(80, mode: .exact))
        #expect(try await manager.task(for: request(70, accepts: true)).response.origin == .local)
        // A picture that fits 80 by 80 is 40 high: too low to fill 60 by 60.
        _ = try await manager.image(for: request(80))
        let filling = try await manager.task(for: request(60, mode: .aspectFill, accepts: true)).response
        #expect(filling.origin == .local)
        // And a request with transformers gets its own size, for they see sizes.
        var transforming = try request(50, accepts: true)
        transforming.transformers = [marker]
        #expect(try await manager.image(for: transforming).pixelSize.width == 50)
    }
}
