import BenchmarkKit
import Foundation
import KuvaCache
import KuvaCore
import KuvaPipeline

/// What is made at its first use and kept, one for each size.
final class Kept<Value> {
    private var values: [Int: Value] = [:]
    private let make: (Int) throws -> Value

    init(_ make: @escaping (Int) throws -> Value) { self.make = make }

    subscript(size: Int) -> Value {
        get throws {
            if let value = values[size] { return value }
            let value = try make(size)
            values[size] = value
            return value
        }
    }
}

/// A memory cache with so many pictures, and the order in which they are looked up.
struct StockedCache {
    private let cache = MemoryCache(byteLimit: .max, pressure: nil)
    private let dictionary = BareDictionary()
    private let keys: [CacheKey]

    init(_ count: Int) throws {
        let layout = try PixelLayout(size: PixelSize(width: 1, height: 1))
        keys = (0..<count).map { CacheKey(original: "https://example.org/pictures/\($0).jpg") }.shuffled()
        for key in keys {
            let image = Image(pixels: try PixelBufferPool.shared.canvas(layout).freeze())
            cache.store(image, for: key)
            dictionary.store(image, for: key)
        }
    }

    func lookUpAll() {
        for key in keys { precondition(cache.image(for: key) != nil, "a picture is gone") }
    }

    func lookUpAllInDictionary() {
        for key in keys { precondition(dictionary.image(for: key) != nil, "a picture is gone") }
    }
}

/// Loads that are all asked for before the first one has ended.
enum ConcurrentLoads {
    /// Returns when all have ended.
    static func run(_ requests: [ImageRequest]) {
        let manager = ImageManager(
            configuration: .init(memoryCache: MemoryCache(pressure: nil), loaders: [InstantLoader()], decoders: Dot())
        )
        let group = DispatchGroup()
        for request in requests {
            group.enter()
            manager.load(request) { result in
                if case .failure = result { preconditionFailure("a load failed") }
                group.leave()
            }
        }
        group.wait()
    }
}
