import FoundationEssentials
import KuvaCore
import Testing

private let received = Date(timeIntervalSince1970: 784_111_777)

private func response(_ fields: HTTPFields, status: Int = 200) -> StoredResponse {
    StoredResponse(
        // A text that is always a URL.
        url: URL(string: "https://example.org/a")!,
        status: status,
        fields: fields,
        requestTime: received,
        responseTime: received
    )
}

@Suite("Storing answers (RFC 9111 §3)")
struct StoringTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var section: String
        var fields: HTTPFields
        var status = 200
        var method = "GET"
        var request: HTTPFields = [:]
        var expected: Bool
        var testDescription: String { "\(section): \(method) \(status) \(fields.fields.map(\.value))" }
    }

    static let cases = [
        Case(section: "§3 heuristic", fields: [:], expected: true),
        Case(section: "§3 method", fields: ["Cache-Control": "max-age=60"], method: "POST", expected: false),
        Case(section: "§3 interim", fields: ["Cache-Control": "max-age=60"], status: 103, expected: false),
        Case(
            section: "§3.3 parts are not kept as wholes",
            fields: ["Cache-Control": "max-age=60"],
            status: 206,
            expected: false
        ),
        Case(
            section: "§3 explicit time for any final status",
            fields: ["Cache-Control": "max-age=60"],
            status: 418,
            expected: true
        ),
        Case(section: "§3 Expires", fields: ["Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], status: 302, expected: true),
        Case(section: "§3 nothing said", fields: [:], status: 302, expected: false),
        Case(section: "§3 nothing said", fields: [:], status: 500, expected: false),
        Case(section: "§3 public", fields: ["Cache-Control": "public"], status: 302, expected: true),
        Case(section: "§3 private, if not shared", fields: ["Cache-Control": "private"], status: 302, expected: true),
        Case(section: "§4.2.2 404 by heuristics", fields: [:], status: 404, expected: true),
        Case(section: "§5.2.2.5 no-store", fields: ["Cache-Control": "no-store, max-age=60"], expected: false),
        Case(
            section: "§5.2.1.5 no-store of the request",
            fields: ["Cache-Control": "max-age=60"],
            request: ["Cache-Control": "no-store"],
            expected: false
        ),
        Case(
            section: "§5.2.2.3 must-understand beside no-store",
            fields: ["Cache-Control": "must-understand, no-store, max-age=60"],
            expected: true
        ),
        Case(
            section: "§5.2.2.3 must-understand, not understood",
            fields: ["Cache-Control": "must-understand, max-age=60"],
            status: 299,
            expected: false
        ),
        Case(
            section: "§3.5 Authorization limits shared caches only",
            fields: ["Cache-Control": "max-age=60"],
            request: ["Authorization": "Basic eA=="],
            expected: true
        ),
    ]

    @Test(arguments: cases) func mayBeStored(_ entry: Case) {
        let answer = response(entry.fields, status: entry.status)
        #expect(answer.mayBeStored(method: entry.method, request: entry.request) == entry.expected)
    }

    @Test func onlyTheProtocolForbidsKeeping() {
        let answer = response(["Cache-Control": "no-store"])
        #expect(!HTTPCachePolicy.useProtocol.mayStore(answer))
        for policy in [HTTPCachePolicy.cached, .refresh, .reload] { #expect(policy.mayStore(answer)) }
    }

    /// RFC 9111 §3.1.
    @Test func fieldsOfTheConnectionAreNotKept() {
        let answer = response([
            "Connection": "close, X-Hop", "X-Hop": "1", "Keep-Alive": "5", "Proxy-Authenticate": "Basic",
            "ETag": "\"1\"",
        ])
        #expect(answer.storable.fields.fields.map(\.name) == ["ETag"])
    }
}

@Suite("Confirming answers (RFC 9111 §4.3)")
struct ConfirmingTests {
    /// §4.3.1.
    @Test func conditions() {
        #expect(response(["ETag": "W/\"1\""]).conditions.fields.map(\.value) == ["W/\"1\""])
        let both = response(["ETag": "\"1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]).conditions
        #expect(both["If-None-Match"] == "\"1\"")
        #expect(both["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(response([:]).conditions.isEmpty)
    }

    /// §4.3.4 and §3.2.
    @Test func a304BringsTheFieldsUpToDate() {
        let old = response([
            "ETag": "\"1\"", "Cache-Control": "max-age=5", "Content-Length": "100", "Content-Type": "image/png",
            "Age": "99",
        ])
        var news = response(
            [
                "etag": "\"1\"", "Cache-Control": "max-age=60", "Content-Length": "0", "Content-Encoding": "br",
                "Connection": "X", "X": "1", "Expires": "0",
            ],
            status: 304
        )
        news.requestTime = received.addingTimeInterval(100)
        news.responseTime = news.requestTime
        let merged = old.updated(by: news)
        #expect(old.isConfirmed(by: news))
        #expect(merged.status == 200)
        #expect(merged.fields["Cache-Control"] == "max-age=60")
        #expect(merged.fields["Content-Length"] == "100")
        #expect(merged.fields["Content-Encoding"] == nil)
        #expect(merged.fields["Content-Type"] == "image/png")
        #expect(merged.fields["X"] == nil)
        #expect(merged.fields["Expires"] == "0")
        #expect(merged.fields["Age"] == nil)
        #expect(merged.isFresh(at: received.addingTimeInterval(159)))
        #expect(!merged.isFresh(at: received.addingTimeInterval(161)))
    }

    /// §3.2: lines of one name are replaced together.
    @Test func severalLinesReplaceSeveral() {
        var old = HTTPFields()
        for value in ["a", "b"] { old.append(name: "X", value: value) }
        var news = HTTPFields()
        for value in ["c", "d", "e"] { news.append(name: "x", value: value) }
        #expect(response(old).updated(by: response(news, status: 304)).fields.values(of: "X") == ["c", "d", "e"])
    }

    /// §4.3.4; RFC 9110 §8.8.3.2 for the comparison.
    @Test func aTagOfAnotherAnswerConfirmsNothing() {
        let old = response(["ETag": "\"1\""])
        #expect(!old.isConfirmed(by: response(["ETag": "\"2\""], status: 304)))
        #expect(old.isConfirmed(by: response(["ETag": "W/\"1\""], status: 304)))
        #expect(old.isConfirmed(by: response([:], status: 304)))
    }

    @Test func theEntryToStoreHasTheOldBytes() {
        let entry = CachedData(bytes: Data([7]), response: response(["ETag": "\"1\""]), storedAt: received)
        let news = response(["ETag": "\"1\"", "Cache-Control": "max-age=9"])
        let now = received.addingTimeInterval(50)
        let confirmed = entry.confirmed(by: LoadedData(bytes: Data(), response: news, isNotModified: true), at: now)
        #expect(confirmed.bytes == Data([7]))
        #expect(confirmed.response == news)
        #expect(confirmed.storedAt == now)
    }
}

@Suite("Stale answers instead of errors (RFC 9111 §4.2.4, RFC 5861 §4)")
struct StaleInsteadOfErrorTests {
    private func isUsed(_ control: String, _ error: ImageError, later: Double = 100, request: HTTPFields = [:]) -> Bool
    {
        response(["Cache-Control": control]).mayBeUsed(
            insteadOf: error,
            policy: .useProtocol,
            request: request,
            at: received.addingTimeInterval(later)
        )
    }

    private let offline = ImageError(.cannotConnect, "no network")
    private func status(_ status: Int) -> ImageError { ImageError(.httpStatus, "status", httpStatus: status) }

    @Test func outOfReach() {
        #expect(isUsed("max-age=1", offline))
        #expect(!isUsed("max-age=1, must-revalidate", offline))
        #expect(!isUsed("no-cache", offline))
        #expect(!isUsed("max-age=1", ImageError(.tlsFailed, "not trusted")))
        #expect(!isUsed("max-age=1", ImageError(.cancelled, "not wanted")))
    }

    @Test func errorsOfTheServer() {
        for code in [500, 502, 503, 504] { #expect(isUsed("max-age=1, stale-if-error=100", status(code))) }
        for code in [400, 404, 410, 501] { #expect(!isUsed("max-age=1, stale-if-error=100", status(code))) }
        #expect(isUsed("max-age=10, stale-if-error=90", status(503), later: 100))
        #expect(!isUsed("max-age=10, stale-if-error=90", status(503), later: 101))
        #expect(!isUsed("max-age=1", status(503)))
        #expect(isUsed("max-age=1", status(503), request: ["Cache-Control": "stale-if-error=100"]))
        #expect(!isUsed("max-age=1, stale-if-error=100, must-revalidate", status(503)))
    }

    @Test func withoutTheProtocolOldIsBetterThanNone() {
        let old = response(["Cache-Control": "max-age=0"])
        #expect(old.mayBeUsed(insteadOf: status(404), policy: .refresh, at: received))
        #expect(!old.mayBeUsed(insteadOf: status(404), policy: .reload, at: received))
    }
}

@Suite("Cache policies")
struct HTTPCachePolicyTests {
    @Test func misses() {
        for policy in [HTTPCachePolicy.cached, .useProtocol, .refresh, .reload] {
            #expect(policy.decision(for: nil, at: received) == .fetch)
        }
        #expect(HTTPCachePolicy.onlyIfCached.decision(for: nil, at: received) == .notInCache)
        let request: HTTPFields = ["Cache-Control": "only-if-cached"]
        #expect(HTTPCachePolicy.useProtocol.decision(for: nil, request: request, at: received) == .notInCache)
    }

    @Test func refreshAsksAfterwards() {
        func decision(_ fields: HTTPFields, _ later: Double) -> HTTPCacheDecision {
            let entry = CachedData(bytes: Data([1]), response: response(fields), storedAt: received)
            return HTTPCachePolicy.refresh.decision(for: entry, at: received.addingTimeInterval(later))
        }
        #expect(decision(["Cache-Control": "max-age=60"], 1) == .useThenRevalidate)
        // RFC 8246 §2: what is immutable is not asked for while it is fresh.
        #expect(decision(["Cache-Control": "max-age=60, immutable"], 1) == .use)
        #expect(decision(["Cache-Control": "max-age=60, immutable"], 61) == .useThenRevalidate)
    }

    @Test func whatDidNotComeByHTTPIsUsed() {
        let entry = CachedData(bytes: Data([1]), storedAt: received)
        for policy in [HTTPCachePolicy.cached, .useProtocol, .refresh, .onlyIfCached] {
            #expect(policy.decision(for: entry, at: received) == .use)
        }
    }
}

@Suite("HTTP dates (RFC 9110 §5.6.7)")
struct HTTPDateTests {
    @Test func theThreeForms() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            #expect(HTTPDate.parse(text) == received)
        }
        #expect(HTTPDate.format(received) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.format(Date(timeIntervalSince1970: 951_782_400)) == "Tue, 29 Feb 2000 00:00:00 GMT")
        #expect(HTTPDate.format(Date(timeIntervalSince1970: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
    }

    /// A two-digit year is never more than 50 years ahead.
    @Test func twoDigitYears() {
        let text = "Sunday, 06-Nov-94 08:49:37 GMT"
        #expect(HTTPDate.parse(text, now: Date(timeIntervalSince1970: 1_700_000_000)) == received)
        let in2050 = Date(timeIntervalSince1970: 2_524_608_000)
        #expect(HTTPDate.parse(text, now: in2050) == Date(timeIntervalSince1970: 3_939_871_777))
    }

    @Test(arguments: [
        "", "0", "-1", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    ])
    func nonsense(_ text: String) { #expect(HTTPDate.parse(text) == nil) }
}
