import Dispatch
import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Callbacks", .timeLimit(.minutes(10)))
struct CallbackExecutorTests {
    /// An executor that a test runs by hand.
    final class ByHand: Sendable {
        let waiting = Lock<[@Sendable () -> Void]>([])
        let isHere = Lock(false)

        var executor: CallbackExecutor {
            CallbackExecutor(isHere: { self.isHere.withLock { $0 } }) { body in
                self.waiting.withLock { $0.append(body) }
            }
        }

        func run() {
            let bodies = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for body in bodies { body() }
        }
    }

    let loader = FakeLoader()
    let memory = FakeImageCache()
    let calls = Lock<[String]>([])

    var manager: ImageManager {
        ImageManager(configuration: .init(memoryCache: memory, loaders: [loader], decoders: FakeDecoders()))
    }

    func request() throws -> ImageRequest { ImageRequest(url: try #require(URL(string: "http://pictures.test/a"))) }

    func load(_ manager: ImageManager, on executor: CallbackExecutor) throws -> ImageTask {
        manager.load(try request(), on: executor) { [calls] progress in
            calls.withLock { $0.append("\(progress.receivedByteCount)") }
        } completion: { [calls] result in
            calls.withLock { $0.append((try? result.get()) == nil ? "failed" : "finished") }
        }
    }

    @Test func nothingIsCalledButByTheExecutorAndInOrder() async throws {
        let byHand = ByHand()
        let task = try load(manager, on: byHand.executor)
        await loader.waitForLoads(1)
        loader.progress(0, received: 1, expected: 2)
        loader.progress(0, received: 2, expected: 2)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        _ = try await task.image
        #expect(calls.withLock { $0 }.isEmpty)
        byHand.run()
        #expect(calls.withLock { $0 } == ["1", "2", "finished"])
    }

    /// What is on its way comes before what the caller does now, and nothing follows the end.
    @Test func cancellingOnTheExecutorEndsBeforeTheCallReturns() async throws {
        let byHand = ByHand()
        let task = try load(manager, on: byHand.executor)
        await loader.waitForLoads(1)
        loader.progress(0, received: 1, expected: 2)
        byHand.isHere.withLock { $0 = true }
        task.cancel()
        #expect(calls.withLock { $0 } == ["1", "failed"])
        byHand.run()
        #expect(calls.withLock { $0 } == ["1", "failed"])
    }

    @Test func aPictureInMemoryIsGivenBeforeTheCallReturnsWhereTheCallerIsOnTheExecutor() async throws {
        let manager = manager
        let first = manager.task(for: try request())
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        _ = try await first.image
        let byHand = ByHand()
        _ = try load(manager, on: byHand.executor)
        #expect(calls.withLock { $0 }.isEmpty)
        byHand.run()
        #expect(calls.withLock { $0 } == ["finished"])
        byHand.isHere.withLock { $0 = true }
        _ = try load(manager, on: byHand.executor)
        #expect(calls.withLock { $0 } == ["finished", "finished"])
        _ = try load(manager, on: .immediate)
        #expect(calls.withLock { $0.count } == 3)
    }

    @Test func theMainExecutorIsTheMainThread() async throws {
        let manager = manager
        let request = try request()
        let isMain = await withCheckedContinuation { continuation in
            manager.load(request, on: .main) { _ in
                // Traps off the main actor's thread.
                MainActor.assumeIsolated {}
                continuation.resume(returning: CallbackExecutor.main.isCurrent)
            }
            Task {
                await loader.waitForLoads(1)
                loader.fail(0, with: ImageError(.timedOut, "too slow"))
            }
        }
        #expect(isMain)
    }

    @Test func aQueueKeepsTheOrder() async throws {
        let queue = DispatchQueue(label: "callbacks")
        let task = try load(manager, on: .queue(queue))
        await loader.waitForLoads(1)
        for count in 1...100 { loader.progress(0, received: Int64(count), expected: 100) }
        loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
        _ = try await task.image
        queue.sync {}
        #expect(calls.withLock { $0 } == (1...100).map(String.init) + ["finished"])
    }
}
