import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Loading", .timeLimit(.minutes(10)))
struct LoadingTests {
    let loader = FakeLoader()
    let decoders = FakeDecoders()
    let memory = FakeImageCache()
    let disk = FakeDataCache()

    var manager: ImageManager {
        ImageManager(
            configuration: .init(memoryCache: memory, diskCache: disk, loaders: [loader], decoders: decoders)
        )
    }

    func url(_ name: String) throws -> URL { try #require(URL(string: "http://pictures.test/\(name)")) }

    @Test func loadsDecodesAndKeeps() async throws {
        let manager = manager
        let task = manager.task(for: ImageRequest(url: try url("a.fake")))
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 4, height: 3))
        let response = try await task.response
        #expect(response.image.pixelSize == PixelSize(width: 4, height: 3))
        #expect(response.origin == .local)
        await manager.flush()
        #expect(disk.entries.keys.map(\.original) == ["http://pictures.test/a.fake"])

        let again = manager.task(for: ImageRequest(url: try url("a.fake")))
        guard case .success(let hit) = again.result else {
            Issue.record("a picture in memory was not there when the call returned")
            return
        }
        #expect(hit.origin == .memory)

        memory.removeAll()
        let fromDisk = try await manager.task(for: ImageRequest(url: try url("a.fake"))).response
        #expect(fromDisk.origin == .disk)
        #expect(loader.loads.count == 1)
    }

    @Test func theFileComesAlongIfAskedAndMemoryDoesNotServeThat() async throws {
        let manager = manager
        let file = FakeDecoders.file(width: 4, height: 3)
        var request = ImageRequest(url: try url("a.fake"))
        let plain = manager.task(for: request)
        request.wantsData = true
        let asking = manager.task(for: request)
        await loader.waitForLoads(1)
        loader.succeed(0, with: file)
        #expect(try await plain.response.data == nil)
        #expect(try await asking.response.data == file)
        #expect(loader.loads.count == 1)
        await manager.flush()

        let again = try await manager.task(for: request).response
        #expect(again.origin == .disk)
        #expect(again.data == file)
    }

    @Test func simultaneousRequestsShareOneDownloadAndOneDecode() async throws {
        let manager = manager
        let tasks = try (0..<50).map { _ in manager.task(for: ImageRequest(url: try url("a.fake"))) }
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 2, height: 2))
        for task in tasks { _ = try await task.image }
        #expect(loader.loads.count == 1)
        #expect(decoders.decodeCount == 1)
    }

    @Test func sizesOfOneURLShareTheDownloadOnly() async throws {
        let manager = manager
        let tasks = try (1...10).map { side in
            let target = TargetSize(PixelSize(width: side, height: side))
            return manager.task(for: ImageRequest(url: try url("a.fake"), targetSize: target))
        }
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 100, height: 100))
        for (index, task) in tasks.enumerated() {
            #expect(try await task.image.pixelSize.width == index + 1)
        }
        #expect(loader.loads.count == 1)
        #expect(decoders.decodeCount == 10)
        await manager.flush()
        #expect(disk.writeCount == 1)
    }

    @Test func fileOnItsWayToDiskIsNotFetchedAgain() async throws {
        let gate = Gate()
        let disk = FakeDataCache(writeGate: gate)
        let manager = ImageManager(
            configuration: .init(memoryCache: memory, diskCache: disk, loaders: [loader], decoders: decoders)
        )
        let full = manager.task(for: ImageRequest(url: try url("a.fake")))
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 8, height: 8))
        _ = try await full.image
        gate.waitForArrivals(1)
        let target = TargetSize(PixelSize(width: 4, height: 4))
        let small = try await manager.image(for: ImageRequest(url: try url("a.fake"), targetSize: target))
        #expect(small.pixelSize.width == 4)
        gate.open()
        await manager.flush()
        #expect(loader.loads.count == 1)
        #expect(disk.writeCount == 1)
    }

    @Test func cancelIsPerCallerAndTheLastOneEndsTheDownload() async throws {
        let manager = manager
        let first = manager.task(for: ImageRequest(url: try url("a.fake")))
        let second = manager.task(for: ImageRequest(url: try url("a.fake")))
        await loader.waitForLoads(1)
        first.cancel()
        #expect(await code(of: first) == .cancelled)
        #expect(loader.loads[0].isCancelled == false)
        second.cancel()
        #expect(loader.loads[0].isCancelled)
        #expect(await code(of: second) == .cancelled)
        #expect(manager.activeFetchCount == 0)
    }

    @Test func aRequestAfterAnAbandonedDownloadStartsAFreshOne() async throws {
        let manager = manager
        let first = manager.task(for: ImageRequest(url: try url("a.fake")))
        await loader.waitForLoads(1)
        first.cancel()
        let second = manager.task(for: ImageRequest(url: try url("a.fake")))
        await loader.waitForLoads(2)
        loader.succeed(1, with: FakeDecoders.file(width: 1, height: 1))
        #expect(try await second.image.pixelSize == PixelSize(width: 1, height: 1))
    }

    @Test func cancellingTheWaitingSwiftTaskCancelsTheLoad() async throws {
        let manager = manager
        let request = ImageRequest(url: try url("a.fake"))
        let waiting = Task { await code(of: manager.task(for: request)) }
        await loader.waitForLoads(1)
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        await loader.waitUntil { $0[0].isCancelled }
    }

    @Test func cancelAllEndsEveryLoadOnce() async throws {
        let manager = manager
        let tasks = try (0..<10).map { manager.task(for: ImageRequest(url: try url("\($0 % 4).fake"))) }
        await loader.waitForLoads(4)
        #expect(manager.runningTaskCount == 10)
        manager.cancelAll()
        #expect(manager.runningTaskCount == 0)
        for task in tasks { #expect(await code(of: task) == .cancelled) }
        await loader.waitUntil { $0.count(where: \.isCancelled) == 4 }
        #expect(loader.loads.count == 4)
    }

    @Test func requestsArePreparedBeforeAnythingElse() async throws {
        var configuration = ImageManager.Configuration(memoryCache: memory, loaders: [loader], decoders: decoders)
        configuration.prepareRequest = { request throws(ImageError) in
            guard request.url.host() == "pictures.test" else { throw ImageError(.invalidURL, "a foreign host") }
            var request = request
            request.cacheName = request.url.path()
            return request
        }
        let manager = ImageManager(configuration: configuration)
        let signed = manager.task(for: ImageRequest(url: try url("a.fake?signature=1")))
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        _ = try await signed.image
        let resigned = manager.task(for: ImageRequest(url: try url("a.fake?signature=2")))
        #expect(try resigned.result?.get().origin == .memory)
        let foreign = manager.task(for: ImageRequest(url: try #require(URL(string: "http://else.test/a"))))
        #expect(await code(of: foreign) == .invalidURL)
    }

    @Test func abandonedDecodeNeverRuns() async throws {
        let gate = Gate()
        let decoders = FakeDecoders(gate: gate)
        let pool = WorkPool(name: "one", threads: 1)
        let manager = ImageManager(
            configuration: .init(loaders: [loader], decoders: decoders, decodePool: pool)
        )
        let running = manager.task(for: ImageRequest(url: try url("a.fake")))
        let waiting = manager.task(for: ImageRequest(url: try url("b.fake")))
        await loader.waitForLoads(2)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        gate.waitForArrivals(1)
        loader.succeed(1, with: FakeDecoders.file(width: 1, height: 1))
        #expect(pool.waitingCount == 1)
        waiting.cancel()
        #expect(pool.waitingCount == 0)
        gate.open()
        _ = try await running.image
        #expect(decoders.decodeCount == 1)
    }

    @Test func raisedPriorityReachesTheDownload() async throws {
        let manager = manager
        let task = manager.task(for: ImageRequest(url: try url("a.fake"), priority: .low))
        await loader.waitForLoads(1)
        #expect(loader.loads[0].priority == .low)
        let other = manager.task(for: ImageRequest(url: try url("a.fake"), priority: .high))
        await loader.waitUntil { $0[0].priority == .high }
        other.cancel()
        #expect(loader.loads[0].priority == .low)
        task.priority = .veryHigh
        #expect(loader.loads[0].priority == .veryHigh)
        task.cancel()
    }

    /// A loader during whose start the load becomes more urgent.
    private final class Hesitating: ImageLoading {
        private final class Handle: LoadHandle {
            let told = Lock<[Priority]>([])
            func cancel() {}
            func setPriority(_ priority: Priority) { told.withLock { $0.append(priority) } }
        }

        let meanwhile = Lock<(@Sendable () -> Void)?>(nil)
        private let handle = Handle()
        var told: [Priority] { handle.told.withLock { $0 } }

        func canLoad(_ url: URL) -> Bool { true }

        func load(_ request: LoadRequest, handler: @escaping @Sendable (LoadEvent) -> Void) -> any LoadHandle {
            meanwhile.withLock { $0 }?()
            return handle
        }
    }

    @Test func priorityRaisedWhileTheDownloadStartsIsNotLost() async throws {
        let loader = Hesitating()
        let manager = ImageManager(configuration: .init(loaders: [loader], decoders: decoders))
        let request = ImageRequest(url: try url("a.fake"), priority: .low)
        loader.meanwhile.withLock { meanwhile in
            meanwhile = {
                var urgent = request
                urgent.priority = .high
                manager.task(for: urgent).observe { _ in }
            }
        }
        let task = manager.task(for: request)
        #expect(loader.told == [.high])
        manager.cancelAll()
        #expect(await code(of: task) == .cancelled)
    }

    /// Two sizes are two pictures over one download, which is as urgent as the more urgent of them.
    @Test func aSharedDownloadIsAsUrgentAsItsMostUrgentSize() async throws {
        let manager = manager
        let target = TargetSize(PixelSize(width: 1, height: 1))
        let full = manager.task(for: ImageRequest(url: try url("a.fake"), priority: .low))
        await loader.waitForLoads(1)
        let small = manager.task(for: ImageRequest(url: try url("a.fake"), targetSize: target, priority: .high))
        await loader.waitUntil { $0[0].priority == .high }
        #expect(loader.loads.count == 1)
        #expect(loader.loads[0].priority == .high)
        small.cancel()
        #expect(loader.loads[0].priority == .low)
        full.cancel()
        #expect(loader.loads[0].isCancelled)
    }

    /// A size is made of the whole picture on disk, and kept under its own key only.
    @Test func aSizeIsServedFromTheWholePictureOnDisk() async throws {
        let url = try url("a.fake")
        try disk.store(
            CachedData(bytes: FakeDecoders.file(width: 100, height: 100), storedAt: Date()),
            for: ImageRequest(url: url).originalKey
        )
        let target = TargetSize(PixelSize(width: 10, height: 10))
        let manager = manager
        let response = try await manager.task(for: ImageRequest(url: url, targetSize: target)).response
        await manager.flush()
        #expect(response.origin == .disk)
        #expect(response.image.pixelSize.width == 10)
        #expect(loader.loads.isEmpty)
        #expect(memory.keys.map(\.variant) == ["fit10x10"])
        #expect(disk.entries.keys.map(\.variant) == [""])
        #expect(disk.writeCount == 1)
    }

    @Test func whoWaitsForTheStoreFindsTheFile() async throws {
        let gate = Gate()
        let disk = FakeDataCache(writeGate: gate)
        let manager = ImageManager(
            configuration: .init(diskCache: disk, loaders: [loader], decoders: decoders)
        )
        var request = ImageRequest(url: try url("a.fake"))
        let hasty = manager.task(for: request)
        request.waitsForStore = true
        let patient = manager.task(for: request)
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        _ = try await hasty.image
        gate.waitForArrivals(1)
        #expect(patient.result == nil)
        gate.open()
        _ = try await patient.image
        #expect(disk.entries.count == 1)
    }

    @Test func eventsComeInOrderAndEndOnce() async throws {
        let manager = manager
        let task = manager.task(for: ImageRequest(url: try url("a.fake")))
        let early = task.events
        await loader.waitForLoads(1)
        loader.progress(0, received: 5, expected: 11)
        let late = task.events
        loader.progress(0, received: 11, expected: 11)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        _ = try await task.image
        let afterEnd = task.events
        for (stream, expected) in [(early, [5, 11] as [Int64]), (late, [5, 11]), (afterEnd, [])] {
            var received: [Int64] = []
            var ends = 0
            for await event in stream {
                #expect(ends == 0)
                switch event {
                case .progress(let progress): received.append(progress.receivedByteCount)
                case .preview: break
                case .finished, .failed: ends += 1
                }
            }
            #expect(received == expected)
            #expect(ends == 1)
        }
    }

    /// Tasks that start, join and cancel from several threads at once: every one ends exactly once.
    @Test func completionsAreExactlyOnceUnderRandomCancels() async throws {
        let loader = FakeLoader { _ in .success(LoadedData(bytes: FakeDecoders.file(width: 2, height: 2))) }
        let manager = ImageManager(
            configuration: .init(memoryCache: memory, diskCache: disk, loaders: [loader], decoders: decoders)
        )
        let urls = try (0..<20).map { try url("\($0).fake") }
        let ends = Lock<[Int: Int]>([:])
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(worker))
                    for step in 0..<2_500 {
                        let number = worker * 2_500 + step
                        var request = ImageRequest(url: urls[Int.random(in: 0..<20, using: &random)])
                        if Bool.random(using: &random) { request.cachePolicy = .reload }
                        let task = manager.load(request) { _ in ends.withLock { $0[number, default: 0] += 1 } }
                        if Bool.random(using: &random) { task.cancel() }
                        _ = try? await task.image
                    }
                }
            }
        }
        await manager.flush()
        #expect(ends.withLock { $0.count } == 10_000)
        #expect(ends.withLock { $0.values.allSatisfy { $0 == 1 } })
        #expect(manager.activeFetchCount == 0)
    }
}

/// The code with which a load fails; `nil` if it gives a picture. Waits as a caller does, with `task.image`.
func code(of task: ImageTask) async -> ImageError.Code? {
    do throws(ImageError) {
        _ = try await task.image
        return nil
    } catch {
        return error.code
    }
}
