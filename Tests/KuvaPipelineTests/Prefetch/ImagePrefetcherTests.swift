import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Prefetcher", .timeLimit(.minutes(1)))
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
}
