import Foundation
import KuvaCache
import KuvaCacheFaults
import KuvaCore
import Testing

@Suite("Disk cache folder")
struct DiskCacheFolderTests {
    private let fixture = DiskFixture()

    @Test func followsTheXDGSpecification() {
        func path(_ environment: [String: String], home: String? = "/home/me") -> String {
            CacheDirectory.path(environment: { environment[$0] }, home: { home }, user: 1000)
        }
        #expect(path(["XDG_CACHE_HOME": "/var/tmp/c", "HOME": "/home/other"]) == "/var/tmp/c/kuva")
        #expect(path(["XDG_CACHE_HOME": "/c/"]) == "/c/kuva")
        #expect(path(["XDG_CACHE_HOME": "relative", "HOME": "/home/other"]) == "/home/other/.cache/kuva")
        #expect(path(["XDG_CACHE_HOME": "", "HOME": "/home/other"]) == "/home/other/.cache/kuva")
        #expect(path([:]) == "/home/me/.cache/kuva")
        #expect(path([:], home: nil) == "/tmp/kuva-1000")
        #expect(path(["TMPDIR": "/scratch"], home: nil) == "/scratch/kuva-1000")
    }

    @Test func twoCachesOnOneFolderSeeEachOther() throws {
        let (one, two) = (fixture.cache(), fixture.cache())
        try one.store(fixture.entry(1, version: 1), for: fixture.key(1))
        #expect(try fixture.read(two, fixture.key(1))?.version == 1)
        try two.store(fixture.entry(1, version: 2), for: fixture.key(1))
        #expect(try fixture.read(one, fixture.key(1))?.version == 2)
        try one.removeData(for: fixture.key(1))
        #expect(try two.data(for: fixture.key(1)) == nil)
    }

    @Test func leftoversOfTheDeadGoAndFilesOfTheLivingStay() throws {
        let living = fixture.cache()
        try living.store(fixture.entry(1), for: fixture.key(1))
        let session = try #require(fixture.folder.temporaries().first)
        let tmp = "\(fixture.folder.path)/kuva/default/tmp"
        let mine = "\(fixture.folder.path)/\(session).7"
        for path in [mine, "\(tmp)/4242-dead", "\(tmp)/4242-dead.1", "\(tmp)/4242-dead.2", "\(tmp)/77-lost.3"] {
            try Data("half".utf8).write(to: URL(filePath: path))
        }
        do {
            let other = fixture.cache()
            try other.store(fixture.entry(2), for: fixture.key(2))
            #expect(fixture.folder.temporaries().count == 3)
            #expect(FileManager.default.fileExists(atPath: mine))
        }
        #expect(fixture.folder.temporaries() == [session, "\(session).7"], "a cache that ends takes its session along")
    }

    @Test func aFolderRemovedUnderItIsMadeAgain() throws {
        let cache = fixture.cache()
        try cache.store(fixture.entry(1), for: fixture.key(1))
        try FileManager.default.removeItem(atPath: "\(fixture.folder.path)/kuva")
        #expect(try cache.data(for: fixture.key(1)) == nil)
        try cache.store(fixture.entry(2), for: fixture.key(2))
        #expect(try fixture.read(cache, fixture.key(2))?.key == 2)
        try FileManager.default.removeItem(atPath: try #require(fixture.folder.entries().first))
        #expect(try cache.data(for: fixture.key(2)) == nil)
    }

    /// The folder is held open, so a cache would follow it wherever it goes.
    @Test func aFolderMovedAwayIsGivenUpByMaintenance() throws {
        var fixture = DiskFixture()
        fixture.background = { $0() }
        let cache = fixture.cache()
        try cache.store(fixture.entry(1), for: fixture.key(1))
        let place = "\(fixture.folder.path)/kuva"
        try FileManager.default.moveItem(atPath: place, toPath: "\(place)-moved")
        #expect(try fixture.read(cache, fixture.key(1))?.key == 1)
        let other = fixture.cache()
        try other.store(fixture.entry(2), for: fixture.key(2))
        #expect(try fixture.read(cache, fixture.key(2))?.key == 2, "what others store under the old name is found")
        fixture.clock.advance(3601)
        try cache.store(fixture.entry(3), for: fixture.key(3))
        try cache.store(fixture.entry(4), for: fixture.key(4))
        #expect(try fixture.read(other, fixture.key(4))?.key == 4)
        #expect(try fixture.read(cache, fixture.key(1)) == nil)
    }

    @Test func aFileInPlaceOfTheFolderMakesTheCacheUnavailable() throws {
        try Data("x".utf8).write(to: URL(filePath: "\(fixture.folder.path)/kuva"))
        let cache = fixture.cache()
        let error = #expect(throws: ImageError.self) { try cache.store(fixture.entry(1), for: fixture.key(1)) }
        #expect(error?.code == .cacheUnavailable)
        #expect(error?.stage == .cacheWrite)
        #expect(error?.advice.isEmpty == false)
    }

    @Test(arguments: [EACCES, EROFS, EPERM])
    func aFolderWithoutRightsStillServesReads(number: Int32) throws {
        try fixture.cache().store(fixture.entry(1), for: fixture.key(1))
        let writes: Set = ["mkdir", "writev", "rename", "unlink", "futimens"]
        let files = FaultyFileSystem { _, call in writes.contains(call) ? .fail(number) : nil }
        let cache = fixture.cache(files: files)
        fixture.clock.advance(1000)
        #expect(try fixture.read(cache, fixture.key(1))?.version == 1)
        let error = #expect(throws: ImageError.self) { try cache.store(fixture.entry(2), for: fixture.key(2)) }
        #expect(error?.code == .cacheUnavailable)
        let removal = #expect(throws: ImageError.self) { try cache.removeData(for: fixture.key(1)) }
        #expect(removal?.code == .permissionDenied)
    }
}
