import Foundation
import KuvaCache
import KuvaCore
import Testing

/// The intent of SDWebImage's SDImageCacheTests (5.21), re-expressed; the numbers are theirs.
///
/// `docs/cache-tests.md` lists all 48 and where they are.
@Suite("The peer's cache tests")
struct PeerCacheTests {
    private let fixture = DiskFixture()
    private let codec = TextCodec()

    private var key: CacheKey { fixture.key(1) }

    private func cache(_ codec: TextCodec? = nil) -> ImageCache {
        ImageCache(
            memory: MemoryCache(byteLimit: 1 << 20),
            disk: fixture.cache(),
            decoders: codec ?? self.codec,
            encoders: codec ?? self.codec,
            time: fixture.clock.source
        )
    }

    private func file(_ data: Data = TextCodec.file()) -> CachedData {
        CachedData(bytes: data, storedAt: fixture.clock.now)
    }

    @Test("01 to 03: caches can be made, and differ")
    func instances() throws {
        let (one, two) = (cache(), cache())
        try one.store(TextCodec.picture(), data: nil, for: key, in: .memory)
        #expect(two.imageInMemory(for: key) == nil)
    }

    @Test("04: clearing the disk leaves memory")
    func clearDisk() async throws {
        let cache = cache()
        try await cache.store(TextCodec.picture(), for: key)
        #expect(try await cache.contains(key) == .all)
        try await cache.clear(.disk)
        #expect(try await cache.contains(key) == .memory)
        #expect(fixture.folder.entries().isEmpty)
    }

    @Test("05: clearing memory leaves the disk")
    func clearMemory() async throws {
        let cache = cache()
        try await cache.store(TextCodec.picture(), for: key)
        try await cache.clear(.memory)
        #expect(cache.imageInMemory(for: key) == nil)
        #expect(try await cache.contains(key) == .disk)
    }

    @Test("06, 07: a store is in memory at once and on disk at its completion")
    func insertion() async throws {
        let cache = cache()
        let image = try TextCodec.picture()
        await withCheckedContinuation { continuation in
            cache.store(image, for: key) { result in
                #expect(throws: Never.self) { try result.get() }
                continuation.resume()
            }
            #expect(cache.imageInMemory(for: key)?.pixels === image.pixels)
        }
        #expect(fixture.folder.entries().count == 1)
    }

    @Test("08: in memory only")
    func memoryOnly() async throws {
        let cache = cache()
        try await cache.store(TextCodec.picture(), for: key, in: .memory)
        #expect(try await cache.contains(key) == .memory)
        try await cache.clear(.memory)
        #expect(try await cache.contains(key) == [])
        #expect(try await cache.query(key) == nil)
    }

    @Test("09: a hit in memory completes before the query returns; a hit on disk is decoded and kept")
    func retrieval() async throws {
        let cache = cache()
        let image = try TextCodec.picture()
        try await cache.store(image, for: key)
        let seen = Lock<CacheTiers?>(nil)
        let query = cache.query(key) { result in seen.withLock { $0 = (try? result.get())?.tier } }
        #expect(query.isFinished)
        #expect(seen.withLock { $0 } == .memory)
        try await cache.clear(.memory)
        let hit = try #require(try await cache.query(key))
        #expect(hit.tier == .disk)
        #expect(hit.image?.pixelSize == PixelSize(width: 4, height: 3))
        #expect(try await cache.query(key)?.tier == .memory)
        #expect(codec.decodedCount == 1)
    }

    @Test("10 to 12: removing, from both levels or from memory only")
    func removal() async throws {
        let cache = cache()
        try await cache.store(TextCodec.picture(), for: key)
        try await cache.remove(.key(key), from: .memory)
        #expect(try await cache.contains(key) == .disk)
        try await cache.store(TextCodec.picture(), for: key)
        try await cache.remove(.key(key))
        #expect(try await cache.contains(key) == [])
        let sized = key.sized(TargetSize(PixelSize(width: 2, height: 2)))
        for key in [key, sized, fixture.key(2)] { try await cache.store(TextCodec.picture(), for: key) }
        try await cache.remove(.original(key.original))
        #expect(try await cache.contains(sized) == [])
        #expect(try await cache.contains(fixture.key(2)) == .all)
        try await cache.remove(.prefix("https://example.org/"))
        #expect(try await cache.contains(fixture.key(2)) == [])
    }

