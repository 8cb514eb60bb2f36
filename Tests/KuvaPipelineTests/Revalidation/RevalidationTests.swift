import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Revalidation", .timeLimit(.minutes(10)))
struct RevalidationTests {
    let loader = FakeLoader()
    let time = ManualTime()
    let memory = FakeImageCache()
    let disk = FakeDataCache()
    let url: URL
    let manager: ImageManager

    init() throws {
        url = try #require(URL(string: "http://pictures.test/a"))
        manager = ImageManager(
            configuration: .init(
                memoryCache: memory,
                diskCache: disk,
                loaders: [loader],
                decoders: FakeDecoders(),
                time: time.source
            )
        )
    }

    func request(_ policy: HTTPCachePolicy, size: Int? = nil) -> ImageRequest {
        let target = size.map { TargetSize(PixelSize(width: $0, height: $0)) }
        var request = ImageRequest(url: url, targetSize: target)
        request.httpCachePolicy = policy
        return request
    }

    func response(_ cacheControl: String, tag: String = "\"1\"") -> StoredResponse {
        let now = time.source.wall
        return StoredResponse(
            url: url,
            status: 200,
            fields: ["Cache-Control": cacheControl, "ETag": tag],
            requestTime: now,
            responseTime: now
        )
    }

    /// Puts a picture of 4 by 4 pixels on disk, as an earlier run left it.
    func keep(_ cacheControl: String) throws {
        let entry = CachedData(
            bytes: FakeDecoders.file(width: 4, height: 4),
            response: response(cacheControl),
            storedAt: time.source.wall
        )
        try disk.store(entry, for: request(.cached).originalKey)
    }

    func notModified(_ id: Int, _ cacheControl: String) {
        let loaded = LoadedData(bytes: Data(), response: response(cacheControl), isNotModified: true)
        loader.finish(id, with: loaded)
    }

    func widths(of task: ImageTask, onPreview: () -> Void = {}) async -> [String] {
        var seen: [String] = []
        for await event in task.events {
            switch event {
            case .progress: break
            case .preview(let image):
                seen.append("preview \(image.pixelSize.width)")
                onPreview()
            case .finished(let response): seen.append("\(response.origin) \(response.image.pixelSize.width)")
            case .failed(let error): seen.append("failed \(error.code)")
            }
        }
        return seen
    }

    /// RFC 9111 §4.2: a stored response is fresh while its age is below its freshness lifetime.
    @Test func freshIsUsedWithoutAsking() async throws {
        try keep("max-age=60")
        time.advance(by: .seconds(59))
        let task = manager.task(for: request(.useProtocol))
        #expect(try await task.response.origin == .disk)
        let again = manager.task(for: request(.useProtocol))
        #expect(try again.result?.get().origin == .memory)
        #expect(loader.loads.isEmpty)
    }

    /// RFC 9111 §4.3: a stale response is validated; §4.3.4: a 304 makes it fresh again.
    @Test func staleIsConfirmedAndFreshAgain() async throws {
        try keep("max-age=60")
        _ = try await manager.task(for: request(.useProtocol)).image
        time.advance(by: .seconds(61))
        let task = manager.task(for: request(.useProtocol))
        await loader.waitForLoads(1)
        #expect(loader.loads[0].request.known?.fields["ETag"] == "\"1\"")
        notModified(0, "max-age=120")
        let response = try await task.response
        #expect(response.origin == .disk)
        #expect(response.image.pixelSize.width == 4)
        await manager.flush()
        #expect(disk.entries[task.request.originalKey]?.response?.fields["Cache-Control"] == "max-age=120")
        time.advance(by: .seconds(119))
        #expect(try manager.task(for: request(.useProtocol)).result?.get().origin == .memory)
        #expect(loader.loads.count == 1)
    }

