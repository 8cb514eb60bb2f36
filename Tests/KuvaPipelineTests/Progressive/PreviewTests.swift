import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Previews", .timeLimit(.minutes(10)))
struct PreviewTests {
    let loader = FakeLoader()
    let time = ManualTime()
    let decodeGate = Gate(isOpen: true)
    let memory = FakeImageCache()
    let disk = FakeDataCache()
    let file = FakeDecoders.file(width: 4, height: 4, body: 6)
    let pool = WorkPool(name: "one", threads: 1)

    var manager: ImageManager {
        ImageManager(
            configuration: .init(
                memoryCache: memory,
                diskCache: disk,
                loaders: [loader],
                decoders: FakeDecoders(),
                decodePool: pool,
                minimumPreviewInterval: .milliseconds(100),
                time: time.source
            )
        )
    }

    func request(_ transformers: [any ImageTransformer] = []) throws -> ImageRequest {
        let url = try #require(URL(string: "http://pictures.test/a"))
        return ImageRequest(url: url, transformers: transformers, wantsPreviews: true)
    }

    /// Returns when the single decode thread has done what was queued before.
    func drainDecodes() async {
        await withCheckedContinuation { continuation in
            _ = pool.submit(priority: .veryLow) { continuation.resume() }
        }
    }

    func widths(of events: AsyncStream<ImageTask.Event>) async -> [String] {
        var seen: [String] = []
        for await event in events {
            switch event {
            case .progress: break
            case .preview(let image): seen.append("preview \(image.pixelSize.width)")
            case .finished(let response): seen.append("final \(response.image.pixelSize.width)")
            case .failed(let error): seen.append("failed \(error.code)")
            }
        }
        return seen
    }

    @Test func previewsComeBeforeThePictureAndAreNotKept() async throws {
        let manager = manager
        let task = manager.task(for: try request())
        let events = task.events
        await loader.waitForLoads(1)
        #expect(loader.loads[0].request.wantsBytes)
        loader.send(0, file.prefix(5))
        await drainDecodes()
        loader.send(0, file.dropFirst(5).prefix(8))
        await drainDecodes()
        #expect(memory.keys.isEmpty)
        time.advance(by: .milliseconds(100))
        loader.send(0, file.dropFirst(13))
        await drainDecodes()
        loader.succeed(0, with: file)
        #expect(await widths(of: events) == ["preview 4", "preview 4", "final 4"])
        await manager.flush()
        #expect(memory.keys.count == 1)
        #expect(disk.writeCount == 1)
    }

    @Test func previewsKeepTheirDistance() async throws {
        let task = manager.task(for: try request())
        let events = task.events
        await loader.waitForLoads(1)
        loader.send(0, file.prefix(12))
        await drainDecodes()
        time.advance(by: .milliseconds(99))
        loader.send(0, file.dropFirst(12).prefix(1))
        await drainDecodes()
        loader.succeed(0, with: file)
        #expect(await widths(of: events) == ["preview 4", "final 4"])
    }

    @Test func bytesThatComeDuringADecodeAreTakenTogether() async throws {
        let gate = Gate()
        pool.submit { gate.wait() }
        while pool.waitingCount > 0, !Task.isCancelled { await Task.yield() }
        let task = manager.task(for: try request())
        let events = task.events
        await loader.waitForLoads(1)
        for byte in file { loader.send(0, Data([byte])) }
        #expect(pool.waitingCount == 1)
        gate.open()
        await drainDecodes()
        loader.succeed(0, with: file)
        #expect(await widths(of: events) == ["preview 4", "final 4"])
    }

    /// The server stalls: what came during a decode that had too little to show is all that there will be.
    @Test func bytesThatComeDuringADecodeWithoutAPictureAreShown() async throws {
        let gate = Gate()
        let manager = ImageManager(
            configuration: .init(
                memoryCache: memory,
                loaders: [loader],
                decoders: SlowToStart(gate: gate),
                decodePool: pool,
                time: time.source
            )
        )
        let task = manager.task(for: try request())
        let events = task.events
        await loader.waitForLoads(1)
        loader.send(0, file.prefix(8))
        gate.waitForArrivals(1)
        loader.send(0, file.dropFirst(8).prefix(4))
        gate.open()
        await drainDecodes()
        task.cancel()
        #expect(await widths(of: events) == ["preview 4", "failed cancelled"])
    }

