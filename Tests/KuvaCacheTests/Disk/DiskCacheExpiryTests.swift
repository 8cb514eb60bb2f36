import Foundation
import KuvaCache
import KuvaCore
import Testing

@Suite("Disk cache expiry")
struct DiskCacheExpiryTests {
    private let fixture = DiskFixture()
    private let week = 7.0 * 24 * 60 * 60

    @Test func aWeekUnusedIsTheDefault() throws {
        let (cache, forever) = (fixture.cache(), fixture.cache { $0.maximumAge = .seconds(-1) })
        try cache.store(fixture.entry(1), for: fixture.key(1))
        fixture.clock.advance(week)
        #expect(try cache.contains(fixture.key(1)))
        #expect(try cache.data(for: fixture.key(1)) != nil)
        fixture.clock.advance(week)
        #expect(try cache.data(for: fixture.key(1)) != nil, "the read has counted as a use")
        fixture.clock.advance(week + 1)
        #expect(try !cache.contains(fixture.key(1)))
        #expect(try forever.contains(fixture.key(1)))
        #expect(try cache.data(for: fixture.key(1)) == nil)
        #expect(fixture.folder.entries().isEmpty)
        #expect(try cache.statistics().byteCount == 0)
    }

    @Test func modificationCountsFromTheLastStore() throws {
        let cache = fixture.cache { $0.expiry = .modification }
        try cache.store(fixture.entry(1), for: fixture.key(1))
        fixture.clock.advance(week)
        #expect(try cache.data(for: fixture.key(1)) != nil)
        fixture.clock.advance(1)
        #expect(try cache.data(for: fixture.key(1)) == nil)
        try cache.store(fixture.entry(1), for: fixture.key(1))
        fixture.clock.advance(week / 2)
        try cache.store(fixture.entry(1, version: 2), for: fixture.key(1))
        fixture.clock.advance(week)
        #expect(try fixture.read(cache, fixture.key(1))?.version == 2)
    }

    @Test func creationCountsFromTheFirstStore() throws {
        let cache = fixture.cache { $0.expiry = .creation }
        try cache.store(fixture.entry(1), for: fixture.key(1))
        for version in 2...3 {
            fixture.clock.advance(week / 2)
            try cache.store(fixture.entry(1, version: version), for: fixture.key(1))
            #expect(try fixture.read(cache, fixture.key(1))?.version == version)
        }
        fixture.clock.advance(1)
        #expect(try cache.data(for: fixture.key(1)) == nil)
        try cache.store(fixture.entry(1, version: 4), for: fixture.key(1))
        fixture.clock.advance(week)
        #expect(try fixture.read(cache, fixture.key(1))?.version == 4, "it was missing, so it begins anew")
    }

    @Test func withZeroEverythingExpires() throws {
        let cache = fixture.cache { $0.maximumAge = .zero }
        try cache.store(fixture.entry(1), for: fixture.key(1))
        #expect(try cache.data(for: fixture.key(1)) == nil)
    }

    @Test(arguments: [DiskCache.Expiry.access, .modification, .creation])
    func theExpiredGoTogether(expiry: DiskCache.Expiry) throws {
        let cache = fixture.cache(limit: 1 << 30) { $0.expiry = expiry }
        for number in 0..<600 {
            try cache.store(
                CachedData(bytes: Data("\(number)".utf8), storedAt: fixture.clock.now),
                for: fixture.key(number)
            )
            if number == 499 { fixture.clock.advance(3600) }
        }
        #expect(try cache.removeExpired() == 0)
        fixture.clock.advance(week - 1800)
        #expect(try cache.removeExpired() == 500)
        fixture.clock.advance(3600)
        #expect(try fixture.cache(limit: 1 << 30) { $0.expiry = expiry }.removeExpired() == 100)
        #expect(fixture.folder.entries().isEmpty)
        #expect(try cache.statistics().entryCount == 0)
    }

    @Test func theyGoInTheBackgroundOnceAnHour() throws {
        let work = Lock<[@Sendable () -> Void]>([])
        var fixture = fixture
        fixture.background = { job in work.withLock { $0.append(job) } }
        let cache = fixture.cache()
        try cache.store(fixture.entry(1), for: fixture.key(1))
        #expect(work.withLock { $0.count } == 1, "asked for by the first store")
        fixture.clock.advance(week + 1)
        #expect(fixture.folder.entries().count == 1)
        for job in work.withLock({ $0 }) { job() }
        #expect(fixture.folder.entries().isEmpty)
        try cache.store(fixture.entry(2), for: fixture.key(2))
        #expect(work.withLock { $0.count } == 2, "more than an hour has gone")
        try cache.store(fixture.entry(3), for: fixture.key(3))
        #expect(work.withLock { $0.count } == 2)
    }
}
