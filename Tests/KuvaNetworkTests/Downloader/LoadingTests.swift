import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("Loading", .timeLimit(.minutes(10)))
struct LoadingTests {
    private let server: LoopbackServer
    private let downloader: Downloader
    private let body = pattern(300_000)

    init() throws {
        server = try LoopbackServer()
        downloader = try makeDownloader()
    }

    @Test func deliversTheWholeBodyAndWhatTheServerSaid() async throws {
        server.route("/a.jpg", .ok(body, fields: ["ETag": "\"1\"", "X-Twice": "a", "x-empty": ""]))
        let probe = LoadProbe(downloader, server.url("/a.jpg?size=2"))
        let loaded = try await probe.result.get()
        #expect(loaded.bytes == body)
        #expect(loaded.isCacheable)
        let response = try #require(loaded.response)
        #expect(response.url == server.url("/a.jpg?size=2"))
        #expect(response.status == 200)
        #expect(response.mediaType == "image/jpeg")
        #expect(response.fields["etag"] == "\"1\"")
        #expect(response.fields["X-Empty"] == "")
        #expect(response.fields["Content-Length"] == "300000")
        #expect(response.requestTime <= response.responseTime)
        #expect(server.requestCount("/a.jpg") == 1)
        #expect(downloader.currentLoadCount == 0)
    }

