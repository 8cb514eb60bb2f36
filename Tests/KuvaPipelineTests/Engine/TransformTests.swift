import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Transforming", .timeLimit(.minutes(10)))
struct TransformTests {
    /// Counts how often it runs; makes a picture one pixel wider, so that order and number can be seen.
    final class Widening: ImageTransformer {
        let key: String
        let runs = Lock(0)
        let gate: Gate?

        init(_ key: String, gate: Gate? = nil) {
            self.key = key
            self.gate = gate
        }

        func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
            gate?.wait()
            runs.withLock { $0 += 1 }
            let size = PixelSize(width: image.pixelSize.width + 1, height: 1)
            var canvas = try pool.canvas(PixelLayout(size: size))
            canvas.clear(rows: 0..<1)
            return Image(pixels: canvas.freeze())
        }
    }

    let loader = FakeLoader { _ in .success(LoadedData(bytes: FakeDecoders.file(width: 10, height: 1))) }
    let memory = FakeImageCache()
    let decoders = FakeDecoders()

    var manager: ImageManager {
        ImageManager(configuration: .init(memoryCache: memory, loaders: [loader], decoders: decoders))
    }

    func request(_ transformers: [any ImageTransformer]) throws -> ImageRequest {
        ImageRequest(url: try #require(URL(string: "http://pictures.test/a")), transformers: transformers)
    }

    @Test func keyNamesTheChain() throws {
        let request = try request([Widening("A"), Widening("B")])
        #expect(request.cacheKey.description == "http://pictures.test/a A B")
        #expect(request.originalKey.variant.isEmpty)
    }

    @Test func commonBeginningRunsOnce() async throws {
        let gate = Gate()
        let (first, second) = (Widening("A", gate: gate), Widening("B"))
        let manager = manager
        let short = manager.task(for: try request([first]))
        let long = manager.task(for: try request([first, second]))
        gate.open()
        #expect(try await short.image.pixelSize.width == 11)
        #expect(try await long.image.pixelSize.width == 12)
        #expect(first.runs.withLock { $0 } == 1)
        #expect(second.runs.withLock { $0 } == 1)
        #expect(decoders.decodeCount == 1)
        #expect(memory.keys.map(\.variant).sorted() == ["A", "A B"])
    }

    @Test func onlyWhatWasAskedForIsKept() async throws {
        let task = manager.task(for: try request([Widening("A"), Widening("B")]))
        _ = try await task.image
        #expect(memory.keys.map(\.variant) == ["A B"])
    }

    @Test func beginningInMemoryIsNotMadeAgain() async throws {
        let first = Widening("A")
        let manager = manager
        _ = try await manager.image(for: request([first]))
        #expect(try await manager.image(for: request([first, Widening("B")])).pixelSize.width == 12)
        #expect(first.runs.withLock { $0 } == 1)
        #expect(loader.loads.count == 1)
    }

    @Test func cancelReachesDownToTheDownload() async throws {
        let loader = FakeLoader()
        let manager = ImageManager(configuration: .init(loaders: [loader], decoders: decoders))
        let long = manager.task(for: try request([Widening("A"), Widening("B"), Widening("C")]))
        let short = manager.task(for: try request([Widening("A")]))
        await loader.waitForLoads(1)
        short.priority = .veryHigh
        #expect(loader.loads[0].priority == .veryHigh)
        short.cancel()
        #expect(loader.loads[0].isCancelled == false)
        #expect(loader.loads[0].priority == .normal)
        long.cancel()
        #expect(loader.loads[0].isCancelled)
        #expect(manager.activeFetchCount == 0)
    }

    @Test func progressReachesTasksBehindTransformers() async throws {
        let loader = FakeLoader()
        let manager = ImageManager(configuration: .init(loaders: [loader], decoders: decoders))
        let task = manager.task(for: try request([Widening("A"), Widening("B")]))
        await loader.waitForLoads(1)
        loader.progress(0, received: 3, expected: 6)
        #expect(task.progress?.fraction == 0.5)
        task.cancel()
    }

    @Test func failedTransformNamesItsStage() async throws {
        struct Failing: ImageTransformer {
            let key = "F"
            func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
                throw ImageError(.outOfMemory, "no memory")
            }
        }
        let request = try request([Failing(), Widening("B")])
        let manager = manager
        let error = await #expect(throws: ImageError.self) { _ = try await manager.image(for: request) }
        #expect(error?.stage == .transform)
        #expect(error?.url == request.url)
    }
}