    @Test("14: the first frame only, of an animation in memory, is a still picture")
    func firstFrame() async throws {
        let cache = cache()
        let image = try TextCodec.picture(.gif, frames: 5)
        try await cache.store(image, for: key, in: .memory)
        var options = CacheQueryOptions()
        options.firstFrameOnly = true
        let still = try #require(try await cache.query(key, options)?.image)
        #expect(still.frameCount == 1)
        #expect(still.loopCount == nil)
        #expect(still.pixels === image.pixels)
        #expect(try await cache.query(key)?.image?.frameCount == 5)
        try await cache.store(nil, data: file(TextCodec.file("gif", frames: 5)), for: fixture.key(2), in: .disk)
        #expect(try await cache.query(fixture.key(2), options)?.image?.frameCount == 1)
        #expect(cache.imageInMemory(for: fixture.key(2))?.frameCount == 5, "what is kept is the animation")
    }

    @Test("15: cancelling completes once, at once")
    func cancelling() throws {
        let cache = cache()
        try cache.store(nil, data: file(), for: key, in: .disk)
        for _ in 0..<50 {
            cache.memory.removeAll()
            let results = Lock<[Result<CacheHit?, ImageError>]>([])
            let query = cache.query(key) { result in results.withLock { $0.append(result) } }
            query.cancel()
            #expect(results.withLock { $0.count } == 1)
            query.cancel()
            #expect(results.withLock { $0.count } == 1)
        }
        let flag = CancellationFlag()
        flag.cancel()
        var options = CacheQueryOptions()
        options.cancellation = flag
        let error = #expect(throws: ImageError.self) { try cache.query(fixture.key(9), options) }
        #expect(error?.code == .cancelled)
    }

    @Test("15: cancelling the task cancels the query")
    func cancellingATask() async throws {
        let cache = cache()
        try await cache.store(nil, data: file(), for: key, in: .disk)
        let task = Task { () -> ImageError.Code? in
            withUnsafeCurrentTask { $0?.cancel() }
            do {
                _ = try await cache.query(key)
                return nil
            } catch { return (error as? ImageError)?.code }
        }
        #expect(await task.value == .cancelled)
    }

    @Test("40: a file alone is on disk byte for byte, and not in memory")
    func fileAlone() async throws {
        let cache = cache()
        let bytes = TextCodec.file() + Data(" ".utf8)
        try await cache.store(nil, data: file(bytes), for: key)
        #expect(cache.imageInMemory(for: key) == nil)
        var options = CacheQueryOptions()
        options.wantsImage = false
        #expect(try await cache.query(key, options)?.data?.bytes == bytes)
        #expect(codec.decodedCount == 0)
        options.wantsImage = true
        options.wantsData = true
        let hit = try #require(try await cache.query(key, options))
        #expect(hit.image != nil && hit.data?.bytes == bytes)
        let again = try #require(try await cache.query(key, options))
        #expect(again.tier == .memory && again.data?.bytes == bytes, "the peer's query-memory-data")
    }

    @Test("41: a program's own codecs are used")
    func ownCodecs() async throws {
        let own = TextCodec(encoding: ["own"])
        let cache = cache(own)
        let format = ImageFormat(name: "own", mediaType: "image/x-own", fileExtension: "own")
        try await cache.store(TextCodec.picture(format), for: key)
        #expect(own.encodedCount == 1)
        try await cache.clear(.memory)
        #expect(try await cache.query(key)?.image?.format == format)
        #expect(own.decodedCount == 1)
    }

    @Test("41: a still picture is a miss for who wants an animation")
    func animatedOnly() async throws {
        let cache = cache()
        var options = CacheQueryOptions()
        options.animatedOnly = true
        try await cache.store(TextCodec.picture(), for: key)
        #expect(try await cache.query(key, options) == nil)
        #expect(try await cache.query(key, options) == nil)
        #expect(try await cache.query(key) != nil)
    }

