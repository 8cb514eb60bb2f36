import Foundation
import KuvaCache
import KuvaCore
import Testing

/// Among them the peer's 55 to 57; the cases named after bugs are bugs of the peer's manager.
@Suite("Groups of caches")
struct ImageCachesTests {
    /// A cache that notes what it is asked.
    private final class Probe: TieredImageCaching {
        struct State: Sendable {
            var stored: [CacheKey: CacheTiers] = [:]
            var calls: [String] = []
        }
        let state = Lock(State())
        let image: Image?
        let error: ImageError?
        let gate: DispatchSemaphore?

        init(_ image: Image? = nil, error: ImageError? = nil, gate: DispatchSemaphore? = nil) {
            self.image = image
            self.error = error
            self.gate = gate
        }

        var calls: [String] { state.withLock { $0.calls } }
        func tiers(_ key: CacheKey) -> CacheTiers { state.withLock { $0.stored[key] ?? [] } }

        private func note(_ call: String) throws(ImageError) {
            state.withLock { $0.calls.append(call) }
            if let error { throw error }
        }

        func imageInMemory(for key: CacheKey) -> Image? { image }
        func query(_ key: CacheKey, _ options: CacheQueryOptions) throws(ImageError) -> CacheHit? {
            try note("query")
            if let gate { _ = gate.wait(timeout: .now() + 60) }
            let data = CachedData(bytes: Data("file".utf8), storedAt: Date(timeIntervalSinceReferenceDate: 0))
            return image.map { CacheHit(image: $0, data: options.wantsData ? data : nil, tier: .disk) }
        }
        func store(_ image: Image?, data: CachedData?, for key: CacheKey, in tiers: CacheTiers) throws(ImageError) {
            try note("store")
            state.withLock { $0.stored[key, default: []].formUnion(tiers) }
        }
        func remove(_ removal: CacheRemoval, from tiers: CacheTiers) throws(ImageError) { try note("remove") }
        func contains(_ key: CacheKey, in tiers: CacheTiers) throws(ImageError) -> CacheTiers {
            try note("contains")
            return image == nil ? [] : tiers
        }
        func clear(_ tiers: CacheTiers) throws(ImageError) { try note("clear") }
    }

    private let key = CacheKey(original: "https://example.org/1.jpg")
    private let options = CacheQueryOptions()

    private func group(_ caches: [Probe], _ change: (inout ImageCaches.Policies) -> Void = { _ in }) -> ImageCaches {
        var policies = ImageCaches.Policies()
        change(&policies)
        return ImageCaches(caches, policies: policies)
    }

    @Test("55: highest and lowest only")
    func ends() throws {
        let (low, middle, high) = (Probe(try TextCodec.picture()), Probe(), Probe(try TextCodec.picture()))
        let group = group([low, middle]) {
            $0 = ImageCaches.Policies()
            $0.store = .lowestOnly
            $0.remove = .highestOnly
            $0.contains = .lowestOnly
            $0.clear = .highestOnly
            $0.query = .highestOnly
        }
        group.add(high)
        #expect(group.caches.count == 3)
        try group.store(nil, data: nil, for: key, in: .all)
        try group.remove(.key(key), from: .all)
        #expect(try group.contains(key, in: .all) == .all)
        try group.clear(.all)
        #expect(try group.query(key, options) != nil)
        #expect(low.calls == ["store", "contains"])
        #expect(middle.calls.isEmpty)
        #expect(high.calls == ["remove", "clear", "query"])
    }

    @Test("56: the first hit wins, with one answer")
    func concurrent() throws {
        let gate = DispatchSemaphore(value: 0)
        let fast = try TextCodec.picture()
        let slow = Probe(try TextCodec.picture(), gate: gate)
        let group = group([Probe(fast), Probe(), slow]) { $0.query = .concurrent }
        let hit = try #require(try group.query(key, options))
        #expect(hit.image?.pixels === fast.pixels)
        gate.signal()
        let none = self.group([Probe(), Probe()]) { $0.query = .concurrent }
        #expect(try none.query(key, options) == nil)
    }

    @Test func aHitOfAllAtOnceIsKeptAbove() throws {
        let (low, middle) = (Probe(try TextCodec.picture()), Probe())
        let gate = DispatchSemaphore(value: 0)
        let high = Probe(try TextCodec.picture(), gate: gate)
        let group = group([low, middle, high]) { $0.query = .concurrent }
        #expect(try group.query(key, options)?.data == nil)
        gate.signal()
        #expect(middle.tiers(key) == .all)
        #expect(high.tiers(key) == [], "it has the picture, and was only slower")
        #expect(low.tiers(key) == [])
    }

