import Foundation
import KuvaCore
import Testing

@testable import KuvaCache

@Suite("Memory cache: life and pressure")
struct MemoryLifeTests {
    private let page = 4096

    private func key(_ number: Int, _ variant: String = "") -> CacheKey {
        CacheKey(original: "https://example.org/\(number).jpg", variant: variant)
    }

    /// Tells what a test tells it.
    private final class Source: MemoryPressureSource {
        private final class Observation: MemoryPressureObservation {}
        private let handlers = Lock<[@Sendable (MemoryPressure) -> Void]>([])

        func observe(
            _ handler: @escaping @Sendable (MemoryPressure) -> Void
        ) -> any MemoryPressureObservation {
            handlers.withLock { $0.append(handler) }
            return Observation()
        }

        var count: Int { handlers.withLock { $0.count } }
        func tell(_ pressure: MemoryPressure) { for handler in handlers.withLock({ $0 }) { handler(pressure) } }
    }

    @Test func aPictureOnScreenIsFoundAfterItHadToLeave() throws {
        let cache = MemoryCache(byteLimit: 2 * page)
        let shown = try Images.picture()
        cache.store(shown, for: key(1))
        cache.store(try Images.picture(), for: key(2))
        for number in 3...40 { cache.store(try Images.picture(), for: key(number)) }
        #expect(cache.image(for: key(2)) == nil)
        let found = try #require(cache.image(for: key(1)))
        #expect(found.pixels === shown.pixels)
        #expect(cache.statistics.byteCount <= 2 * page, "it counts again")
        let before = cache.statistics.imageCount
        #expect(cache.image(for: key(1))?.pixels === shown.pixels)
        #expect(cache.statistics.imageCount == before, "and is an entry like others")
    }

