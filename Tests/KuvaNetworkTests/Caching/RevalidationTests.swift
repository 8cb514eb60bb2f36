import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

/// The loader's part of HTTP caching: asking for news, and what the answer to that is.
@Suite("Asking for news", .timeLimit(.minutes(10)))
struct RevalidationTests {
    private let server: LoopbackServer
    private let downloader: Downloader
    private let time = ManualTime()
    private let body = pattern(5000)

    init() throws {
        server = try LoopbackServer()
        downloader = try makeDownloader(time: time.source)
    }

    private func known(_ fields: HTTPFields) throws -> StoredResponse {
        let date = Date(timeIntervalSince1970: 784_111_777)
        return StoredResponse(
            url: server.url("/a"),
            status: 200,
            fields: fields,
            requestTime: date,
            responseTime: date
        )
    }

    private func load(
        _ fields: HTTPFields?,
        policy: HTTPCachePolicy = .useProtocol,
        headers: HTTPFields = [:]
    ) async throws -> LoadedData {
        let stored = try fields.map { fields in try known(fields) }
        let probe = LoadProbe(downloader, server.url("/a")) {
            $0.known = stored
            $0.cachePolicy = policy
            $0.headers = headers
        }
        return try await probe.result.get()
    }

    @Test func notModified() async throws {
        server.route("/a", .status(304, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=60"]))
        let loaded = try await load([
            "ETag": "\"1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Content-Type": "image/png",
        ])
        #expect(loaded.isNotModified)
        #expect(loaded.bytes.isEmpty)
        #expect(loaded.metrics?.isNotModified == true)
        let response = try #require(loaded.response)
        #expect(response.status == 200)
        #expect(response.fields["Cache-Control"] == "max-age=60")
        #expect(response.fields["Content-Type"] == "image/png")
        #expect(response.isFresh(at: time.wall))
        let request = try #require(server.ledger.requests.first)
        #expect(request.fields["If-None-Match"] == "\"1\"")
        #expect(request.fields["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(downloader.counters.notModified == 1)
    }

    @Test func modified() async throws {
        server.route("/a", .ok(body, fields: ["ETag": "\"2\""]))
        let loaded = try await load(["ETag": "\"1\""])
        #expect(!loaded.isNotModified)
        #expect(loaded.bytes == body)
        #expect(loaded.response?.fields["ETag"] == "\"2\"")
    }

    /// RFC 9111 §4.3.4: a 304 about another answer than ours says nothing about ours.
    @Test func a304AboutSomethingElseMeansAskingForTheWhole() async throws {
        let body = body
        server.route("/a") { request in
            request.fields["If-None-Match"] == nil ? .ok(body) : .status(304, fields: ["ETag": "\"9\""])
        }
        #expect(try await load(["ETag": "\"1\""]).bytes == body)
        #expect(server.requestCount("/a") == 2)
    }

    @Test func a304ThatNobodyAskedForIsAnError() async throws {
        server.route("/a", .status(304))
        await #expect(throws: ImageError.self) { _ = try await load(nil) }
    }

    @Test func reloadingPassesCachesBy() async throws {
        server.route("/a", .ok(body))
        _ = try await load(nil, policy: .reload)
        let request = try #require(server.ledger.requests.first)
        #expect(request.fields["Cache-Control"] == "no-cache")
        #expect(request.fields["Pragma"] == "no-cache")
    }

    @Test func whatMayNotBeKeptIsMarked() async throws {
        server.route("/a", .ok(body, fields: ["Cache-Control": "no-store"]))
        #expect(try await !load(nil).isCacheable)
        #expect(try await load(nil, policy: .cached).isCacheable)
        #expect(try await load(nil, policy: .refresh).isCacheable)
    }

    @Test func onlyIfCachedAsksNobody() async throws {
        server.route("/a", .ok(body))
        let probe = LoadProbe(downloader, server.url("/a")) { $0.cachePolicy = .onlyIfCached }
        #expect(await probe.error?.code == .notInCache)
        #expect(server.ledger.requests.isEmpty)
    }

    /// The whole way: stored, stale, asked about, fresh again.
    @Test func theRoundOfAnEntry() async throws {
        server.route(
            "/a",
            [
                .ok(body, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=10", "Vary": "X-Size"]),
                .status(304, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=1000"]),
            ]
        )
        let headers: HTTPFields = ["X-Size": "2"]
        let policy = HTTPCachePolicy.useProtocol
        let first = try await load(nil, headers: headers)
        var entry = CachedData(bytes: first.bytes, response: first.response, storedAt: time.wall)
        let now = time.wall
        #expect(policy.decision(for: entry, request: headers, at: now) == .use)
        #expect(policy.decision(for: entry, request: ["X-Size": "3"], at: now) == .fetch)
        time.advance(by: .seconds(100))
        let later = time.wall
        #expect(policy.decision(for: entry, request: headers, at: later) == .revalidate)
        let probe = LoadProbe(downloader, server.url("/a")) {
            $0.known = entry.response
            $0.cachePolicy = policy
            $0.headers = headers
        }
        let confirmed = try await probe.result.get()
        #expect(confirmed.isNotModified)
        entry = entry.confirmed(by: confirmed, at: later)
        #expect(entry.bytes == body)
        #expect(policy.decision(for: entry, request: headers, at: later) == .use)
    }
}
