import Dispatch
import KuvaCache
import KuvaCore
import KuvaTesting
import Testing

@Suite("Memory cache against a dictionary")
struct MemoryCacheModelTests {
    private let page = 4096

    private func key(_ number: Int) -> CacheKey {
        CacheKey(original: "https://example.org/\(number / 4).jpg", variant: number % 4 == 0 ? "" : "fit\(number % 4)")
    }

    /// Whatever the cache gives is what the dictionary holds; the budgets hold after every step; the count of bytes is
    /// the sum over what is there.
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func agreesWithADictionary(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let cache = MemoryCache(byteLimit: 60 * page)
        // Weak, so that nothing but the cache keeps a picture: it would find living ones after their eviction.
        struct Kept { weak var pixels: PixelBuffer? }
        var model: [CacheKey: Kept] = [:]
        var limit = 60
        for _ in 0..<4000 {
            let key = key(Int.random(in: 0..<120, using: &random))
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45:
                if let image = cache.image(for: key) { #expect(image.pixels === model[key]?.pixels) }
            case 45..<90:
                let image = try Images.picture(pages: Int.random(in: 1...6, using: &random))
                cache.store(image, for: key)
                model[key] = Kept(pixels: image.pixels)
                if image.cost <= limit * page { #expect(cache.image(for: key)?.pixels === image.pixels) }
            case 90..<95:
                cache.removeImage(for: key)
                model[key] = nil
            case 95..<98:
                cache.removeImages(ofOriginal: key.original)
                model = model.filter { $0.key.original != key.original }
            case 98:
                limit = Int.random(in: 5...90, using: &random)
                cache.byteLimit = limit * page
            default:
                if Int.random(in: 0..<10, using: &random) == 0 {
                    cache.removeAll()
                    model = [:]
                }
            }
            #expect(cache.statistics.byteCount <= limit * page)
        }
        let found = (0..<120).compactMap { number in cache.image(for: key(number)).map { (key(number), $0) } }
        #expect(found.allSatisfy { $0.1.pixels === model[$0.0]?.pixels })
        #expect(found.reduce(0) { $0 + $1.1.cost } == cache.statistics.byteCount)
        #expect(found.count == cache.statistics.imageCount)
    }

    @Test func threadsLeaveTheBooksInOrder() throws {
        let cache = MemoryCache(byteLimit: 50 * page)
        try storm(cache)
        // The pictures are gone by now but for those in the cache, which would find living ones after their eviction.
        let found = (0..<200).compactMap { cache.image(for: key($0)) }
        #expect(found.reduce(0) { $0 + $1.cost } == cache.statistics.byteCount)
        #expect(found.count == cache.statistics.imageCount)
        #expect(cache.statistics.byteCount <= 50 * page)
    }

    @inline(never)
    private func storm(_ cache: MemoryCache) throws {
        let pictures = try (0..<200).map { try Images.picture(pages: $0 % 3 + 1) }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<5000 {
                let number = Int.random(in: 0..<200, using: &random)
                switch Int.random(in: 0..<20, using: &random) {
                case 0: cache.removeImage(for: key(number))
                case 1: cache.removeImages(ofOriginal: key(number).original)
                case 2: cache.trim(toBytes: 40 * page)
                case 3..<10: cache.store(pictures[number], for: key(number))
                default:
                    let found = cache.image(for: key(number))
                    #expect(found == nil || found?.pixels === pictures[number].pixels)
                }
            }
        }
    }
}