    @Test func onceNobodyHoldsItItIsGone() throws {
        let cache = MemoryCache(byteLimit: page)
        var shown: Image? = try Images.picture()
        cache.store(try #require(shown), for: key(1))
        cache.store(try Images.picture(), for: key(2))
        weak let pixels = shown?.pixels
        shown = nil
        #expect(pixels == nil, "the cache does not keep it alive")
        #expect(cache.image(for: key(1)) == nil)
    }

    @Test func removingForgetsLivingPicturesToo() throws {
        let cache = MemoryCache(byteLimit: page)
        let shown = try (1...4).map { _ in try Images.picture() }
        for number in 1...4 { cache.store(shown[number - 1], for: key(number)) }
        cache.trim(toBytes: 0)
        cache.removeImage(for: key(1))
        cache.removeImages(ofOriginal: key(2).original)
        cache.removeImages(withPrefix: "https://example.org/3")
        for number in 1...3 { #expect(cache.image(for: key(number)) == nil) }
        #expect(cache.image(for: key(4)) != nil)
        cache.trim(toBytes: 0)
        cache.removeAll()
        #expect(cache.image(for: key(4)) == nil)
        withExtendedLifetime(shown) {}
    }

    @Test func aNewPictureReplacesALivingOne() throws {
        let cache = MemoryCache(byteLimit: page)
        let (old, new) = (try Images.picture(), try Images.picture())
        cache.store(old, for: key(1))
        cache.trim(toBytes: 0)
        cache.store(new, for: key(1))
        #expect(cache.image(for: key(1))?.pixels === new.pixels)
        cache.trim(toBytes: 0)
        #expect(cache.image(for: key(1))?.pixels === new.pixels)
    }

    @Test func theLivingAreNotCountedForEver() throws {
        var living = LivingImages()
        for number in 0..<10_000 { living.insert(try Images.picture(), for: key(number)) }
        #expect(living.count <= 64)
    }

    @Test func picturesExpireAfterTheirTimeToLive() throws {
        let clock = ManualClock()
        let cache = MemoryCache(byteLimit: 10 * page, timeToLive: .seconds(60), time: clock.source)
        let shown = try Images.picture()
        cache.store(shown, for: key(1))
        clock.advance(59)
        #expect(cache.image(for: key(1)) != nil)
        clock.advance(1)
        #expect(cache.image(for: key(1)) == nil, "although its pixels are in use")
        #expect(cache.statistics.byteCount == 0)
        cache.store(shown, for: key(1))
        clock.advance(30)
        cache.store(shown, for: key(1))
        clock.advance(59)
        #expect(cache.image(for: key(1)) != nil, "a store begins anew")
    }

    @Test func pressureTrimsByItsLevel() throws {
        let source = Source()
        let cache = MemoryCache(byteLimit: 100 * page, pressure: source)
        #expect(source.count == 0, "nothing is watched before there is something to trim")
        for number in 0..<40 { cache.store(try Images.picture(), for: key(number)) }
        #expect(source.count == 1)
        source.tell(.warning)
        #expect(cache.statistics.byteCount == 20 * page)
        source.tell(.warning)
        #expect(cache.statistics.byteCount == 10 * page)
        let shown = try #require(cache.image(for: key(39)))
        source.tell(.critical)
        #expect(cache.statistics.byteCount == 0)
        #expect(cache.image(for: key(39))?.pixels === shown.pixels)
        #expect(cache.byteLimit == 100 * page)
    }

    /// Pictures that leave the cache go back to the pool of their memory, which must not keep them then.
    @Test func pressureReachesThePool() throws {
        let (source, pool) = (Source(), PixelBufferPool())
        let cache = MemoryCache(byteLimit: 100 * page, pressure: source, pool: pool)
        func picture() throws -> Image {
            let layout = try PixelLayout(size: PixelSize(width: 32, height: 32))
            return Image(pixels: try pool.canvas(layout).freeze())
        }
        for number in 0..<8 { cache.store(try picture(), for: key(number)) }
        do {
            let unused = try (0..<4).map { _ in try picture() }
            #expect(unused.count == 4)
        }
        #expect(pool.freeBytes == 4 * page)
        source.tell(.warning)
        #expect(cache.statistics.byteCount == 4 * page)
        #expect(pool.freeBytes == 2 * page)
        source.tell(.critical)
        #expect(cache.statistics.byteCount == 0)
        #expect(pool.freeBytes == 0)
    }

    @Test func framesThatPlayersHoldCount() throws {
        let cache = MemoryCache(byteLimit: 10 * page)
        for number in 0..<4 { cache.store(try Images.picture(), for: key(number)) }
        let shown = try Images.animation()
        let frames = try #require(shown.animation).frameBytes
        frames.add(page)
        cache.store(shown, for: key(4))
        #expect(cache.statistics.byteCount == 7 * page, "four pictures, a poster, its file and one frame")
        frames.add(3 * page)
        #expect(cache.statistics.byteCount == 10 * page)
        frames.add(-2 * page)
        #expect(cache.statistics.byteCount == 8 * page)
        _ = cache.image(for: key(4))
        frames.add(5 * page)
        #expect(cache.statistics.byteCount <= 10 * page, "others leave")
        #expect(cache.image(for: key(4)) != nil)
        cache.removeImage(for: key(4))
        let rest = cache.statistics.byteCount
        frames.add(page)
        #expect(cache.statistics.byteCount == rest)
        cache.store(try Images.picture(), for: key(5))
        cache.store(shown, for: key(6))
        cache.store(try Images.picture(), for: key(6))
        frames.add(-page)
        #expect(cache.statistics.byteCount == cache.statistics.imageCount * page, "a replaced one counts no more")
    }

    @Test func anAnimationOnScreenIsFoundWhole() throws {
        let cache = MemoryCache(byteLimit: 100 * page)
        let shown = try Images.animation()
        cache.store(shown, for: key(1))
        cache.trim(toBytes: 0)
        let found = try #require(cache.image(for: key(1)))
        #expect(found.animation === shown.animation)
        #expect(found.frameCount == 2 && found.loopCount == 0 && found.format == .gif)
    }

    @Test func anAnimationOfWhichOnlyThePosterLivesIsGone() throws {
        let cache = MemoryCache(byteLimit: 100 * page)
        let poster = try { () -> PixelBuffer in
            let shown = try Images.animation()
            cache.store(shown, for: key(1))
            return shown.pixels
        }()
        cache.trim(toBytes: 0)
        #expect(cache.image(for: key(1)) == nil, "a still picture is not the animation")
        withExtendedLifetime(poster) {}
    }

    @Test func removesByPrefix() throws {
        let cache = MemoryCache(byteLimit: 100 * page)
        for host in ["a", "b"] {
            for number in 0..<10 {
                cache.store(try Images.picture(), for: CacheKey(original: "https://\(host).org/\(number)"))
            }
        }
        cache.removeImages(withPrefix: "https://a.org/")
        #expect(cache.statistics.imageCount == 10)
        #expect(cache.image(for: CacheKey(original: "https://b.org/3")) != nil)
        #expect(cache.image(for: CacheKey(original: "https://a.org/3")) == nil)
    }

    // MARK: The kernel's words

    @Test func controlGroupEventsBecomeLevels() {
        // The form of memory.events (Linux, Documentation/admin-guide/cgroup-v2.rst).
        let calm = "low 0\nhigh 3\nmax 1\noom 0\noom_kill 0\n"
        #expect(KernelMemoryWatch.pressure(from: calm, to: calm) == nil)
        #expect(KernelMemoryWatch.pressure(from: calm, to: "low 0\nhigh 4\nmax 1\noom 0\n") == .warning)
        #expect(KernelMemoryWatch.pressure(from: calm, to: "low 0\nhigh 4\nmax 2\noom 0\n") == .critical)
        #expect(KernelMemoryWatch.pressure(from: calm, to: "low 0\nhigh 3\nmax 1\noom 1\n") == .critical)
        #expect(KernelMemoryWatch.pressure(from: "", to: "garbage\nhigh x\n") == nil)
        let path = KernelMemoryWatch.eventsPath(groups: "0::/user.slice/app.scope\n", root: "/sys/fs/cgroup")
        #expect(path == "/sys/fs/cgroup/user.slice/app.scope/memory.events")
        #expect(KernelMemoryWatch.eventsPath(groups: "4:memory:/x\n", root: "/sys/fs/cgroup") == nil)
    }

    @Test func aChangedEventsFileIsReported() async throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/memory.events"
        try Data("high 0\nmax 0\n".utf8).write(to: URL(filePath: path))
        let watch = try #require(KernelMemoryWatch.events(path))
        let seen: MemoryPressure? = await withCheckedContinuation { continuation in
            let first = Lock(true)
            _ = OwnThread.start(name: "watch") {
                KernelMemoryWatch.run([watch]) { pressure in
                    let isFirst = first.withLock { first in
                        defer { first = false }
                        return first
                    }
                    if isFirst { continuation.resume(returning: pressure) }
                }
            }
            _ = OwnThread.start(name: "write") {
                // Until the watcher has read the file as it was, a change is not one.
                for count in 1... where first.withLock({ $0 }) {
                    guard let file = fopen(path, "r+") else { return }
                    fputs("high \(count)\nmax 0\n", file)
                    fclose(file)
                    usleep(1000)
                    if !first.withLock({ $0 }) { return }
                }
            }
        }
        #expect(seen == .warning)
    }
}
