import Foundation
import KuvaCache
import KuvaCacheFaults
import KuvaCore

/// Disk caches on one temporary folder with a clock of their own, and keys and entries for them.
struct DiskFixture {
    let folder = TemporaryFolder()
    let clock = ManualClock()
    /// Runs what the caches would do in the background: nothing, unless a test wants it.
    var background: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }

    func cache(
        limit: Int = 1 << 20,
        files: any FileSystem = SystemFileSystem(),
        _ change: (inout DiskCache.Configuration) -> Void = { _ in }
    ) -> DiskCache {
        var configuration = DiskCache.Configuration(directory: "\(folder.path)/kuva")
        configuration.byteLimit = limit
        change(&configuration)
        return DiskCache(configuration: configuration, files: files, time: clock.source, background: background)
    }

    func key(_ number: Int, _ variant: String = "") -> CacheKey {
        CacheKey(original: "https://example.org/\(number).jpg", variant: variant)
    }

    /// An entry of so many 4 KiB blocks on disk.
    func entry(_ number: Int, version: Int = 1, blocks: Int = 1) -> CachedData {
        let body = Specimen.body(key: number, version: version, length: blocks * 4096 - 1000)
        return CachedData(bytes: body, storedAt: clock.now)
    }

    /// The key and version that a read gives, which is whole; `nil` for a miss.
    func read(_ cache: DiskCache, _ key: CacheKey) throws -> (key: Int, version: Int)? {
        guard let data = try cache.data(for: key) else { return nil }
        guard let found = Specimen.identify(data.bytes) else { throw NotWhole(count: data.bytes.count) }
        return found
    }

    struct NotWhole: Error {
        let count: Int
    }
}