    @Test func askingSaysWhoAsksAndForWhat() async throws {
        server.route("/a", .ok(body))
        _ = await LoadProbe(downloader, server.url("/a")).result
        let request = try #require(server.ledger.requests.first)
        #expect(request.method == "GET")
        #expect(request.fields["Host"] == "127.0.0.1:\(server.port)")
        #expect(request.fields["User-Agent"]?.hasPrefix("Kuva") == true)
        let accept = try #require(request.fields["Accept"])
        for type in ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"] {
            #expect(accept.contains(type))
        }
        let codings = try #require(request.fields["Accept-Encoding"])
        #expect(codings.contains("gzip"))
        #expect(codings.contains("br"))
        #expect(request.fields["Cookie"] == nil)
    }

    @Test func progressRisesToTheLength() async throws {
        let gate = Gate()
        let pieces = (0..<10).map { body[($0 * 30_000)..<(($0 + 1) * 30_000)] }
        server.route("/drip", .dripping(pieces, through: gate))
        let probe = LoadProbe(downloader, server.url("/drip"))
        gate.open()
        #expect(try await probe.result.get().bytes == body)
        let counts = probe.progress.map(\.receivedByteCount)
        #expect(counts == counts.sorted())
        #expect(Set(counts).count == counts.count)
        #expect(counts.last == 300_000)
        #expect(probe.progress.allSatisfy { $0.expectedByteCount == 300_000 })
        #expect(probe.eventsAfterEnd == 0)
    }

    @Test func bytesComeAsTheyArriveForWhoWantsThem() async throws {
        let gate = Gate(isOpen: true)
        let pieces = (0..<10).map { body[($0 * 30_000)..<(($0 + 1) * 30_000)] }
        server.route("/drip", .dripping(pieces, through: gate))
        let wanting = LoadProbe(downloader, server.url("/drip"), wantsBytes: true)
        #expect(try await wanting.result.get().bytes == body)
        #expect(wanting.bytes == body)
        let other = LoadProbe(downloader, server.url("/drip"))
        #expect(try await other.result.get().bytes == body)
        #expect(other.bytes.isEmpty)
    }

    @Test func progressHasALeastInterval() async throws {
        let gate = Gate()
        let pieces = (0..<100).map { body[($0 * 3000)..<(($0 + 1) * 3000)] }
        server.route("/drip", .dripping(pieces, through: gate))
        let downloader = try makeDownloader { $0.minimumProgressInterval = 0.25 }
        let probe = LoadProbe(downloader, server.url("/drip"))
        gate.open()
        _ = try await probe.result.get()
        let counts = [0] + probe.progress.map(\.receivedByteCount)
        #expect(counts.count <= 5)
        #expect(counts.last == 300_000)
        for (earlier, later) in zip(counts, counts.dropFirst()) where later < 300_000 {
            #expect(later - earlier >= 75_000)
        }
    }

    @Test func bodiesWithoutLengthAreWholeToo() async throws {
        server.route("/chunked", .chunked([body.prefix(7), body.dropFirst(7)]))
        server.route("/open", .withoutLength(body))
        for path in ["/chunked", "/open"] {
            let probe = LoadProbe(downloader, server.url(path))
            #expect(try await probe.result.get().bytes == body)
            #expect(probe.progress.dropLast().allSatisfy { $0.expectedByteCount == nil })
            #expect(probe.progress.last?.receivedByteCount == 300_000)
        }
    }

    @Test(.enabled(if: Tool.isInstalled("/usr/bin/gzip"))) func compressedBodiesAreUndone() async throws {
        let text = Data(String(repeating: "<svg xmlns='http://www.w3.org/2000/svg'/>", count: 500).utf8)
        let packed = try await Tool.run("/usr/bin/gzip", ["-c"], input: text)
        server.route("/a.svg", .ok(packed, type: "image/svg+xml", fields: ["Content-Encoding": "gzip"]))
        let probe = LoadProbe(downloader, server.url("/a.svg"))
        #expect(try await probe.result.get().bytes == text)
        #expect(probe.progress.last?.receivedByteCount == Int64(text.count))
    }

    @Test func connectionsAreUsedAgain() async throws {
        server.route("/a", .ok(body))
        for _ in 0..<20 { _ = try await LoadProbe(downloader, server.url("/a")).result.get() }
        #expect(server.ledger.connectionCount == 1)
        #expect(server.requestCount("/a") == 20)
    }

    /// What previews are made of: the first half is there before the second, though nobody knows how long the whole is.
    @Test func bytesOfUnknownLengthComeAsTheyArrive() async throws {
        let gate = Gate()
        func chunk(_ bytes: Data) -> Data {
            Data("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Data("\r\n".utf8)
        }
        let head = ScriptedResponse.head(200, ["Content-Type": "image/jpeg", "Transfer-Encoding": "chunked"])
        let rest = chunk(body.dropFirst(1000)) + Data("0\r\n\r\n".utf8)
        server.route("/a", ScriptedResponse([.send(head + chunk(body.prefix(1000))), .wait(gate), .send(rest)]))
        let probe = LoadProbe(downloader, server.url("/a"), wantsBytes: true)
        while probe.progress.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(probe.bytes == body.prefix(1000))
        #expect(probe.progress.first == LoadProgress(receivedByteCount: 1000, expectedByteCount: nil))
        gate.open()
        #expect(try await probe.result.get().bytes == body)
        #expect(probe.bytes == body)
    }

    /// The numbers of closed sockets come back for new ones.
    @Test func connectionsThatEndAreMadeAnew() async throws {
        server.route("/a", .ok(body.prefix(5000), fields: ["Connection": "close"]).closing())
        let probes = (0..<200).map { LoadProbe(downloader, server.url("/a?\($0)")) }
        for probe in probes { #expect(try await probe.result.get().bytes == body.prefix(5000)) }
        #expect(server.ledger.connectionCount >= 200)
        let named = try #require(URL(string: "http://localhost:\(server.port)/a"))
        for _ in 0..<5 { #expect(try await LoadProbe(downloader, named).result.get().bytes == body.prefix(5000)) }
    }

    @Test func loadsOutliveTheDownloader() async throws {
        let gate = Gate()
        server.route("/a", .ok(body).held(by: gate))
        var downloader: Downloader? = try makeDownloader { $0.maximumConcurrentLoads = 1 }
        let loader = try #require(downloader)
        let probes = (0..<3).map { _ in LoadProbe(loader, server.url("/a")) }
        weak let weakLoader = loader
        downloader = nil
        _ = consume loader
        #expect(weakLoader == nil)
        gate.open()
        for probe in probes { #expect(try await probe.result.get().bytes == body) }
    }

    /// A caller may keep the handle in what its handler holds.
    @Test func handlerIsLetGoOfAtTheEnd() async throws {
        final class Caller: Sendable {
            let handle = Lock<(any LoadHandle)?>(nil)
        }
        server.route("/a", .ok(Data("body".utf8)))
        let downloader = try makeDownloader()
        weak var weakCaller: Caller?
        await withCheckedContinuation { ended in
            let caller = Caller()
            weakCaller = caller
            let handle = downloader.load(LoadRequest(url: server.url("/a"))) { [caller] event in
                guard case .finished = event else { return }
                caller.handle.withLock { $0?.setPriority(.low) }
                ended.resume()
            }
            caller.handle.withLock { $0 = handle }
        }
        // The network thread lets go of the handler when the call has come back, before it looks at the next load.
        _ = await LoadProbe(downloader, server.url("/a")).result
        #expect(weakCaller == nil)
    }

    @Test func takesOnlyWebAddresses() throws {
        func canLoad(_ text: String) -> Bool { URL(string: text).map(downloader.canLoad) ?? false }
        #expect(canLoad("http://a/"))
        #expect(canLoad("HTTPS://a/"))
        #expect(!canLoad("file:///a"))
        #expect(!canLoad("ftp://a/"))
        #expect(!canLoad("a.jpg"))
    }
}
