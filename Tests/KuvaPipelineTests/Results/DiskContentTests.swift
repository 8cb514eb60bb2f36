import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Results on disk", .timeLimit(.minutes(10)))
struct DiskContentTests {
    let loader = FakeLoader { _ in .success(LoadedData(bytes: FakeDecoders.file(width: 8, height: 8))) }
    let decoders = FakeDecoders()
    let disk = FakeDataCache()
    let errors = Lock<[ImageError.Code]>([])

    func manager(encoders: (any ImageEncoderProvider)? = FakeEncoders(), _ disk: FakeDataCache? = nil) -> ImageManager {
        var configuration = ImageManager.Configuration(
            diskCache: disk ?? self.disk,
            loaders: [loader],
            decoders: decoders,
            encoders: encoders
        )
        configuration.onBackgroundError = { [errors] error in errors.withLock { $0.append(error.code) } }
        return ImageManager(configuration: configuration)
    }

    /// Crops to three columns and counts its runs.
    final class Cropping: ImageTransformer {
        let key = "crop3"
        let runs = Lock(0)

        func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
            runs.withLock { $0 += 1 }
            var canvas = try pool.canvas(PixelLayout(size: PixelSize(width: 3, height: 1)))
            canvas.clear(rows: 0..<1)
            return Image(pixels: canvas.freeze(), format: image.format)
        }
    }

    func request(
        _ content: DiskContent,
        size: Int? = nil,
        _ transformers: [any ImageTransformer] = []
    ) throws -> ImageRequest {
        ImageRequest(
            url: try #require(URL(string: "http://pictures.test/a")),
            targetSize: size.map { TargetSize(PixelSize(width: $0, height: $0)) },
            transformers: transformers,
            diskContent: content
        )
    }

    var variants: [String] { disk.entries.keys.map(\.variant).sorted() }

    /// The exact set of keys that each choice writes: for the file as it is, for a size, for a change.
    @Test(arguments: [
        (DiskContent.original, [""], [""], [""]), (.result, [""], ["fit4x4"], ["crop3"]),
        (.both, [""], ["", "fit4x4"], ["", "crop3"]),
    ])
    func eachChoiceWritesItsKeys(
        _ content: DiskContent,
        _ plain: [String],
        _ sized: [String],
        _ changed: [String]
    ) async throws {
        let manager = manager()
        let requests = try [request(content), request(content, size: 4), request(content, [Cropping()])]
        for (request, expected) in zip(requests, [plain, sized, changed]) {
            disk.removeAll()
            _ = try await manager.image(for: request)
            await manager.flush()
            #expect(variants == expected)
        }
        #expect(errors.withLock { $0 }.isEmpty)
    }

    /// Holds a transform in the middle.
    private struct Held: ImageTransformer {
        let key = "held"
        let gate: Gate

        func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
            gate.wait()
            return image
        }
    }

    /// While somebody still works on a file that has been stored, it is the disk that says whether there is one.
    @Test func aFileThatWasRemovedAfterItsStoreIsLoadedAgain() async throws {
        let (manager, gate) = (manager(), Gate())
        let slow = manager.task(for: try request(.original, [Held(gate: gate)]))
        let plain = manager.task(for: try request(.original))
        _ = try await plain.image
        await manager.flush()
        #expect(loader.loads.count == 1 && variants == [""])
        disk.removeAll()
        _ = try await manager.image(for: request(.original))
        await manager.flush()
        #expect(loader.loads.count == 2 && variants == [""])
        gate.open()
        _ = try await slow.image
    }

    @Test func aKeptResultNeedsNeitherSourceNorTransformer() async throws {
        let cropping = Cropping()
        var wanted = try request(.result, [cropping])
        wanted.waitsForStore = true
        _ = try await manager().image(for: wanted)
        let (runs, loads) = (cropping.runs.withLock { $0 }, loader.loads.count)

        let response = try await manager().task(for: request(.result, [cropping])).response
        #expect(response.origin == .disk)
        #expect(response.image.pixelSize == PixelSize(width: 3, height: 1))
        #expect(cropping.runs.withLock { $0 } == runs)
        #expect(loader.loads.count == loads)
    }

    @Test func theBeginningOfAChainIsTakenFromItsFile() async throws {
        let cropping = Cropping()
        var first = try request(.result, [cropping])
        first.waitsForStore = true
        _ = try await manager().image(for: first)
        let marker = CustomTransformer(name: "same") { image, _ throws(ImageError) in image }
        let response = try await manager().task(for: request(.result, [cropping, marker])).response
        #expect(response.image.pixelSize.width == 3)
        #expect(cropping.runs.withLock { $0 } == 1)
        #expect(loader.loads.count == 1)
    }

    @Test func waitingForTheStoreMeansBothFiles() async throws {
        var request = try request(.both, size: 4)
        request.waitsForStore = true
        _ = try await manager().image(for: request)
        #expect(variants == ["", "fit4x4"])
    }

    @Test func aDamagedResultIsDroppedAndMadeAgain() async throws {
        let key = try request(.result, size: 4).cacheKey
        try disk.store(CachedData(bytes: Data("rubbish".utf8), storedAt: Date()), for: key)
        var wanted = try request(.result, size: 4)
        wanted.waitsForStore = true
        let response = try await manager().task(for: wanted).response
        #expect(response.origin == .local)
        #expect(response.image.pixelSize.width == 4)
        #expect(disk.entries[key]?.bytes == FakeDecoders.file(width: 4, height: 4))
    }

    /// What was made of the file before must not be found any more.
    @Test func aNewFileTakesTheOldResultsAway() async throws {
        var small = try request(.both, size: 4)
        small.waitsForStore = true
        _ = try await manager().image(for: small)
        var large = try request(.both, size: 6)
        large.waitsForStore = true
        large.httpCachePolicy = .reload
        let now = Date()
        let response = StoredResponse(url: large.url, status: 200, fields: [:], requestTime: now, responseTime: now)
        let manager = manager()
        let loader = FakeLoader { _ in
            .success(LoadedData(bytes: FakeDecoders.file(width: 9, height: 9), response: response))
        }
        large.parts = RequestParts(loaders: [loader])
        _ = try await manager.image(for: large)
        #expect(variants == ["", "fit6x6"])
    }

    @Test func withoutAnEncoderThePictureComesAndTheErrorIsTold() async throws {
        let manager = manager(encoders: nil)
        _ = try await manager.image(for: request(.result, size: 4))
        await manager.flush()
        #expect(errors.withLock { $0 } == [.unsupportedFormat])
        #expect(variants.isEmpty)
    }

    @Test func aFormatThatCannotHoldThePictureIsNotTaken() async throws {
        // The fake encoder writes PNG only, which every picture fits into.
        let manager = manager(encoders: FakeEncoders(formats: [.png]))
        _ = try await manager.image(for: request(.result, size: 4))
        await manager.flush()
        #expect(variants == ["fit4x4"])
        #expect(errors.withLock { $0 }.isEmpty)
    }

    @Test func cancellingDuringTheLookStopsIt() async throws {
        let gate = Gate()
        let manager = manager(FakeDataCache(readGate: gate))
        let task = manager.task(for: try request(.result, size: 4))
        gate.waitForArrivals(1)
        task.cancel()
        gate.open()
        #expect(await code(of: task) == .cancelled)
        await manager.flush()
        #expect(loader.loads.isEmpty)
    }
}