    @Test(
        "42: a picture without a file is written in its own format, else GIF, PNG or JPEG",
        arguments: [
            (ImageFormat.unknown, 1, AlphaMode.premultiplied, "png"), (.unknown, 1, .opaque, "jpeg"),
            (.png, 1, .opaque, "png"), (.unknown, 3, .opaque, "gif"), (.unknown, 3, .premultiplied, "gif"),
            (.webp, 1, .premultiplied, "png"), (.webp, 1, .opaque, "jpeg"), (.webp, 2, .opaque, "gif"),
            (.gif, 3, .opaque, "gif"),
        ]
    )
    func formats(format: ImageFormat, frames: Int, alpha: AlphaMode, expected: String) async throws {
        let cache = cache()
        try await cache.store(TextCodec.picture(format, frames: frames, alpha: alpha), for: key)
        try await cache.clear(.memory)
        #expect(try await cache.query(key)?.image?.format.name == expected)
    }

    @Test("42: and with its file, as that file; without encoders, the disk's store fails and memory's does not")
    func ownBytes() async throws {
        let cache = cache()
        let bytes = TextCodec.file("gif", frames: 3)
        try await cache.store(TextCodec.picture(.gif, frames: 3), data: file(bytes), for: key)
        #expect(codec.encodedCount == 0)
        let mute = ImageCache(memory: MemoryCache(), disk: fixture.cache(), decoders: codec)
        let error = await #expect(throws: ImageError.self) {
            try await mute.store(TextCodec.picture(), for: fixture.key(5))
        }
        #expect(error?.code == .unsupportedFormat)
        #expect(mute.imageInMemory(for: fixture.key(5)) != nil)
    }

    @Test("42 CustomMemoryCache, 43 CustomDiskCache, 58 CustomImageCache: a program's own parts")
    func ownParts() async throws {
        let cache = ImageCache(memory: OwnMemory(), disk: OwnDisk(), decoders: codec, encoders: codec)
        try await cache.store(TextCodec.picture(), for: key)
        #expect(try await cache.contains(key) == .all)
        try await cache.remove(.prefix("nothing that is here"), from: .memory)
        #expect(try await cache.query(key)?.tier == .disk, "a cache that cannot tell has forgotten everything")
        try await cache.remove(.key(key))
        #expect(try await cache.query(key) == nil)
    }

    @Test("47: data of the program's own comes back")
    func extendedData() throws {
        let (cache, extra) = (fixture.cache(), Data("anything".utf8))
        try cache.store(file(), extendedData: extra, for: key)
        #expect(try fixture.cache().extendedData(for: key) == extra)
        try cache.store(file(), for: key)
        #expect(try cache.extendedData(for: key) == nil)
        #expect(try cache.extendedData(for: fixture.key(9)) == nil)
    }

    @Test("48: reads run side by side")
    func readsOverlap() async throws {
        let meeting = Meeting()
        let cache = ImageCache(memory: MemoryCache(), disk: MeetingDisk(meeting), decoders: codec)
        async let one = cache.query(fixture.key(1))
        async let two = cache.query(fixture.key(2))
        #expect(try await one == nil)
        #expect(try await two == nil)
        #expect(meeting.haveMet)
    }

    @Test("49: a hit on disk is not kept in memory if that is not wanted")
    func noPromotion() async throws {
        let cache = cache()
        try await cache.store(nil, data: file(), for: key)
        var options = CacheQueryOptions()
        options.promotes = false
        #expect(try await cache.query(key, options)?.tier == .disk)
        #expect(cache.imageInMemory(for: key) == nil)
        options.promotes = true
        options.tiers = .disk
        #expect(try await cache.query(key, options)?.tier == .disk)
        #expect(cache.imageInMemory(for: key) == nil, "memory is not among the levels")
    }

    @Test("50 to 54: each operation by level")
    func byLevel() async throws {
        let cache = cache()
        try await cache.store(TextCodec.picture(), for: key)
        var options = CacheQueryOptions()
        options.tiers = .memory
        #expect(try await cache.query(key, options)?.tier == .memory)
        options.tiers = .disk
        #expect(try await cache.query(key, options)?.tier == .disk)
        options.tiers = []
        #expect(try await cache.query(key, options) == nil)
        try await cache.remove(.key(key), from: .disk)
        #expect(try await cache.contains(key) == .memory)
        #expect(try await cache.contains(key, in: .disk) == [])
        try await cache.clear()
        #expect(try await cache.contains(key) == [])
    }

    @Test("thumbnails: decoded in their size, kept under a key of their own")
    func thumbnails() async throws {
        let cache = cache()
        try await cache.store(nil, data: file(TextCodec.file("png", "400x300")), for: key)
        var options = CacheQueryOptions()
        options.targetSize = TargetSize(PixelSize(width: 40, height: 40))
        let hit = try #require(try await cache.query(key, options))
        #expect(hit.image?.pixelSize == PixelSize(width: 40, height: 30))
        #expect(cache.imageInMemory(for: key) == nil)
        #expect(try await cache.query(key, options)?.tier == .memory)
        #expect(codec.decodedCount == 1)
    }

    @Test("a broken file is an error that says so")
    func brokenFile() async throws {
        let cache = cache()
        try await cache.store(nil, data: file(Data("<!DOCTYPE html><html>".utf8)), for: key)
        let error = await #expect(throws: ImageError.self) { try await cache.query(key) }
        #expect(error?.stage == .decode)
    }

    @Test("and a picture of which a part is missing is none, and is not kept")
    func halfAPicture() async throws {
        let cache = cache()
        try await cache.store(nil, data: file(TextCodec.file("png", "4x3", alpha: "half")), for: key)
        let error = await #expect(throws: ImageError.self) { try await cache.query(key) }
        #expect(error?.code == .truncatedImage && error?.stage == .decode)
        #expect(cache.imageInMemory(for: key) == nil)
    }

    // MARK: A program's own parts

    private final class OwnMemory: ImageCaching {
        private let images = Lock<[CacheKey: Image]>([:])
        func image(for key: CacheKey) -> Image? { images.withLock { $0[key] } }
        func store(_ image: Image, for key: CacheKey) { images.withLock { $0[key] = image } }
        func removeImage(for key: CacheKey) { images.withLock { $0[key] = nil } }
        func removeImages(ofOriginal original: String) {
            images.withLock { $0 = $0.filter { $0.key.original != original } }
        }
        func removeAll() { images.withLock { $0 = [:] } }
    }

    private final class OwnDisk: DataCaching {
        private let files = Lock<[CacheKey: CachedData]>([:])
        func data(for key: CacheKey) throws(ImageError) -> CachedData? { files.withLock { $0[key] } }
        func store(_ entry: CachedData, for key: CacheKey) throws(ImageError) { files.withLock { $0[key] = entry } }
        func removeData(for key: CacheKey) throws(ImageError) { files.withLock { $0[key] = nil } }
        func removeData(ofOriginal original: String) throws(ImageError) { files.withLock { $0 = [:] } }
        func removeAll() throws(ImageError) { files.withLock { $0 = [:] } }
    }

    /// Two threads that wait for each other; they meet only if they run side by side.
    private final class Meeting: Sendable {
        private let arrived = Lock(0)
        private let both = DispatchSemaphore(value: 0)
        var haveMet: Bool { arrived.withLock { $0 == 2 } }

        func attend() {
            if arrived.withLock({
                $0 += 1; return $0 == 2
            }) {
                both.signal()
                both.signal()
            }
            _ = both.wait(timeout: .now() + 60)
        }
    }

    private final class MeetingDisk: DataCaching {
        private let meeting: Meeting
        init(_ meeting: Meeting) { self.meeting = meeting }
        func data(for key: CacheKey) throws(ImageError) -> CachedData? {
            meeting.attend()
            return nil
        }
        func store(_ entry: CachedData, for key: CacheKey) throws(ImageError) {}
        func removeData(for key: CacheKey) throws(ImageError) {}
        func removeData(ofOriginal original: String) throws(ImageError) {}
        func removeAll() throws(ImageError) {}
    }
}