    @Test func changedPictureReplacesTheOldInAllSizes() async throws {
        try keep("max-age=60")
        _ = try await manager.task(for: request(.useProtocol, size: 2)).image
        time.advance(by: .seconds(61))
        let task = manager.task(for: request(.useProtocol))
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 9, height: 9), response: response("max-age=60", tag: "\"2\""))
        #expect(try await task.response.origin == .network)
        #expect(memory.keys.map(\.variant) == [""])
        await manager.flush()
        #expect(disk.entries[task.request.originalKey]?.bytes == FakeDecoders.file(width: 9, height: 9))
    }

    @Test func refreshShowsTheOldAndEndsWithTheNew() async throws {
        try keep("max-age=60")
        let task = manager.task(for: request(.refresh))
        await loader.waitForLoads(1)
        // The old picture is decoded on another thread: the answer waits until it has been shown.
        let seen = await widths(of: task) {
            let changed = response("max-age=60", tag: "\"2\"")
            loader.succeed(0, with: FakeDecoders.file(width: 9, height: 9), response: changed)
        }
        #expect(seen == ["preview 4", "network 9"])
    }

    @Test func refreshOfAnUnchangedPictureDecodesItOnce() async throws {
        try keep("no-cache")
        let task = manager.task(for: request(.refresh))
        await loader.waitForLoads(1)
        while manager.statistics.decodeCount == 0, !Task.isCancelled { await Task.yield() }
        notModified(0, "no-cache")
        #expect(try await task.response.origin == .disk)
        #expect(manager.statistics.decodeCount == 1)
    }

    @Test func refreshOfAPictureInMemoryShowsItBeforeTheCallReturns() async throws {
        try keep("max-age=60")
        _ = try await manager.task(for: request(.cached)).image
        let task = manager.task(for: request(.refresh))
        var iterator = task.events.makeAsyncIterator()
        guard case .preview(let image) = await iterator.next() else {
            Issue.record("the picture in memory was not shown")
            return
        }
        #expect(image.pixelSize.width == 4)
        task.cancel()
    }

    @Test func serverOutOfReachLeavesTheOldPictureWithAWarning() async throws {
        try keep("max-age=60")
        time.advance(by: .seconds(61))
        let task = manager.task(for: request(.useProtocol))
        await loader.waitForLoads(1)
        loader.fail(0, with: ImageError(.cannotConnect, "no route"))
        let response = try await task.response
        #expect(response.origin == .disk)
        #expect(response.warnings.map(\.code) == [.cannotConnect])
    }

    /// RFC 9111 §5.2.2.2: after it is stale, the response must not be used unless the server confirms it.
    @Test func mustRevalidateIsObeyedWhenTheServerIsOutOfReach() async throws {
        try keep("max-age=60, must-revalidate")
        time.advance(by: .seconds(61))
        let task = manager.task(for: request(.useProtocol))
        await loader.waitForLoads(1)
        loader.fail(0, with: ImageError(.cannotConnect, "no route"))
        #expect(await code(of: task) == .cannotConnect)
    }

    /// RFC 5861 §3.
    @Test func staleWhileRevalidateAnswersAtOnceAndAsksBehindTheCaller() async throws {
        try keep("max-age=60, stale-while-revalidate=60")
        time.advance(by: .seconds(61))
        #expect(try await manager.task(for: request(.useProtocol)).response.origin == .disk)
        await loader.waitForLoads(1)
        #expect(loader.loads[0].priority == .low)
        #expect(loader.loads[0].request.known != nil)
        let new = FakeDecoders.file(width: 9, height: 9)
        loader.succeed(0, with: new, response: response("max-age=60", tag: "\"2\""))
        while disk.entries[request(.cached).originalKey]?.bytes != new, !Task.isCancelled { await Task.yield() }
    }

    @Test func reloadAsksForTheWhole() async throws {
        try keep("max-age=60")
        let task = manager.task(for: request(.reload))
        await loader.waitForLoads(1)
        #expect(loader.loads[0].request.known == nil)
        #expect(loader.loads[0].request.cachePolicy == .reload)
        loader.succeed(0, with: FakeDecoders.file(width: 9, height: 9), response: response("max-age=60"))
        #expect(try await task.response.image.pixelSize.width == 9)
    }

    @Test func onlyIfCachedNeverAsks() async throws {
        #expect(await code(of: manager.task(for: request(.onlyIfCached))) == .notInCache)
        try keep("max-age=0")
        #expect(try await manager.task(for: request(.onlyIfCached)).response.origin == .disk)
        #expect(loader.loads.isEmpty)
    }

    @Test func requestsWithOtherHeadersDoNotShareATransfer() async throws {
        var first = request(.cached)
        first.transfer = LoadRequest(url: url)
        first.transfer?.headers["Authorization"] = "Bearer 1"
        var second = first
        second.transfer?.headers["Authorization"] = "Bearer 2"
        let tasks = [first, first, second].map { manager.task(for: $0) }
        await loader.waitForLoads(2)
        // In either order: each looks on disk first.
        let tokens = loader.loads.map { $0.request.headers["Authorization"] }
        #expect(tokens.count == 2 && Set(tokens) == ["Bearer 1", "Bearer 2"])
        for task in tasks { task.cancel() }
    }
}
