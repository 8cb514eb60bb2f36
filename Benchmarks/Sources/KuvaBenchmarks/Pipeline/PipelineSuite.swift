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
        let kinds = kinds.filter { $0.name.hasPrefix(options.only) }
        guard !kinds.isEmpty else { return [] }
        let server = try FileServer()
        return
            try kinds
            .flatMap { try contests($0, server, count: options.isQuick ? 4000 : 20_000) }
    }

    private static func contests(_ kind: Kind, _ server: FileServer, count: Int) throws -> [Contest] {
        let urls = server.urls(count, isSecure: kind.isSecure)
        let byteCount = server.byteCount(count)
        let authority = kind.isSecure ? server.authority : nil
        let ours = try Downloads(urls, concurrency: kind.concurrency, authority: authority)
        let theirs = BareCurl(urls, concurrency: kind.concurrency, authority: authority)
        let alike = BareCurl(urls, concurrency: kind.concurrency, authority: authority, asksAsWeDo: true)
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
        // Once: it takes ten times as long as all the others together.
        let foundations = kind.name == "get-30k-6" ? FoundationsClient(urls, concurrency: kind.concurrency) : nil
        // The server lives as long as the contenders do.
        let get: (ours: () throws -> Int, theirs: () throws -> Int, alike: () throws -> Int) = (
            { try withExtendedLifetime(server) { try ours.get() } }, { try theirs.get() }, { try alike.get() }
        )
        func rivals(_ clock: @escaping () -> Double, _ cost: @escaping (Double) -> Double) -> [Contest.Contender] {
            [
                contender("curl-multi", clock, get.theirs)(cost),
                contender("curl-same-request", clock, get.alike)(cost),
            ] + (foundations.map { rival in [contender("urlsession", clock) { rival.get() }(cost)] } ?? [])
        }
        return [
            Contest(
                kind.name,
                metric: "rate",
                unit: "1/s",
                largerIsBetter: true,
                ours: contender("kuva", { Clock.wall }, get.ours)({ Double(count) / $0 }),
                rivals: rivals({ Clock.wall }, { Double(count) / $0 })
            ),
            Contest(
                kind.name,
                metric: "cpu",
                unit: "us",
                ours: contender("kuva", { Clock.cpu }, get.ours)({ $0 * 1e6 / Double(count) }),
                rivals: rivals({ Clock.cpu }, { $0 * 1e6 / Double(count) })
            ),
        ]
    }
}