    /// Reads go on while others decode. A file that is no picture counts as none: the caches below are asked.
    @Test func groupsDecodeOnThreadsForThat() async throws {
        let (upper, lower, codec) = (DiskFixture(), DiskFixture(), TextCodec())
        let group = ImageCaches(
            [lower, upper].map { ImageCache(memory: MemoryCache(), disk: $0.cache(), decoders: codec) }
        )
        func file(_ bytes: Data) -> CachedData { CachedData(bytes: bytes, storedAt: upper.clock.source.wall) }
        let whole = file(TextCodec.file())
        try await group.caches[0].store(nil, data: whole, for: key, in: .disk)
        try await group.caches[1].store(nil, data: file(Data("tiny".utf8 + [0x20])), for: key, in: .disk)
        let hit = try #require(try await group.query(key))
        #expect(hit.image?.pixelSize == PixelSize(width: 4, height: 3))
        #expect(hit.data == nil)
        #expect(codec.decodingThreads == ["kuva-cache-pix"])
        #expect(group.caches[1].imageInMemory(for: key) != nil)
        var dataOnly = options
        dataOnly.wantsImage = false
        dataOnly.wantsData = true
        #expect(
            try await group.caches[1].query(key, dataOnly)?.data?.bytes == whole.bytes,
            "the good file took its place"
        )
    }

    @Test("56: and exactly one completion")
    func oneCompletion() async throws {
        let group = group([Probe(try TextCodec.picture()), Probe(try TextCodec.picture())]) { $0.query = .concurrent }
        #expect(try await group.query(key)?.image != nil)
    }

    @Test("57: the highest first, and its hit ends the search")
    func serial() throws {
        let (low, high) = (Probe(try TextCodec.picture()), Probe(try TextCodec.picture()))
        let group = group([low, high])
        #expect(try group.query(key, options)?.image?.pixels === high.image?.pixels)
        #expect(low.calls.isEmpty)
        #expect(try group.contains(key, in: .disk) == .disk)
        #expect(low.calls.isEmpty)
    }

    @Test func aHitBelowIsKeptAbove() throws {
        let (low, middle, high) = (Probe(try TextCodec.picture()), Probe(), Probe())
        let group = group([low, middle, high])
        _ = try group.query(key, options)
        #expect(high.tiers(key) == .all && middle.tiers(key) == .all && low.tiers(key) == [])
        #expect(try group.query(key, options)?.data == nil, "the file is kept, and not given to who did not ask")
        var both = options
        both.wantsData = true
        #expect(try group.query(key, both)?.data != nil)
        var memory = options
        memory.tiers = .memory
        let third = CacheKey(original: "third")
        _ = try group.query(third, memory)
        #expect(high.tiers(third) == .memory)
        var never = options
        never.promotes = false
        let other = CacheKey(original: "other")
        _ = try group.query(other, never)
        #expect(high.tiers(other) == [])
        never.promotes = true
        never.targetSize = TargetSize(PixelSize(width: 2, height: 2))
        _ = try group.query(other, never)
        #expect(high.tiers(other) == .disk, "a small picture is not the picture, but the file is the file")
        #expect(high.tiers(other.sized(TargetSize(PixelSize(width: 2, height: 2)))) == .memory)
    }

    /// The peer asks the policy for clearing.
    @Test func containsFollowsItsOwnPolicy() throws {
        let (low, high) = (Probe(try TextCodec.picture()), Probe())
        let group = group([low, high]) {
            $0.contains = .highestOnly
            $0.clear = .serial
        }
        #expect(try group.contains(key, in: .all) == [])
        #expect(low.calls.isEmpty)
        group.policies.contains = .concurrent
        #expect(try group.contains(key, in: .memory) == .memory)
    }

    /// The peer never calls back.
    @Test func noCachesAnswerEverything() async throws {
        let group = ImageCaches()
        #expect(try await group.query(key) == nil)
        #expect(try await group.contains(key) == [])
        try await group.store(TextCodec.picture(), for: key)
        try await group.remove(.key(key))
        try await group.clear()
        group.policies.query = .concurrent
        group.policies.contains = .concurrent
        #expect(try await group.query(key) == nil)
        #expect(try await group.contains(key) == [])
        #expect(group.imageInMemory(for: key) == nil)
    }

    @Test(arguments: [ImageCaches.Policy.serial, .concurrent])
    func oneThatFailsDoesNotStopTheOthers(policy: ImageCaches.Policy) throws {
        let full = ImageError(.diskFull, "full")
        let (good, bad) = (Probe(try TextCodec.picture()), Probe(error: full))
        let group = group([good, bad]) {
            $0.query = policy
            $0.store = policy
            $0.remove = policy
            $0.clear = policy
        }
        #expect(try group.query(key, options) != nil, "another has it")
        let error = #expect(throws: ImageError.self) { try group.store(nil, data: nil, for: key, in: .all) }
        #expect(error?.code == .diskFull)
        #expect(good.calls.contains("store"))
        #expect(throws: ImageError.self) { try group.remove(.key(key), from: .all) }
        #expect(throws: ImageError.self) { try group.clear(.all) }
        #expect(good.calls.contains("remove") && good.calls.contains("clear"))
        group.caches = [Probe(), bad]
        #expect(throws: ImageError.self) { try group.query(key, options) }
    }
}
