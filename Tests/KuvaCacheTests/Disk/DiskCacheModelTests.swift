import Dispatch
import Foundation
import KuvaCache
import KuvaCacheFaults
import KuvaCore
import KuvaTesting
import Testing

@Suite("Disk cache against a dictionary")
struct DiskCacheModelTests {
    /// What is read is what was stored last; reopening loses nothing; the limit holds after each store.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func agreesWithADictionary(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = DiskFixture()
        let limit = 30 * 4096
        var cache = fixture.cache(limit: limit)
        var model: [CacheKey: Int] = [:]
        for round in 0..<600 {
            let number = Int.random(in: 0..<40, using: &random)
            let key = fixture.key(number / 3, ["", "a", "b"][number % 3])
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<40:
                if let found = try fixture.read(cache, key) {
                    #expect(found.key == number)
                    #expect(found.version == model[key])
                }
            case 40..<85:
                let blocks = Int.random(in: 1...4, using: &random)
                try cache.store(fixture.entry(number, version: round, blocks: blocks), for: key)
                model[key] = round
                #expect(try fixture.read(cache, key)?.version == round)
                #expect(try cache.statistics().byteCount <= limit)
            case 85..<92:
                try cache.removeData(for: key)
                model[key] = nil
            case 92..<96:
                try cache.removeData(ofOriginal: key.original)
                model = model.filter { $0.key.original != key.original }
            case 96..<99:
                let before = try cache.statistics()
                cache = fixture.cache(limit: limit)
                #expect(try cache.statistics() == before)
            default:
                try cache.removeAll()
                model = [:]
            }
        }
        let statistics = try cache.statistics()
        let sizes = try fixture.folder.entries().map { path in
            try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }
        #expect(statistics.entryCount == sizes.count)
        #expect(statistics.byteCount == sizes.reduce(0) { $0 + ($1 + 4095) / 4096 * 4096 })
    }

    @Test func threadsShareACache() throws {
        let fixture = DiskFixture()
        let cache = fixture.cache(limit: 20 * 4096)
        let failures = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for round in 0..<200 {
                let number = Int.random(in: 0..<30, using: &random)
                do {
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0: try cache.removeData(for: fixture.key(number))
                    case 1: try cache.removeData(ofOriginal: fixture.key(number).original)
                    case 2..<6: try cache.store(fixture.entry(number, version: round), for: fixture.key(number))
                    default:
                        if let found = try fixture.read(cache, fixture.key(number)), found.key != number {
                            failures.withLock { $0.append("\(found)") }
                        }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try cache.statistics().byteCount <= 20 * 4096)
        #expect(try cache.statistics().entryCount == fixture.folder.entries().count)
    }
}
