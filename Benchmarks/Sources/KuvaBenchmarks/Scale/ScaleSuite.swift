import BenchmarkKit
import Foundation
import KuvaCache
import KuvaCodecs
import KuvaCore
import KuvaPipeline

/// How costs grow: each case at several sizes, with the cost of one look-up, load or pixel.
///
/// The rival `goal` is what one costs at the smallest size, so that a ratio of 1 is linear growth of the whole. Look-ups
/// are held beside a bare dictionary of the same size instead: what grows there is how seldom memory is in a cache.
enum ScaleSuite {
    /// A case at several sizes.
    struct Series {
        let name: String
        let unit: String
        let metric: String
        let sizes: [Int]
        /// The cost of one unit of the size.
        let cost: (_ size: Int) throws -> Double
        /// The same for somebody else; without one, our own cost at the smallest size is the other side.
        var rival: (name: String, cost: (_ size: Int) throws -> Double)?
    }

    static func contests(_ options: Options) throws -> [Contest] {
        let all = [entries(options), loads(options), pixels(options)]
        return all.filter { $0.name.hasPrefix(options.only) || options.only.hasPrefix($0.name) }.flatMap(contests)
    }

    /// What one unit costs at each size, and the exponent with which the whole grows.
    static func growths(_ rows: [Row]) -> [String] {
        var series: [(name: String, points: [(size: Double, cost: Double)])] = []
        for row in rows {
            guard let dash = row.name.lastIndex(of: "-"), let size = Double(row.name[dash...].dropFirst()) else {
                continue
            }
            let (name, point) = (String(row.name[..<dash]), (size: size, cost: row.ours * size))
            if series.last?.name == name {
                series[series.count - 1].points.append(point)
            } else {
                series.append((name, [point]))
            }
        }
        return series.compactMap { name, points in
            guard let growth = Growth(points) else { return nil }
            return "\(name): \(points.count) sizes, the whole grows as n^\(rounded(growth.exponent))"
        }
    }

    private static func contests(_ series: Series) -> [Contest] {
        series.sizes.map { size in
            let goal = Contest.Contender("goal") { try series.cost(series.sizes[0]) }
            let rival = series.rival.map { rival in Contest.Contender(rival.name) { try rival.cost(size) } }
            return Contest(
                "\(series.name)-\(size)",
                metric: series.metric,
                unit: series.unit,
                ours: .init("kuva") { try series.cost(size) },
                rivals: [rival ?? goal]
            )
        }
    }

    /// Look-ups in a memory cache of so many pictures, in random order.
    private static func entries(_ options: Options) -> Series {
        let sizes = options.isQuick ? [1_000, 10_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000]
        let caches = Kept { (count: Int) in try StockedCache(count) }
        func cost(_ count: Int, _ work: (StockedCache) -> Void) throws -> Double {
            let cache = try caches[count]
            let start = Clock.cpu
            work(cache)
            return (Clock.cpu - start) * 1e9 / Double(count)
        }
        return Series(
            name: "hit-entries",
            unit: "ns",
            metric: "cpu",
            sizes: sizes,
            cost: { try cost($0) { $0.lookUpAll() } },
            rival: ("bare-dict", { try cost($0) { $0.lookUpAllInDictionary() } })
        )
    }

    /// Loads of different pictures, all asked for before the first one is there.
    private static func loads(_ options: Options) -> Series {
        let sizes = options.isQuick ? [10, 100, 1_000] : [10, 100, 1_000, 10_000]
        return Series(name: "loads", unit: "us", metric: "cpu", sizes: sizes) { count in
            let requests = try (0..<count).map { try ImageRequest(string: "https://example.org/\($0).jpg") }
            let start = Clock.cpu
            // The small ones again and again, so that the clock has something to tell.
            let rounds = max(1, 1_000 / count)
            for _ in 0..<rounds { ConcurrentLoads.run(requests) }
            return (Clock.cpu - start) * 1e6 / Double(count * rounds)
        }
    }

    /// One PNG of so many megapixels to 400 pixels.
    private static func pixels(_ options: Options) -> Series {
        let sizes = options.isQuick ? [1, 4, 16] : [1, 4, 16, 64, 256, 400]
        let folder = URL(fileURLWithPath: options.prepared).appendingPathComponent("large")
        let files = Kept { (megapixels: Int) in
            try Data(contentsOf: folder.appendingPathComponent("\(megapixels).png"), options: .alwaysMapped)
        }
        let small = DecodeOptions(targetSize: TargetSize(PixelSize(width: 400, height: 400)))
        return Series(name: "megapixels", unit: "ns", metric: "cpu", sizes: sizes) { megapixels in
            let file = try files[megapixels]
            let start = Clock.cpu
            _ = try CodecRegistry.builtIn.decode(file, options: small)
            return (Clock.cpu - start) * 1e9 / (Double(megapixels) * 1e6)
        }
    }
}
