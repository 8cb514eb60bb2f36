import Foundation
import KuvaCache
import KuvaCore
import Testing

@Suite("Disk cache limit")
struct DiskCacheLimitTests {
    private let fixture = DiskFixture()

    @Test func leastRecentlyUsedLeavesFirst() throws {
        let cache = fixture.cache(limit: 4 * 4096)
        for number in 1...4 { try cache.store(fixture.entry(number), for: fixture.key(number)) }
        #expect(try cache.data(for: fixture.key(1)) != nil)
        try cache.store(fixture.entry(3, version: 2), for: fixture.key(3))
        try cache.store(fixture.entry(5, blocks: 2), for: fixture.key(5))
        #expect(try [1, 2, 3, 4, 5].filter { try cache.data(for: fixture.key($0)) != nil } == [1, 3, 5])
        #expect(try cache.statistics().byteCount == 4 * 4096)
        #expect(fixture.folder.entries().count == 3)
    }

    @Test func theNextProcessKnowsTheOrder() throws {
        let first = fixture.cache(limit: 3 * 4096)
        for number in 1...3 {
            try first.store(fixture.entry(number), for: fixture.key(number))
            // The files carry the clock's time only from their first use; until then, the system's.
            fixture.clock.advance(120)
            #expect(try first.data(for: fixture.key(number)) != nil)
        }
        fixture.clock.advance(120)
        #expect(try first.data(for: fixture.key(1)) != nil)
        let second = fixture.cache(limit: 3 * 4096)
        try second.store(fixture.entry(4), for: fixture.key(4))
        #expect(try [1, 2, 3, 4].filter { try second.data(for: fixture.key($0)) != nil } == [1, 3, 4])
    }

    @Test func anEntryLargerThanTheLimitIsNotKept() throws {
        let cache = fixture.cache(limit: 4 * 4096)
        try cache.store(fixture.entry(1), for: fixture.key(1))
        try cache.store(fixture.entry(2), for: fixture.key(2))
        try cache.store(fixture.entry(2, version: 2, blocks: 5), for: fixture.key(2))
        #expect(try cache.data(for: fixture.key(2)) == nil, "the earlier one would be the wrong one")
        #expect(try cache.data(for: fixture.key(1)) != nil)
        try cache.store(fixture.entry(3, blocks: 4), for: fixture.key(3))
        #expect(try cache.data(for: fixture.key(3)) != nil)
        #expect(fixture.folder.entries().count == 1)
    }

    @Test func aLowerLimitHoldsFromTheNextStore() throws {
        let large = fixture.cache(limit: 100 * 4096)
        for number in 0..<20 { try large.store(fixture.entry(number), for: fixture.key(number)) }
        let small = fixture.cache(limit: 5 * 4096)
        #expect(try small.statistics().entryCount == 20)
        try small.store(fixture.entry(20), for: fixture.key(20))
        #expect(try small.statistics().byteCount == 5 * 4096)
        #expect(fixture.folder.entries().count == 5)
    }

    @Test func theDefaultIsTwoPercentOfTheDiskWithinBounds() throws {
        let size = try #require(
            try FileManager.default.attributesOfFileSystem(forPath: fixture.folder.path)[.systemSize] as? Int
        )
        let cache = fixture.cache { $0.byteLimit = nil }
        #expect(try cache.statistics().byteLimit == min(max(size / 50, 268_435_456), 2_147_483_648))
    }
}
