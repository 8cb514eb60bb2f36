import BenchmarkKit
import Foundation
import KuvaCache
import KuvaCore
import KuvaPipeline

/// What the manager itself costs, with a loader and a decoder that cost next to nothing, against fixed figures.
enum ManagerContests {
    private static let pictureCount = 1000

    static func contests(_ options: Options) throws -> [Contest] {
        let requests = try requests(pictureCount)
        let stocked = try stockedManager(requests)
        let hits = options.isQuick ? 200_000 : 1_000_000
        let cancels = options.isQuick ? 50_000 : 200_000
        let all: [(String, () throws -> [Contest])] = [
            ("memory-hit", { memoryHits(stocked, requests, hits) }),
            ("direct-hit", { directHits(stocked, requests, hits) }),
            ("create-cancel", { try createAndCancel(requests, cancels) }),
            ("distinct-loads", { [try distinctLoads()] }),
        ]
        return try all.filter { $0.0.hasPrefix(options.only) }.flatMap { try $0.1() }
    }

    /// Call to delivered image: by callback, and by `await`.
    private static func memoryHits(_ manager: ImageManager, _ requests: [ImageRequest], _ count: Int) -> [Contest] {
        func hit(_ count: Int) {
            for number in 0..<count {
                manager.load(requests[number % requests.count]) { result in
                    if case .failure = result { preconditionFailure("a picture is not in memory") }
                }
            }
        }
        func awaitHits(_ count: Int) {
            wait {
                for number in 0..<count {
                    let image = try? await manager.image(for: requests[number % requests.count])
                    precondition(image != nil, "a picture is not in memory")
                }
            }
        }
        return [
            microseconds("memory-hit", goal: 1.5, each: count) { hit(count) },
            allocations("memory-hit", goal: 4, each: 10_000) { hit(10_000) },
            microseconds("memory-hit-awaited", goal: 1.5, each: count) { awaitHits(count) },
            allocations("memory-hit-awaited", goal: 4, each: 10_000) { awaitHits(10_000) },
        ]
    }

    /// The look-up alone, at 1,000 entries, with the key at hand.
    private static func directHits(_ manager: ImageManager, _ requests: [ImageRequest], _ count: Int) -> [Contest] {
        guard let cache = manager.configuration.memoryCache else { return [] }
        let keys = requests.map(\.cacheKey)
        return [
            microseconds("direct-hit", goal: 0.3, each: count) {
                for number in 0..<count {
                    precondition(cache.image(for: keys[number % keys.count]) != nil)
                }
            }
        ]
    }

    private static func createAndCancel(_ requests: [ImageRequest], _ count: Int) throws -> [Contest] {
        let manager = ImageManager(
            configuration: .init(memoryCache: MemoryCache(pressure: nil), loaders: [SilentLoader()], decoders: Dot())
        )
        func work(_ count: Int) {
            for number in 0..<count { manager.task(for: requests[number % requests.count]).cancel() }
        }
        return [
            microseconds("create-cancel", goal: 2, each: count) { work(count) }
        ]
    }

    /// 5,000 pictures in a task group, each awaited; on all cores.
    private static func distinctLoads() throws -> Contest {
        let requests = try requests(5000)
        func load() -> ImageManager {
            let manager = ImageManager(
                configuration: .init(
                    memoryCache: MemoryCache(pressure: nil),
                    loaders: [InstantLoader()],
                    decoders: Dot()
                )
            )
            wait {
                await withTaskGroup(of: Void.self) { group in
                    for request in requests {
                        group.addTask {
                            let image = try? await manager.image(for: request)
                            precondition(image != nil, "a load failed")
                        }
                    }
                }
            }
            return manager
        }
        return Contest(
            "distinct-loads",
            metric: "wall",
            unit: "us",
            ours: .init("kuva") {
                let start = Clock.wall
                let manager = load()
                // What a manager leaves behind is freed after the clock has been read.
                return withExtendedLifetime(manager) { (Clock.wall - start) * 1e6 / Double(requests.count) }
            },
            rivals: [.init("goal") { 10 }]
        )
    }

    // MARK: Support

    private static func microseconds(
        _ name: String,
        goal: Double,
        each count: Int,
        _ work: @escaping () -> Void
    ) -> Contest {
        Contest(
            name,
            metric: "wall",
            unit: "us",
            ours: .init("kuva") {
                let start = Clock.wall
                work()
                return (Clock.wall - start) * 1e6 / Double(count)
            },
            rivals: [.init("goal") { goal }]
        )
    }

    private static func allocations(
        _ name: String,
        goal: Double,
        each count: Int,
        _ work: @escaping () -> Void
    ) -> Contest {
        Contest(
            name,
            metric: "allocations",
            unit: "1",
            ours: .init("kuva") { (Double(Allocations.count(work)) / Double(count) * 100).rounded() / 100 },
            rivals: [.init("goal") { goal }]
        )
    }

    private static func requests(_ count: Int) throws -> [ImageRequest] {
        try (0..<count).map { try ImageRequest(string: "https://example.org/pictures/\($0).jpg") }
    }

    private static func stockedManager(_ requests: [ImageRequest]) throws -> ImageManager {
        let cache = MemoryCache(byteLimit: .max, pressure: nil)
        let layout = try PixelLayout(size: PixelSize(width: 8, height: 8))
        let image = Image(pixels: try PixelBufferPool.shared.canvas(layout).freeze())
        for request in requests { cache.store(image, for: request.cacheKey) }
        return ImageManager(configuration: .init(memoryCache: cache, loaders: [], decoders: Dot()))
    }

    /// Blocks until asynchronous work has ended.
    private static func wait(_ work: @escaping @Sendable () async -> Void) {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            await work()
            end.signal()
        }
        end.wait()
    }
}
