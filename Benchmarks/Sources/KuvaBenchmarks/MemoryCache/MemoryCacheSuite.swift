import BenchmarkKit
import Foundation
import KuvaCache
import KuvaCore

/// Decoded pictures in memory: look-ups and stores, against a dictionary under one lock.
enum MemoryCacheSuite {
    /// The rival `nscache`.
    private final class Foundations {
        private final class Box {
            let image: Image
            init(_ image: Image) { self.image = image }
        }
        private let cache = NSCache<NSString, Box>()
        func image(for key: NSString) -> Image? { cache.object(forKey: key)?.image }
        func store(_ image: Image, for key: NSString) { cache.setObject(Box(image), forKey: key, cost: 0) }
    }

    private static let count = 100_000

    static func contests(_ options: Options) throws -> [Contest] {
        // Each its own, as in a program: threads that share one would wait for each other to count references to it.
        let images = try (0..<count).map { _ in try picture() }
        let keys = (0..<count).map {
            CacheKey(original: "https://example.org/pictures/\($0).jpg", variant: "fit300x200")
        }
        let order = Array(0..<count).shuffled()
        let all: [(String, () throws -> Contest)] = [
            ("hit-100k", { hits(keys, order, images) }),
            ("hit-1k", { hits(Array(keys.prefix(1000)), (0..<count).map { $0 % 1000 }.shuffled(), images) }),
            ("store-100k", { stores(keys, order, images) }),
            ("hit-2-threads", { twoThreads(keys, order, images) }),
            ("evict-100k", { evictions(keys, images[0]) }),
        ]
        return try all.filter { $0.0.hasPrefix(options.only) }.map { try $0.1() }
    }

    private static func picture() throws -> Image {
        let layout = try PixelLayout(size: PixelSize(width: 8, height: 8))
        return Image(pixels: try PixelBufferPool.shared.canvas(layout).freeze())
    }

    private static func filled(_ keys: [CacheKey], _ images: [Image]) -> MemoryCache {
        let cache = MemoryCache(byteLimit: .max, pressure: nil)
        for (number, key) in keys.enumerated() { cache.store(images[number % images.count], for: key) }
        return cache
    }

    private static func filledDictionary(_ keys: [CacheKey], _ images: [Image]) -> BareDictionary {
        let bare = BareDictionary()
        for (number, key) in keys.enumerated() { bare.store(images[number % images.count], for: key) }
        return bare
    }

    private static func hits(_ keys: [CacheKey], _ order: [Int], _ images: [Image]) -> Contest {
        let cache = filled(keys, images)
        let bare = filledDictionary(keys, images)
        let foundations = Foundations()
        let names = keys.map { NSString(string: $0.description) }
        for (number, name) in names.enumerated() { foundations.store(images[number % images.count], for: name) }
        return Contest(
            keys.count == count ? "hit-100k" : "hit-1k",
            metric: "cpu",
            unit: "ns",
            ours: .nanoseconds("kuva", each: order.count) {
                for place in order { check(cache.image(for: keys[place])) }
            },
            rivals: [
                .nanoseconds("bare-dict", each: order.count) {
                    for place in order { check(bare.image(for: keys[place])) }
                },
                .nanoseconds("nscache", each: order.count) {
                    for place in order { check(foundations.image(for: names[place])) }
                },
            ]
        )
    }

    private static func stores(_ keys: [CacheKey], _ order: [Int], _ images: [Image]) -> Contest {
        Contest(
            "store-100k",
            metric: "cpu",
            unit: "ns",
            ours: .nanoseconds("kuva", each: order.count) {
                let cache = MemoryCache(byteLimit: .max, pressure: nil)
                for place in order { cache.store(images[place % images.count], for: keys[place]) }
            },
            rivals: [
                .nanoseconds("bare-dict", each: order.count) {
                    let bare = BareDictionary()
                    for place in order { bare.store(images[place % images.count], for: keys[place]) }
                }
            ]
        )
    }

    private static func twoThreads(_ keys: [CacheKey], _ order: [Int], _ images: [Image]) -> Contest {
        let cache = filled(keys, images)
        let bare = filledDictionary(keys, images)
        func rate(_ threads: Int, _ look: @escaping @Sendable (CacheKey) -> Image?) -> Double {
            // Long enough that starting the threads does not count.
            let rounds = 10
            let start = Clock.wall
            let group = DispatchGroup()
            for thread in 0..<threads {
                group.enter()
                Thread.detachNewThread {
                    // A core each: a system that has other work to do might give them one together.
                    Clock.stay(onCore: thread)
                    for _ in 0..<rounds {
                        for place in order { check(look(keys[(place + thread * 37_717) % keys.count])) }
                    }
                    group.leave()
                }
            }
            group.wait()
            return Double(threads * rounds * order.count) / (Clock.wall - start)
        }
        return Contest(
            "hit-2-threads",
            metric: "rate",
            unit: "hits/s",
            largerIsBetter: true,
            ours: .init("kuva") { rate(2) { cache.image(for: $0) } },
            rivals: [
                // 1.2 times what one thread does.
                .init("goal") { 1.2 * rate(1) { cache.image(for: $0) } },
                .init("bare-dict") { rate(2) { bare.image(for: $0) } },
            ]
        )
    }

    /// A store that must evict costs the same at any number of entries: a hundred times as many as the other side.
    private static func evictions(_ keys: [CacheKey], _ image: Image) -> Contest {
        func full(_ count: Int) -> MemoryCache {
            let cache = MemoryCache(byteLimit: .max, countLimit: count, pressure: nil)
            for key in keys.prefix(count) { cache.store(image, for: key) }
            return cache
        }
        let (large, small) = (full(count), full(1000))
        func work(_ cache: MemoryCache) {
            for number in 0..<20_000 {
                cache.store(image, for: CacheKey(original: "https://example.org/new/\(number)-\(next())"))
            }
        }
        return Contest(
            "evict-100k",
            metric: "cpu",
            unit: "ns",
            ours: .nanoseconds("kuva", each: 20_000) { work(large) },
            rivals: [.nanoseconds("goal", each: 20_000) { work(small) }]
        )
    }

    private static let counter = Lock(0)
    private static func next() -> Int {
        counter.withLock {
            $0 += 1; return $0
        }
    }

    /// Keeps the optimiser from leaving the look-up out.
    @inline(never)
    private static func check(_ image: Image?) { precondition(image != nil) }
}
