import BenchmarkKit
import CGdkRival
import Foundation
import FoundationNetworking
import KuvaCore

/// The rival `urlsession`: Foundation's own client, as a Swift program has it without a library.
final class FoundationsClient {
    private let urls: [URL]
    private let session: URLSession

    init(_ urls: [String], concurrency: Int) {
        self.urls = urls.compactMap { URL(string: $0) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = concurrency
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Gets all bodies. Returns their length together.
    func get() -> Int {
        let byteCount = Lock(0)
        let group = DispatchGroup()
        for url in urls {
            group.enter()
            session.dataTask(with: url) { data, _, _ in
                byteCount.withLock { $0 += data?.count ?? 0 }
                group.leave()
            }.resume()
        }
        group.wait()
        return byteCount.withLock { $0 }
    }
}

/// The rival `urlsession-gdk`: what a Swift program does without a library. `URLSession` gets the files, gdk-pixbuf makes
/// them small, on a thread for each core.
enum FoundationAndGdk {
    static func load(_ urls: [String], side: Int, connections: Int) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let threads = WorkPool(name: "gdk", threads: WorkPool.processorCount)
        let failed = Lock(0)
        let group = DispatchGroup()
        for case let url? in urls.map({ URL(string: $0) }) {
            group.enter()
            session.dataTask(with: url) { data, _, _ in
                threads.submit {
                    let file = data ?? Data()
                    let status = file.withUnsafeBytes { bytes in
                        gdk_rival_thumbnail(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, Int32(side))
                    }
                    if status != 0 { failed.withLock { $0 += 1 } }
                    group.leave()
                }
            }.resume()
        }
        group.wait()
        let count = failed.withLock { $0 }
        guard count == 0 else { throw Failure("URLSession and gdk-pixbuf failed at \(count) pictures") }
    }
}
