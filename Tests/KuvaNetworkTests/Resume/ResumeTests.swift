import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

/// Transfers that break and go on. Re-expresses Nuke's pipeline tests of resuming (names in brackets); its
/// previewsAreDeliveredWhenTheDownloadIsResumed is here in terms of bytes, since the decoder is another module's.
@Suite("Resuming", .timeLimit(.minutes(10)))
struct ResumeTests {
    private let server: LoopbackServer
    private let body = pattern(100_000)
    private let folder = FileManager.default.temporaryDirectory.appending(path: "resume-\(UUID().uuidString)").path()
    private static let resumable: HTTPFields = ["ETag": "\"v1\"", "Accept-Ranges": "bytes"]

    init() throws { server = try LoopbackServer() }

    private func store() throws -> ResumeStore {
        var limits = ResumeStore.Limits()
        limits.minimumByteCount = 1
        return try ResumeStore(path: folder, limits: limits)
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// An answer that says its right length and ends after `count` bytes.
    private func cut(_ count: Int, fields: HTTPFields = resumable) -> ScriptedResponse {
        var head = fields
        head["Content-Length"] = "\(body.count)"
        head["Content-Type"] = "image/jpeg"
        return ScriptedResponse([.send(ScriptedResponse.head(200, head) + body.prefix(count)), .close])
    }

    /// The rest of the body as asked for, or the whole if another one is meant.
    private func rest(_ request: ReceivedRequest, tag: String = "\"v1\"", change: (inout HTTPFields) -> Void = { _ in })
        -> ScriptedResponse
    {
        guard let range = request.fields["Range"], request.fields["If-Range"] == tag,
            let start = Int(range.dropFirst("bytes=".count).dropLast())
        else { return .ok(body, fields: ["ETag": tag, "Accept-Ranges": "bytes"]) }
        var fields: HTTPFields = ["ETag": tag, "Content-Range": "bytes \(start)-\(body.count - 1)/\(body.count)"]
        change(&fields)
        return .status(206, body.dropFirst(start), fields: fields)
    }

    /// Routes a first answer that breaks off at 60,000 bytes, and later ones.
    private func route(_ later: @escaping @Sendable (ReceivedRequest) -> ScriptedResponse) {
        let count = Lock(0)
        let first = cut(60_000)
        server.route("/a") { request in
            count.withLock { $0 += 1 }
            return count.withLock { $0 } == 1 ? first : later(request)
        }
    }

    private func breakOff(_ store: ResumeStore) async throws {
        let probe = LoadProbe(try makeDownloader { $0.resumeStore = store }, server.url("/a"))
        #expect(await probe.error?.code == .connectionLost)
        await store.flush()
        #expect(store.count == 1)
    }

    /// [thatProgressIsReported], and survives the program: nothing but the folder is shared.
    @Test func goesOnWhereAnEarlierRunEnded() async throws {
        defer { remove() }
        route { rest($0) }
        try await breakOff(try store())
        let later = try store()
        let downloader = try makeDownloader { $0.resumeStore = later }
        let probe = LoadProbe(downloader, server.url("/a"), wantsBytes: true)
        let loaded = try await probe.result.get()
        #expect(loaded.bytes == body)
        #expect(probe.bytes == body)
        #expect(loaded.metrics?.resumedByteCount == 60_000)
        #expect(loaded.metrics?.transferredByteCount == 40_000)
        #expect(probe.progress.allSatisfy { $0.receivedByteCount >= 60_000 && $0.expectedByteCount == 100_000 })
        #expect(probe.progress.last?.receivedByteCount == 100_000)
        #expect(loaded.response?.status == 200)
        #expect(loaded.response?.fields["Content-Range"] == nil)
        #expect(loaded.response?.fields["Content-Length"] == "100000")
        let request = try #require(server.ledger.requests.last)
        #expect(request.fields["Range"] == "bytes=60000-")
        #expect(request.fields["If-Range"] == "\"v1\"")
        #expect(downloader.counters.resumed == 1)
        // [thatResumableDataIsntSavedIfCancelledWhenDownloadIsCompleted]
        await later.flush()
        #expect(later.count == 0)
    }

    /// [resumingRequestKeepsOtherHeadersAndReplacesRange]. Nuke replaces a range that the caller asks for; here a caller
    /// who asks for a part gets an answer to that and no other.
    @Test func otherHeadersStayAndACallersRangeIsItsOwn() async throws {
        defer { remove() }
        route { rest($0) }
        let store = try store()
        try await breakOff(store)
        let downloader = try makeDownloader { $0.resumeStore = store }
        let part = LoadProbe(downloader, server.url("/a")) { $0.headers["Range"] = "bytes=0-99" }
        _ = await part.result
        #expect(server.ledger.requests.last?.fields["Range"] == "bytes=0-99")
        #expect(server.ledger.requests.last?.fields["If-Range"] == nil)
        let whole = LoadProbe(downloader, server.url("/a")) { $0.headers["Authorization"] = "Bearer token" }
        #expect(try await whole.result.get().bytes == body)
        #expect(server.ledger.requests.last?.fields["Range"] == "bytes=60000-")
        #expect(server.ledger.requests.last?.fields["Authorization"] == "Bearer token")
    }

    @Test func aChangedPictureStartsOver() async throws {
        defer { remove() }
        let changed = pattern(70_000, seed: 9)
        route { _ in .ok(changed, fields: ["ETag": "\"v2\"", "Accept-Ranges": "bytes"]) }
        let store = try store()
        try await breakOff(store)
        let probe = LoadProbe(try makeDownloader { $0.resumeStore = store }, server.url("/a"), wantsBytes: true)
        #expect(try await probe.result.get().bytes == changed)
        #expect(probe.bytes == changed)
        #expect(server.requestCount("/a") == 2)
        await store.flush()
        #expect(store.count == 0)
    }

    /// A part that is not the one asked for is thrown away and the whole asked for, once.
    @Test(arguments: [
        "bytes 59999-99999/100000", "bytes 60000-99998/100000", "bytes 60000-99999/100001", "bytes 0-99999/100000", "x",
    ])
    func wrongPartsStartOver(_ range: String) async throws {
        defer { remove() }
        route { request in
            request.fields["Range"] == nil ? .ok(body) : rest(request) { $0["Content-Range"] = range }
        }
        let store = try store()
        try await breakOff(store)
        let probe = LoadProbe(try makeDownloader { $0.resumeStore = store }, server.url("/a"))
        #expect(try await probe.result.get().bytes == body)
        #expect(server.requestCount("/a") == 3)
        #expect(server.ledger.requests.last?.fields["Range"] == nil)
    }

    @Test func aPartOfAnotherPictureStartsOver() async throws {
        defer { remove() }
        route { request in request.fields["Range"] == nil ? .ok(body) : rest(request) { $0["ETag"] = "\"v2\"" } }
        let store = try store()
        try await breakOff(store)
        let probe = LoadProbe(try makeDownloader { $0.resumeStore = store }, server.url("/a"))
        #expect(try await probe.result.get().bytes == body)
        #expect(server.requestCount("/a") == 3)
    }

    /// A server that has less now than we have does not make us ask the same for ever.
    @Test func aRefusedRangeStartsOver() async throws {
        defer { remove() }
        route { request in request.fields["Range"] == nil ? .ok(body) : .status(416) }
        let store = try store()
        try await breakOff(store)
        let probe = LoadProbe(try makeDownloader { $0.resumeStore = store }, server.url("/a"))
        #expect(try await probe.result.get().bytes == body)
        await store.flush()
        #expect(store.count == 0)
    }

    @Test func canBreakTwice() async throws {
        defer { remove() }
        let count = Lock(0)
        route { request in
            let number = count.withLock { count -> Int in
                count += 1
                return count
            }
            guard number == 1 else { return rest(request) }
            let head = ScriptedResponse.head(
                206,
                ["ETag": "\"v1\"", "Content-Range": "bytes 60000-99999/100000", "Content-Length": "40000"]
            )
            return ScriptedResponse([.send(head + body[60_000..<80_000]), .close])
        }
        let store = try store()
        try await breakOff(store)
        try await breakOff(store)
        let probe = LoadProbe(try makeDownloader { $0.resumeStore = store }, server.url("/a"))
        let loaded = try await probe.result.get()
        #expect(loaded.bytes == body)
        #expect(loaded.metrics?.resumedByteCount == 80_000)
        #expect(server.ledger.requests.map { $0.fields["Range"] } == [nil, "bytes=60000-", "bytes=80000-"])
    }

    /// [resumableDataIsKeptWhenCancelledBeforeServerResponds]
    @Test func whatWasThereStaysWhenNothingNewComes() async throws {
        defer { remove() }
        let gate = Gate()
        route { rest($0).held(by: gate) }
        let store = try store()
        try await breakOff(store)
        let downloader = try makeDownloader { $0.resumeStore = store }
        let probe = LoadProbe(downloader, server.url("/a"))
        try await server.until { $0.count("/a") == 2 }
        probe.cancel()
        #expect(await probe.error?.code == .cancelled)
        gate.open()
        let again = LoadProbe(downloader, server.url("/a"))
        #expect(try await again.result.get().metrics?.resumedByteCount == 60_000)
    }

    @Test func aCancelledTransferIsKeptToo() async throws {
        defer { remove() }
        let gate = Gate()
        var head = Self.resumable
        head["Content-Length"] = "\(body.count)"
        server.route(
            "/a",
            ScriptedResponse([.send(ScriptedResponse.head(200, head) + body.prefix(30_000)), .wait(gate)])
        )
        let store = try store()
        let downloader = try makeDownloader { $0.resumeStore = store }
        let probe = LoadProbe(downloader, server.url("/a"))
        while probe.progress.last?.receivedByteCount != 30_000, !Task.isCancelled { await Task.yield() }
        probe.cancel()
        #expect(await probe.error?.code == .cancelled)
        await store.flush()
        #expect(store.count == 1)
    }

    /// Each missing precondition, and what cannot be resumed at all, leaves nothing behind.
    @Test(
        arguments: [
            ["ETag": "\"v1\""], ["Accept-Ranges": "bytes"], ["ETag": "\"v1\"", "Accept-Ranges": "none"],
            ["ETag": "W/\"v1\"", "Accept-Ranges": "bytes"],
        ] as [HTTPFields]
    )
    func whatCannotBeResumedIsNotKept(_ fields: HTTPFields) async throws {
        defer { remove() }
        server.route("/a", cut(60_000, fields: fields))
        let store = try store()
        let probe = LoadProbe(try makeDownloader { $0.resumeStore = store }, server.url("/a"))
        #expect(await probe.error?.code == .connectionLost)
        await store.flush()
        #expect(store.count == 0)
    }

    /// Within one load a retry goes on from memory, and who watches sees no byte twice.
    @Test func aRetryGoesOnWithoutAGap() async throws {
        route { rest($0) }
        let downloader = try makeDownloader {
            $0.retry = RetryPolicy()
            $0.retry.firstDelay = .zero
        }
        let probe = LoadProbe(downloader, server.url("/a"), wantsBytes: true)
        let loaded = try await probe.result.get()
        #expect(loaded.bytes == body)
        #expect(probe.bytes == body)
        #expect(loaded.metrics?.retryCount == 1)
        #expect(loaded.metrics?.resumedByteCount == 60_000)
        let counts = probe.progress.map(\.receivedByteCount)
        #expect(counts == counts.sorted())
    }

    /// A body that starts over after bytes have gone out sends no more of them.
    @Test func aRetryThatStartsOverSendsNoMoreBytes() async throws {
        let other = pattern(90_000, seed: 5)
        route { _ in .ok(other) }
        let downloader = try makeDownloader {
            $0.retry = RetryPolicy()
            $0.retry.firstDelay = .zero
        }
        let probe = LoadProbe(downloader, server.url("/a"), wantsBytes: true)
        #expect(try await probe.result.get().bytes == other)
        #expect(probe.bytes == body.prefix(60_000))
    }

    @Test func whatIsGoneIsForgotten() async throws {
        defer { remove() }
        route { _ in .status(404) }
        let store = try store()
        try await breakOff(store)
        let probe = LoadProbe(try makeDownloader { $0.resumeStore = store }, server.url("/a"))
        #expect(await probe.error?.httpStatus == 404)
        await store.flush()
        #expect(store.count == 0)
    }
}
