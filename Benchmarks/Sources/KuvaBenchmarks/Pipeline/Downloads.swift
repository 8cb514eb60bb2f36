import BenchmarkKit
import CBareCurl
import Foundation
import KuvaCore
import KuvaNetwork

/// Ours: all addresses asked for at once, as a program that fills a cache would.
final class Downloads {
    private let urls: [URL]
    private let downloader: Downloader

    init(_ urls: [String], concurrency: Int, authority: String?) throws {
        self.urls = urls.compactMap { URL(string: $0) }
        var configuration = Downloader.Configuration()
        configuration.maximumConcurrentLoads = concurrency
        configuration.maximumConcurrentLoadsPerHost = concurrency
        configuration.certificateAuthorityFile = authority
        configuration.usesProxyFromEnvironment = false
        downloader = try Downloader(configuration: configuration)
    }

    /// What has ended so far.
    private struct Tally: Sendable {
        var left: Int
        var byteCount = 0
        var error: ImageError?
    }

    /// Gets all bodies. Returns their length together.
    func get() throws -> Int {
        let tally = Lock(Tally(left: urls.count))
        let done = DispatchSemaphore(value: 0)
        for url in urls {
            _ = downloader.load(LoadRequest(url: url)) { event in
                guard case .finished(let result) = event else { return }
                let isLast = tally.withLock { tally in
                    tally.left -= 1
                    switch result {
                    case .success(let loaded): tally.byteCount += loaded.bytes.count
                    case .failure(let error): tally.error = error
                    }
                    return tally.left == 0
                }
                if isLast { done.signal() }
            }
        }
        done.wait()
        let end = tally.withLock { $0 }
        if let error = end.error { throw error }
        return end.byteCount
    }
}

/// The rivals `curl-multi`, whose requests have the header fields only that curl adds by itself, and `curl-same-request`,
/// whose requests are ours: libcurl writes a header letter by letter, which is a good part of what a request costs.
final class BareCurl {
    private let urls: [UnsafeMutablePointer<CChar>?]
    private let client: OpaquePointer

    init(_ urls: [String], concurrency: Int, authority: String?, asksAsWeDo: Bool = false) {
        self.urls = urls.map { strdup($0) }
        client = bare_client_new(Int32(concurrency), authority, asksAsWeDo ? 1 : 0)
    }

    deinit {
        bare_client_free(client)
        for url in urls { free(url) }
    }

    /// Gets all bodies. Returns their length together.
    func get() throws -> Int {
        var byteCount: UInt64 = 0
        let pointers = urls.map { UnsafePointer($0) }
        guard bare_client_get(client, pointers, pointers.count, &byteCount) == 0 else {
            throw Failure("curl-multi cannot get a body")
        }
        return Int(byteCount)
    }
}
