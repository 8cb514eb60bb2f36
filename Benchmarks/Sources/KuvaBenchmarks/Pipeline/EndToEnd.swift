import BenchmarkKit
import Foundation
import KuvaCodecs
import KuvaCore
import KuvaNetwork
import KuvaPipeline

/// From addresses to small pictures in memory: photographs of a web server on the loopback, six transfers at once, on all
/// cores. What everyone starts with, a program's start apart, is a list of addresses.
enum EndToEnd {
    private static let name = "photos-400"
    private static let side = 400
    private static let connections = 6

    static func contests(_ options: Options) throws -> [Contest] {
        guard name.hasPrefix(options.only) else { return [] }
        let pictures = try Pictures("jpeg", options)
        let server = try WebServer { root in
            for (number, file) in pictures.files.enumerated() {
                try file.write(to: root.appending(path: "\(number).jpg"))
            }
        }
        let urls = pictures.files.indices.map { "\(server.address())/\($0).jpg" }
        let python = try PythonRival("aiohttp_pillow.py", ["\(connections)", "\(side)"] + urls, options)
        func wall(_ name: String, _ work: @escaping () throws -> Void) -> Contest.Contender {
            Contest.Contender(name) {
                // The server lives as long as the contenders do.
                try withExtendedLifetime(server) {
                    let start = Clock.wall
                    try work()
                    return (Clock.wall - start) * 1000
                }
            }
        }
        return [
            Contest(
                name,
                metric: "wall",
                unit: "ms",
                ours: wall("kuva") { try load(urls) },
                rivals: [
                    wall("curl-vips") { try CurlAndVips.load(urls, side: side, connections: connections) },
                    Contest.Contender("aiohttp-pillow") { try python.run() },
                    wall("urlsession-gdk") { try FoundationAndGdk.load(urls, side: side, connections: connections) },
                ]
            )
        ]
    }

    /// A new manager each time, so that nothing is in memory.
    private static func load(_ urls: [String]) throws {
        var configuration = Downloader.Configuration()
        configuration.maximumConcurrentLoads = connections
        configuration.maximumConcurrentLoadsPerHost = connections
        configuration.usesProxyFromEnvironment = false
        let manager = ImageManager(
            configuration: .init(
                memoryCache: nil,
                loaders: [try Downloader(configuration: configuration)],
                decoders: CodecRegistry.builtIn
            )
        )
        let size = TargetSize(PixelSize(width: side, height: side))
        let requests = try urls.map { try ImageRequest(string: $0, targetSize: size) }
        let left = Lock(requests.count)
        let failure = Lock<ImageError?>(nil)
        let done = DispatchSemaphore(value: 0)
        for request in requests {
            manager.load(request) { result in
                if case .failure(let error) = result { failure.withLock { $0 = error } }
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { done.signal() }
            }
        }
        done.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
