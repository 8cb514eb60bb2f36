import KuvaCache
import KuvaCore
import KuvaTesting
import Testing

@Suite("Memory cache")
struct MemoryCacheTests {
    private let page = 4096

    private func key(_ number: Int, _ variant: String = "") -> CacheKey {
        CacheKey(original: "https://example.org/\(number).jpg", variant: variant)
    }

    /// Counted in a process of its own, in place of the C library's `malloc`.
    @Test func aHitAsksForNoMemory() async throws {
        let status = try await ExternalProgram(built: "KuvaCacheTorture").run(["allocations", "100000"]).status
        // 5: the build of a sanitizer, which has a malloc of its own.
        #expect(status == 0 || status == 5)
    }

    @Test func givesBackWhatWasStoredLast() throws {
        let cache = MemoryCache(byteLimit: 100 * page)
        let (first, second) = (try Images.picture(), try Images.picture(pages: 3))
        #expect(cache.image(for: key(1)) == nil)
        cache.store(first, for: key(1))
        #expect(cache.image(for: key(1))?.pixels === first.pixels)
        cache.store(second, for: key(1))
        #expect(cache.image(for: key(1))?.pixels === second.pixels)
        #expect(cache.image(for: key(2)) == nil)
        let statistics = cache.statistics
        #expect(statistics.hitCount == 2)
        #expect(statistics.missCount == 2)
        #expect(statistics.imageCount == 1)
        #expect(statistics.byteCount == 3 * page)
        #expect(statistics.byteLimit == 100 * page)
    }

    @Test func oldestLeavesFirstUnlessUsed() throws {
        let cache = MemoryCache(byteLimit: 3 * page)
        for number in 1...3 { cache.store(try Images.picture(), for: key(number)) }
        #expect(cache.image(for: key(1)) != nil)
        cache.store(try Images.picture(), for: key(4))
        #expect(cache.image(for: key(2)) == nil)
        #expect([1, 3, 4].allSatisfy { cache.image(for: key($0)) != nil })
    }

    @Test func aScanDoesNotDriveOutWhatIsUsed() throws {
        let cache = MemoryCache(byteLimit: 100 * page)
        for number in 0..<20 { cache.store(try Images.picture(), for: key(number)) }
        for number in 0..<20 { #expect(cache.image(for: key(number)) != nil) }
        for number in 1000..<3000 { cache.store(try Images.picture(), for: key(number)) }
        for number in 0..<20 { #expect(cache.image(for: key(number)) != nil) }
        #expect(cache.statistics.imageCount == 100)
    }

    @Test func evictedPicturesFreeTheirMemory() throws {
        let cache = MemoryCache(byteLimit: page)
        weak var pixels: PixelBuffer?
        do {
            let image = try Images.picture()
            pixels = image.pixels
            cache.store(image, for: key(1))
        }
        #expect(pixels != nil)
        cache.store(try Images.picture(), for: key(2))
        #expect(pixels == nil)
    }

    @Test func byDefaultAPictureTakesATenthAtMost() throws {
        // 10 pages of the default budget's tenth are there on any machine with a megabyte of memory.
        let limit = MemoryCache.defaultByteLimit
        let cache = MemoryCache()
        #expect(cache.byteLimit == limit)
        let small = try Images.picture(pages: 10)
        cache.store(small, for: key(1))
        #expect(cache.image(for: key(1)) != nil)
        let large = try Images.picture(pages: limit / 10 / page + 1)
        cache.store(large, for: key(1))
        #expect(cache.image(for: key(1)) == nil, "the earlier picture would be the wrong one")
        cache.byteLimit = limit
        cache.store(large, for: key(1))
        #expect(cache.image(for: key(1)) != nil, "a budget set by hand admits it")
    }

    @Test func aPictureLargerThanTheBudgetIsNotKept() throws {
        let cache = MemoryCache(byteLimit: 2 * page)
        cache.store(try Images.picture(), for: key(1))
        cache.store(try Images.picture(pages: 3), for: key(2))
        #expect(cache.image(for: key(2)) == nil)
        #expect(cache.image(for: key(1)) != nil)
        cache.store(try Images.picture(pages: 2), for: key(2))
        #expect(cache.image(for: key(2)) != nil)
    }

    @Test func limitsAreLive() throws {
        let cache = MemoryCache(byteLimit: 100 * page)
        for number in 0..<50 { cache.store(try Images.picture(), for: key(number)) }
        cache.byteLimit = 20 * page
        #expect(cache.statistics.byteCount == 20 * page)
        #expect(cache.image(for: key(49)) != nil)
        cache.countLimit = 5
        #expect(cache.statistics.imageCount == 5)
        cache.store(try Images.picture(), for: key(60))
        #expect(cache.statistics.imageCount == 5)
        cache.trim(toBytes: 2 * page)
        #expect(cache.statistics.byteCount == 2 * page)
        #expect(cache.byteLimit == 20 * page)
        cache.byteLimit = 0
        #expect(cache.statistics.imageCount == 0)
        cache.store(try Images.picture(), for: key(61))
        #expect(cache.image(for: key(61)) == nil)
    }

    @Test func allVariantsOfAnOriginalGoTogether() throws {
        let cache = MemoryCache(byteLimit: 1000 * page)
        let variants = ["", "fit10x10", "fit20x20", "fit30x30"]
        for number in 0..<40 {
            for variant in variants { cache.store(try Images.picture(), for: key(number, variant)) }
        }
        cache.removeImage(for: key(7, "fit20x20"))
        cache.removeImages(ofOriginal: key(7).original)
        cache.removeImages(ofOriginal: "https://example.org/none")
        for variant in variants { #expect(cache.image(for: key(7, variant)) == nil) }
        for number in 0..<40 where number != 7 {
            for variant in variants { #expect(cache.image(for: key(number, variant)) != nil) }
        }
        #expect(cache.statistics.byteCount == 39 * 4 * page)
        cache.removeAll()
        #expect(cache.statistics.byteCount == 0)
        #expect(cache.statistics.imageCount == 0)
        #expect(cache.image(for: key(3)) == nil)
    }
}