    /// Makes decoders only when its gate lets it.
    private struct SlowToStart: ImageDecoderProvider {
        let gate: Gate

        func makeDecoder(forPrefix prefix: Data, options: DecodeOptions) -> (any ImageDecoder)? {
            gate.wait()
            return FakeDecoders().makeDecoder(forPrefix: prefix, options: options)
        }
    }

    @Test func aPreviewThatFailsIsSilent() async throws {
        let task = manager.task(for: try request())
        let events = task.events
        await loader.waitForLoads(1)
        loader.send(0, Data("image 4xtwo;...".utf8))
        await drainDecodes()
        loader.succeed(0, with: file)
        #expect(await widths(of: events) == ["final 4"])
    }

    @Test func aFailureEndsThePreviews() async throws {
        let gate = Gate()
        pool.submit { gate.wait() }
        while pool.waitingCount > 0, !Task.isCancelled { await Task.yield() }
        let decoders = CountingPreviews()
        let manager = ImageManager(configuration: .init(loaders: [loader], decoders: decoders, decodePool: pool))
        let task = manager.task(for: try request())
        let events = task.events
        await loader.waitForLoads(1)
        loader.send(0, file)
        loader.fail(0, with: ImageError(.connectionLost, "the connection broke"))
        gate.open()
        await drainDecodes()
        #expect(await widths(of: events) == ["failed connection-lost"])
        #expect(decoders.count.withLock { $0 } == 0)
    }

    /// Makes nothing, and counts how often it is asked to.
    private final class CountingPreviews: ImageDecoderProvider {
        let count = Lock(0)

        func makeDecoder(forPrefix prefix: Data, options: DecodeOptions) -> (any ImageDecoder)? {
            count.withLock { $0 += 1 }
            return nil
        }
    }

    @Test func previewThatIsLateNeverFollowsThePicture() async throws {
        let gate = Gate()
        let twoThreads = WorkPool(name: "two", threads: 2)
        let slow = SlowWidening(gate: gate)
        let manager = ImageManager(
            configuration: .init(loaders: [loader], decoders: FakeDecoders(), decodePool: twoThreads)
        )
        let task = manager.task(for: try request([slow]))
        let events = task.events
        await loader.waitForLoads(1)
        loader.send(0, file)
        gate.waitForArrivals(1)
        loader.succeed(0, with: file)
        _ = try await task.image
        gate.open()
        #expect(await widths(of: events) == ["final 5"])
    }

    /// Holds back the first picture that it sees, the preview.
    private final class SlowWidening: ImageTransformer {
        let key = "slow"
        let gate: Gate
        let count = Lock(0)

        init(gate: Gate) { self.gate = gate }

        func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { gate.wait() }
            let size = PixelSize(width: image.pixelSize.width + 1, height: 1)
            var canvas = try pool.canvas(PixelLayout(size: size))
            canvas.clear(rows: 0..<1)
            return Image(pixels: canvas.freeze())
        }
    }

    @Test func lateCallerGetsWhatHasCome() async throws {
        let manager = manager
        let first = manager.task(for: try request())
        await loader.waitForLoads(1)
        loader.send(0, file.prefix(12))
        await drainDecodes()
        var smaller = try request()
        smaller.targetSize = TargetSize(PixelSize(width: 2, height: 2))
        let second = manager.task(for: smaller)
        let events = second.events
        await drainDecodes()
        loader.succeed(0, with: file)
        #expect(await widths(of: events) == ["preview 2", "final 2"])
        _ = try await first.image
        #expect(loader.loads.count == 1)
    }

    @Test func nobodyAsksForBytesWithoutWantingPreviews() async throws {
        var plain = try request()
        plain.wantsPreviews = false
        let task = manager.task(for: plain)
        await loader.waitForLoads(1)
        #expect(loader.loads[0].request.wantsBytes == false)
        task.cancel()
    }
}
