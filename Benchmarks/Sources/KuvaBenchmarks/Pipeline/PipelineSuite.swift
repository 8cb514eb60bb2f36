import BenchmarkKit
import Foundation
import KuvaCore
import KuvaNetwork

/// Bodies from a server on the loopback into memory: the downloader against a bare loop of libcurl's multi interface.
enum PipelineSuite {
    private struct Kind {
        var name: String
        var concurrency: Int
        var isSecure = false
    }

    private static let kinds = [
        Kind(name: "get-30k-6", concurrency: 6), Kind(name: "get-30k-32", concurrency: 32),
        Kind(name: "get-30k-h2", concurrency: 32, isSecure: true),
    ]

    static func contests(_ options: Options) throws -> [Contest] {
        let server = try FileServer()
        return try kinds.filter { $0.name.hasPrefix(options.only) }
            .flatMap { try contests($0, server, count: options.isQuick ? 4000 : 20_000) }
    }

    private static func contests(_ kind: Kind, _ server: FileServer, count: Int) throws -> [Contest] {
        let urls = server.urls(count, isSecure: kind.isSecure)
        let byteCount = server.byteCount(count)
        let authority = kind.isSecure ? server.authority : nil
        let ours = try Downloads(urls, concurrency: kind.concurrency, authority: authority)
        let theirs = BareCurl(urls, concurrency: kind.concurrency, authority: authority)
        func contender(_ name: String, _ clock: @escaping () -> Double, _ get: @escaping () throws -> Int)
            -> (_ cost: @escaping (Double) -> Double) -> Contest.Contender
        {
            { cost in
                Contest.Contender(name) {
                    let start = clock()
                    let received = try get()
                    let passed = clock() - start
                    guard received == byteCount else {
                        throw Failure("\(name) got \(received) bytes in place of \(byteCount)")
                    }
                    return cost(passed)
                }
            }
        }
        // The server lives as long as the contenders do.
        let get: (ours: () throws -> Int, theirs: () throws -> Int) = (
            { try withExtendedLifetime(server) { try ours.get() } }, { try theirs.get() }
        )
        return [
            Contest(
                kind.name,
                metric: "rate",
                unit: "1/s",
                largerIsBetter: true,
                ours: contender("kuva", { Clock.wall }, get.ours)({ Double(count) / $0 }),
                rivals: [contender("curl-multi", { Clock.wall }, get.theirs)({ Double(count) / $0 })]
            ),
            Contest(
                kind.name,
                metric: "cpu",
                unit: "us",
                ours: contender("kuva", { Clock.cpu }, get.ours)({ $0 * 1e6 / Double(count) }),
                rivals: [contender("curl-multi", { Clock.cpu }, get.theirs)({ $0 * 1e6 / Double(count) })]
            ),
        ]
    }
}
