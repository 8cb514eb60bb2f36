import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

/// Random starts, joins, cancels, priorities and ends of loads, beside a model that says what must run.
@Suite("Coalescing model", .timeLimit(.minutes(10)))
struct CoalescingModelTests {
    /// Lets pictures through and counts them.
    final class Counting: ImageTransformer {
        let key: String
        private let counter = Lock(0)

        init(_ key: String) { self.key = key }

        var runs: Int { counter.withLock { $0 } }

        func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
            counter.withLock { $0 += 1 }
            return image
        }
    }

    /// What a caller asked for.
    struct Caller {
        let task: ImageTask
        let site: Int
        let size: Int?
        let chain: Int
        var priority: Priority
        let ends: Lock<Int>
    }

    final class World {
        let loader = FakeLoader()
        let decoders = FakeDecoders()
        let transformers = [Counting("A"), Counting("B")]
        let manager: ImageManager
        var callers: [Caller] = []
        /// The number of the load that runs for each site; at most one.
        var running: [Int: Int] = [:]
        var ended: [(Lock<Int>)] = []

        init() {
            manager = ImageManager(
                configuration: .init(loaders: [loader], decoders: decoders, failurePolicy: .forgetful)
            )
        }

        func start(site: Int, size: Int?, chain: Int, priority: Priority) throws {
            let request = ImageRequest(
                url: try #require(URL(string: "http://pictures.test/\(site)")),
                targetSize: size.map { TargetSize(PixelSize(width: $0, height: $0)) },
                transformers: Array(transformers.prefix(chain)),
                priority: priority,
                cachePolicy: .none
            )
            let ends = Lock(0)
            if running[site] == nil { running[site] = loader.loads.count }
            let task = manager.task(for: request)
            task.observe { if $0.isLast { ends.withLock { $0 += 1 } } }
            callers.append(
                Caller(task: task, site: site, size: size, chain: chain, priority: priority, ends: ends)
            )
            ended.append(ends)
        }

        func cancel(at index: Int) {
            let caller = callers.remove(at: index)
            caller.task.cancel()
            #expect(caller.ends.withLock { $0 } == 1)
            if !callers.contains(where: { $0.site == caller.site }) { running[caller.site] = nil }
        }

        func setPriority(_ priority: Priority, at index: Int) {
            callers[index].priority = priority
            callers[index].task.priority = priority
        }

        func succeed(site: Int) async throws {
            guard let load = running.removeValue(forKey: site) else { return }
            let waiting = callers.filter { $0.site == site }
            callers.removeAll { $0.site == site }
            let before = [decoders.decodeCount] + transformers.map(\.runs)
            loader.succeed(load, with: FakeDecoders.file(width: 8, height: 8))
            for caller in waiting { _ = try await caller.task.image }
            let sizes = (0...2).map { chain in Set(waiting.filter { $0.chain >= chain }.map(\.size)).count }
            let after = [decoders.decodeCount] + transformers.map(\.runs)
            // Once for each size: the decode, the first transformer and the second.
            #expect(zip(after, before).map { $0 - $1 } == sizes)
        }

        func fail(site: Int) async {
            guard let load = running.removeValue(forKey: site) else { return }
            let waiting = callers.filter { $0.site == site }
            callers.removeAll { $0.site == site }
            loader.fail(load, with: ImageError(.timedOut, "too slow"))
            for caller in waiting { #expect(await code(of: caller.task) == .timedOut) }
        }

        /// What runs is what the callers need, as urgently as the most urgent of them needs it, and nothing else.
        func check() {
            let loads = loader.loads
            let live = loads.filter { !$0.isCancelled && !$0.isFinished }
            #expect(Set(live.map(\.id)) == Set(running.values))
            for (site, load) in running {
                let highest = callers.filter { $0.site == site }.map(\.priority).max()
                #expect(loads[load].priority == highest)
            }
            #expect(manager.activeFetchCount == running.count)
            #expect(manager.runningTaskCount == callers.count)
        }
    }

    @Test(arguments: 0..<8) func whatRunsIsWhatSomeoneWants(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let world = World()
        for _ in 0..<600 {
            let site = Int.random(in: 0..<3, using: &random)
            let priority = Priority(rawValue: Int.random(in: 0..<5, using: &random)) ?? .normal
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<5:
                let size = [nil, 2, 4].randomElement(using: &random) ?? nil
                let chain = Int.random(in: 0...2, using: &random)
                try world.start(site: site, size: size, chain: chain, priority: priority)
            case 5..<8 where !world.callers.isEmpty:
                world.cancel(at: Int.random(in: 0..<world.callers.count, using: &random))
            case 8..<10 where !world.callers.isEmpty:
                world.setPriority(priority, at: Int.random(in: 0..<world.callers.count, using: &random))
            case 10: try await world.succeed(site: site)
            case 11: await world.fail(site: site)
            default: break
            }
            world.check()
        }
        while !world.callers.isEmpty { world.cancel(at: 0) }
        world.check()
        #expect(world.loader.loads.allSatisfy { $0.isCancelled || $0.isFinished })
        #expect(world.ended.allSatisfy { $0.withLock { $0 } == 1 })
    }
}
