import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Prefetcher", .timeLimit(.minutes(10)))
struct ImagePrefetcherTests {
    let loader = FakeLoader()
    let memory = FakeImageCache()
    let disk = FakeDataCache()

    var manager: ImageManager {
        ImageManager(
            configuration: .init(memoryCache: memory, diskCache: disk, loaders: [loader], decoders: FakeDecoders())
        )
    }

    func urls(_ count: Int) throws -> [URL] {
        try (0..<count).map { try #require(URL(string: "http://pictures.test/\($0)")) }
    }

    @Test func runsThreeAtOnceAtLowPriorityAndReportsEach() async throws {
        let prefetcher = ImagePrefetcher(manager: manager)
        let progress = Lock<[Int]>([])
        let urls = try urls(5)
        let report = await withCheckedContinuation { continuation in
            prefetcher.prefetch(urls.map { ImageRequest(url: $0) }) { value in
                progress.withLock { $0.append(value.endedCount) }
            } completion: {
                continuation.resume(returning: $0)
            }
            Task {
                await loader.waitForLoads(3)
                #expect(loader.loads.count == 3)
                #expect(loader.loads.allSatisfy { $0.priority == .low })
                for number in 0..<5 {
                    await loader.waitForLoads(number + 1)
                    if number == 2 {
                        loader.fail(number, with: ImageError(.timedOut, "too slow"))
                    } else {
                        loader.succeed(number, with: FakeDecoders.file(width: 1, height: 1))
                    }
                }
            }
        }
        #expect(report.finishedCount == 4)
        #expect(report.failedCount == 1)
        #expect(progress.withLock { $0 } == [1, 2, 3, 4, 5])
        #expect(memory.keys.count == 4)
    }

    @Test func emptyListCompletesAtOnce() {
        let count = Lock<Int?>(nil)
        ImagePrefetcher(manager: manager).prefetch([ImageRequest]()) { report in
            count.withLock { $0 = report.outcomes.count }
        }
        #expect(count.withLock { $0 } == 0)
    }

    @Test func cancelCompletesOnceAndStopsItsLoads() async throws {
        let prefetcher = ImagePrefetcher(manager: manager)
        let reports = Lock<[PrefetchReport]>([])
        let token = prefetcher.prefetch(try urls(5)) { report in reports.withLock { $0.append(report) } }
        await loader.waitForLoads(3)
        token.cancel()
        token.cancel()
        let seen = reports.withLock { $0 }
        #expect(seen.count == 1)
        #expect(seen.first?.failedCount == 5)
        #expect(loader.loads.count == 3)
        let allCancelled = loader.loads.allSatisfy(\.isCancelled)
        #expect(allCancelled)
    }

    @Test func manyPicturesInMemoryNeedNoDeepStack() throws {
        let requests = try (0..<100_000).map { _ in ImageRequest(url: try #require(urls(1).first)) }
        var canvas = try PixelBufferPool.shared.canvas(PixelLayout(size: PixelSize(width: 1, height: 1)))
        canvas.clear(rows: 0..<1)
        memory.store(Image(pixels: canvas.freeze()), for: requests[0].cacheKey)
        let finished = Lock(0)
        ImagePrefetcher(manager: manager).prefetch(requests) { report in
            finished.withLock { $0 = report.finishedCount }
        }
        #expect(finished.withLock { $0 } == 100_000)
    }

    @Test func pausedStartsNothing() async throws {
        let prefetcher = ImagePrefetcher(manager: manager)
        prefetcher.setPaused(true)
        prefetcher.prefetch(try urls(2))
        #expect(loader.loads.isEmpty)
        prefetcher.setPaused(false)
        await loader.waitForLoads(2)
        prefetcher.cancelAll()
    }

    @Test func diskOnlyLeavesMemoryAlone() async throws {
        let manager = manager
        let prefetcher = ImagePrefetcher(manager: manager, destination: .disk)
        let urls = try urls(1)
        await withCheckedContinuation { continuation in
            prefetcher.prefetch(urls) { _ in continuation.resume() }
            Task {
                await loader.waitForLoads(1)
                loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
            }
        }
        await manager.flush()
        #expect(memory.keys.isEmpty)
        #expect(disk.entries.count == 1)
    }

    @Test func visibleRequestPromotesARunningPrefetch() async throws {
        let manager = manager
        let prefetcher = ImagePrefetcher(manager: manager)
        let urls = try urls(1)
        prefetcher.prefetch(urls)
        await loader.waitForLoads(1)
        let visible = manager.task(for: ImageRequest(url: urls[0], priority: .high))
        #expect(loader.loads[0].priority == .high)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        _ = try await visible.image
        #expect(loader.loads.count == 1)
    }

    /// Many threads end requests at once; the calls come in order, one at a time, and the completion last.
    @Test func progressIsInOrderWhateverThreadsEndRequests() async throws {
        let pool = WorkPool(name: "answers", threads: 4)
        struct Threaded: ImageLoading {
            let pool: WorkPool
            func canLoad(_ url: URL) -> Bool { true }
            func load(_ request: LoadRequest, handler: @escaping @Sendable (LoadEvent) -> Void) -> any LoadHandle {
                pool.submit { handler(.finished(.failure(ImageError(.timedOut, "too slow")))) }
                return Ended()
            }
            struct Ended: LoadHandle {
                func cancel() {}
                func setPriority(_ priority: Priority) {}
            }
        }
        let manager = ImageManager(configuration: .init(loaders: [Threaded(pool: pool)], decoders: FakeDecoders()))
        let prefetcher = ImagePrefetcher(manager: manager, maximumConcurrentCount: 8)
        let log = Lock<[Int]>([])
        let requests = try urls(2000).map { ImageRequest(url: $0) }
        await withCheckedContinuation { continuation in
            prefetcher.prefetch(requests) { progress in
                log.withLock { $0.append(progress.endedCount) }
            } completion: { _ in
                log.withLock { $0.append(-1) }
                continuation.resume()
            }
        }
        let isInOrder = log.withLock { $0 } == Array(1...2000) + [-1]
        #expect(isInOrder)
    }

    /// A picture that waits for its turn in the prefetcher does not wait once someone wants it.
    @Test func visibleRequestPassesTheQueueOfThePrefetcher() async throws {
        let manager = manager
        let urls = try urls(5)
        let prefetcher = ImagePrefetcher(manager: manager, maximumConcurrentCount: 1)
        let token = prefetcher.prefetch(urls)
        await loader.waitForLoads(1)
        let visible = manager.task(for: ImageRequest(url: urls[4], priority: .high))
        await loader.waitForLoads(2)
        #expect(loader.loads[1].request.url == urls[4])
        #expect(loader.loads[1].priority == .high)
        loader.succeed(1, with: FakeDecoders.file(width: 1, height: 1))
        _ = try await visible.image
        token.cancel()
    }

    /// A list that names a picture twice loads it once, and both are told of.
    @Test func duplicatesShareTheWork() async throws {
        let prefetcher = ImagePrefetcher(manager: manager)
        let urls = try urls(1)
        let report = await withCheckedContinuation { continuation in
            prefetcher.prefetch(urls + urls) { continuation.resume(returning: $0) }
            Task {
                await loader.waitForLoads(1)
                loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
            }
        }
        #expect(report.finishedCount == 2)
        #expect(loader.loads.count == 1)
    }

    /// Whoever cancels the loads below, or all of the manager's, ends the list too.
    @Test func endsWhenEverythingBelowIsCancelled() async throws {
        let manager = manager
        let prefetcher = ImagePrefetcher(manager: manager)
        let urls = try urls(8)
        let report = await withCheckedContinuation { continuation in
            prefetcher.prefetch(urls) { continuation.resume(returning: $0) }
            Task {
                await loader.waitForLoads(3)
                while loader.loads.count < 8 || manager.isRunning {
                    manager.cancelAll()
                    await Task.yield()
                }
            }
        }
        #expect(report.failedCount == 8)
        for outcome in report.outcomes {
            guard case .failure(let error) = outcome, error.code == .cancelled else {
                Issue.record("a cancelled load has another end")
                continue
            }
        }
    }
}
