import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

/// What the tests of SDWebImage, Nuke and Kingfisher ask of a manager and no other test here asks; see
/// `docs/manager-tests.md`.
@Suite("Peers' manager tests", .timeLimit(.minutes(10)))
struct PeerManagerTests {
    let loader = FakeLoader()
    let decoders = FakeDecoders()
    let memory = FakeImageCache()
    let disk = FakeDataCache()
    let manager: ImageManager

    init() {
        manager = ImageManager(
            configuration: .init(
                memoryCache: memory,
                diskCache: disk,
                loaders: [loader],
                decoders: decoders,
                encoders: FakeEncoders()
            )
        )
    }

    func request(_ policy: CachePolicy = .standard) throws -> ImageRequest {
        ImageRequest(url: try #require(URL(string: "http://pictures.test/a")), cachePolicy: policy)
    }

    func put(in level: CachePolicy, width: Int) throws {
        let request = try request()
        if level == .readDisk {
            let entry = CachedData(bytes: FakeDecoders.file(width: width, height: 1), storedAt: Date())
            try disk.store(entry, for: request.originalKey)
        } else {
            var canvas = try PixelBufferPool.shared.canvas(PixelLayout(size: PixelSize(width: width, height: 1)))
            canvas.clear(rows: 0..<1)
            memory.store(Image(pixels: canvas.freeze()), for: request.cacheKey)
        }
    }

    /// SDWebImage 15: a query for one level does not find what the other has.
    @Test func eachLevelIsReadOnlyIfTheRequestSaysSo() async throws {
        try put(in: .readMemory, width: 1)
        try put(in: .readDisk, width: 2)
        #expect(try await manager.image(for: request([.readMemory])).pixelSize.width == 1)
        #expect(try await manager.image(for: request([.readDisk])).pixelSize.width == 2)
        memory.removeAll()
        #expect(await code(of: manager.task(for: try request([.readMemory]))) == .notInCache)
        disk.removeAll()
        #expect(await code(of: manager.task(for: try request([.readDisk]))) == .notInCache)
        #expect(loader.loads.isEmpty)
    }

    /// SDWebImage 12: and each is written only so.
    @Test func eachLevelIsWrittenOnlyIfTheRequestSaysSo() async throws {
        for (policy, inMemory, onDisk) in [
            (CachePolicy([.load]), 0, 0), ([.load, .writeMemory], 1, 0), ([.load, .writeDisk], 0, 1),
        ] {
            let task = manager.task(for: try request(policy))
            let number = loader.loads.count - 1
            loader.succeed(number, with: FakeDecoders.file(width: 1, height: 1))
            _ = try await task.image
            await manager.flush()
            #expect(memory.keys.count == inMemory)
            #expect(disk.entries.count == onDisk)
            memory.removeAll()
            disk.removeAll()
        }
    }

    /// SDWebImage 07, #1993.
    @Test func twoRefreshesInARowBothEnd() async throws {
        var request = try request()
        request.httpCachePolicy = .refresh
        for number in 0..<2 {
            let task = manager.task(for: request)
            await loader.waitForLoads(number + 1)
            let answer = StoredResponse(
                url: request.url,
                status: 200,
                fields: ["Cache-Control": "no-cache"],
                requestTime: Date(),
                responseTime: Date()
            )
            loader.succeed(number, with: FakeDecoders.file(width: number + 1, height: 1), response: answer)
            #expect(try await task.image.pixelSize.width == number + 1)
            await manager.flush()
        }
    }

    /// Nuke 6: the exact set of keys, also when two requests come at once.
    @Test func simultaneousRequestsWriteEachKeyOnce() async throws {
        var small = try request()
        small.targetSize = TargetSize(PixelSize(width: 2, height: 2))
        var both = small
        both.diskContent = .both
        var result = small
        result.diskContent = .result
        let requests = [try request(), small, both, result, both]
        let tasks = requests.map { manager.task(for: $0) }
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 8, height: 8))
        for task in tasks { _ = try await task.image }
        await manager.flush()
        #expect(Set(disk.entries.keys.map(\.variant)) == ["", "fit2x2"])
        #expect(disk.writeCount == 2)
        #expect(loader.loads.count == 1)
        #expect(decoders.decodeCount == 2)
    }

    /// Nuke 8: what ends before the call returns is not kept by anyone.
    @Test func whatEndsAtOnceLeavesNothing() throws {
        try put(in: .readMemory, width: 1)
        var requests = [try request(), try request([])]
        let foreign = try #require(URL(string: "gopher://pictures.test/a"))
        requests.append(ImageRequest(url: foreign, cachePolicy: .none))
        requests.append(try request(.none))
        for (number, request) in requests.enumerated() {
            var task: ImageTask? = manager.task(for: request)
            if number == 3 { task?.cancel() }
            #expect(task?.result != nil)
            weak let left = task
            task = nil
            #expect(left == nil, "task \(number) is kept")
        }
    }

    /// Nuke 9: whoever subscribes, whenever, sees one end.
    @Test func lateSubscribersSeeOneEnd() async throws {
        try put(in: .readMemory, width: 1)
        let hit = manager.task(for: try request())
        let cancelled = manager.task(for: try request(.none))
        cancelled.cancel()
        let failed = manager.task(for: try request([.readDisk]))
        _ = try? await failed.image
        for task in [hit, cancelled, failed] {
            for _ in 0..<2 {
                var events = 0
                for await event in task.events {
                    events += 1
                    #expect(event.isLast)
                }
                #expect(events == 1)
            }
        }
    }

    /// Nuke 10.
    @Test func cancellingWhatHasEndedChangesNothing() async throws {
        let task = manager.task(for: try request())
        let ends = Lock(0)
        task.observe { if $0.isLast { ends.withLock { $0 += 1 } } }
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        _ = try await task.image
        task.cancel()
        task.cancel()
        task.priority = .high
        #expect((try? task.result?.get()) != nil)
        #expect(ends.withLock { $0 } == 1)
        let second = manager.task(for: try request(.none))
        second.cancel()
        second.cancel()
        #expect(await code(of: second) == .cancelled)
    }

    /// Kingfisher's stale cache tests: a file that is read for nobody is not decoded.
    @Test func whatIsReadForNobodyIsNotDecoded() async throws {
        let gate = Gate()
        let disk = FakeDataCache(readGate: gate)
        try disk.store(
            CachedData(bytes: FakeDecoders.file(width: 1, height: 1), storedAt: Date()),
            for: request().originalKey
        )
        let pool = WorkPool(name: "disk", threads: 1)
        let manager = ImageManager(
            configuration: .init(
                memoryCache: memory,
                diskCache: disk,
                loaders: [loader],
                decoders: decoders,
                diskPool: pool
            )
        )
        let reading = manager.task(for: try request())
        gate.waitForArrivals(1)
        let waiting = manager.task(for: ImageRequest(url: try #require(URL(string: "http://pictures.test/b"))))
        waiting.cancel()
        #expect(pool.waitingCount == 0)
        reading.cancel()
        gate.open()
        await withCheckedContinuation { continuation in pool.submit { continuation.resume() } }
        #expect(disk.readCount == 1)
        #expect(decoders.decodeCount == 0)
        #expect(memory.keys.isEmpty)
        #expect(manager.activeFetchCount == 0)
    }

    /// A reload looks into no cache and writes what comes.
    @Test func aReloadReplacesWhatIsCached() async throws {
        try put(in: .readMemory, width: 1)
        try put(in: .readDisk, width: 2)
        let task = manager.task(for: try request(.reload))
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 3, height: 1))
        #expect(try await task.image.pixelSize.width == 3)
        await manager.flush()
        #expect(disk.readCount == 0)
        #expect(try manager.task(for: request()).result?.get().image.pixelSize.width == 3)
        #expect(disk.entries.values.first?.bytes == FakeDecoders.file(width: 3, height: 1))
    }

    /// Files that wait to be stored are in memory: past some number they go before what is to be read.
    @Test func aBacklogOfStoresGoesFirst() async throws {
        let gate = Gate()
        let disk = FakeDataCache(writeGate: gate)
        let loader = FakeLoader { _ in .success(LoadedData(bytes: FakeDecoders.file(width: 1, height: 1))) }
        let pool = WorkPool(name: "disk", threads: 1)
        let manager = ImageManager(
            configuration: .init(diskCache: disk, loaders: [loader], decoders: decoders, diskPool: pool)
        )
        func request(_ number: Int, _ policy: CachePolicy) throws -> ImageRequest {
            ImageRequest(url: try #require(URL(string: "http://pictures.test/\(number)")), cachePolicy: policy)
        }
        for number in 0..<100 { _ = try await manager.image(for: request(number, [.load, .writeDisk])) }
        let reading = manager.task(for: try request(500, [.readDisk]))
        gate.open()
        #expect(await code(of: reading) == .notInCache)
        // All beyond the first 64 were done before; the one that held the thread was done, too.
        #expect(disk.writeCount >= 100 - 64)
        await manager.flush()
        #expect(disk.writeCount == 100)
    }

    @Test func runningIsTold() async throws {
        #expect(!manager.isRunning)
        let task = manager.task(for: try request())
        #expect(manager.isRunning)
        task.cancel()
        #expect(!manager.isRunning)
    }
}
