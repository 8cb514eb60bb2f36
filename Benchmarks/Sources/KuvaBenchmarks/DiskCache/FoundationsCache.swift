import BenchmarkKit
import Foundation
import FoundationNetworking

/// The rival `urlcache-100`: Foundation's `URLCache` with a hundred entries, since it looks at all of them in each call: a
/// store takes 20 ms at 300, and 10,000 would take hours.
enum FoundationsCache {
    private static let count = 100

    static func store(on disk: String, _ body: Data) -> Contest.Contender {
        .init("urlcache-100") {
            let folder = try Scratch(on: disk)
            let cache = cache(folder)
            return try rate { number in try put(body, number, cache) }
        }
    }

    static func read(on disk: String, _ body: Data) throws -> Contest.Contender {
        let folder = try Scratch(on: disk)
        let cache = cache(folder)
        for number in 0..<count { try put(body, number, cache) }
        return .init("urlcache-100") {
            _ = folder
            return try rate { number in
                let found = cache.cachedResponse(for: URLRequest(url: try url(number)))
                guard found?.data.count == body.count else { throw Failure("urlcache misses") }
            }
        }
    }

    /// On disk only.
    private static func cache(_ folder: Scratch) -> URLCache {
        URLCache(memoryCapacity: 0, diskCapacity: 1 << 40, diskPath: "\(folder.path)/urlcache")
    }

    private static func put(_ body: Data, _ number: Int, _ cache: URLCache) throws {
        let url = try url(number)
        let fields = ["Cache-Control": "max-age=3600", "Content-Length": "\(body.count)"]
        guard
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw Failure("no response") }
        let entry = CachedURLResponse(response: response, data: body, userInfo: nil, storagePolicy: .allowed)
        cache.storeCachedResponse(entry, for: URLRequest(url: url))
    }

    private static func url(_ number: Int) throws -> URL {
        guard let url = URL(string: "https://example.org/pictures/\(number).jpg") else { throw Failure("no URL") }
        return url
    }

    private static func rate(_ work: (Int) throws -> Void) rethrows -> Double {
        let start = Clock.wall
        for number in 0..<count { try work(number) }
        return Double(count) / (Clock.wall - start)
    }
}
