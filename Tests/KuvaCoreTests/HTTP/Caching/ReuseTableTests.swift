import FoundationEssentials
import KuvaCore
import Testing

/// One answer, one request and what RFC 9111 says about using the first for the second.
///
/// All answers came at 784111777 s after 1970 (the date of RFC 9110 §5.6.7) unless `received` says otherwise.
struct ReuseCase: Sendable, CustomTestStringConvertible {
    var section: String
    var what: String
    var answer: HTTPFields
    var status = 200
    var request: HTTPFields = [:]
    var selecting: HTTPFields = [:]
    /// Seconds from sending the request to the answer.
    var delay = 0.0
    /// Seconds since the answer came.
    var later: Double
    var expected: HTTPCacheDecision

    var testDescription: String { "\(section): \(what)" }

    init(
        _ section: String,
        _ what: String,
        _ answer: HTTPFields,
        status: Int = 200,
        request: HTTPFields = [:],
        selecting: HTTPFields = [:],
        delay: Double = 0,
        later: Double,
        _ expected: HTTPCacheDecision
    ) {
        (self.section, self.what, self.answer, self.status) = (section, what, answer, status)
        (self.request, self.selecting, self.delay, self.later) = (request, selecting, delay, later)
        self.expected = expected
    }
}

private let now = "Sun, 06 Nov 1994 08:49:37 GMT"
private let tag: HTTPFields = ["ETag": "\"1\"", "Date": now]

/// Fields that every server sends, and those given.
private func with(_ fields: HTTPFields) -> HTTPFields {
    HTTPFields(tag.fields + fields.fields)
}

@Suite("Reuse of stored answers (RFC 9111 §4)")
struct ReuseTableTests {
    static let cases: [ReuseCase] = [
        // Freshness.
        .init("§4.2", "younger than its lifetime", with(["Cache-Control": "max-age=60"]), later: 59, .use),
        .init("§4.2", "as old as its lifetime is stale", with(["Cache-Control": "max-age=60"]), later: 60, .revalidate),
        .init(
            "§4.2.1",
            "max-age before Expires",
            with(["Cache-Control": "max-age=10", "Expires": "Sun, 06 Nov 1994 09:49:37 GMT"]),
            later: 20,
            .revalidate
        ),
        .init(
            "§4.2.1",
            "max-age overrides a past Expires",
            with(["Cache-Control": "max-age=60", "Expires": "Sun, 06 Nov 1994 07:49:37 GMT"]),
            later: 20,
            .use
        ),
        .init("§4.2.1", "Expires less Date", with(["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"]), later: 59, .use),
        .init("§4.2.1", "Expires passed", with(["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"]), later: 61, .revalidate),
        .init(
            "§4.2.1",
            "the first of two max-age counts",
            with(["Cache-Control": "max-age=60, max-age=1"]),
            later: 30,
            .use
        ),
        .init(
            "§4.2.1",
            "the first of two max-age counts",
            with(["Cache-Control": "max-age=1, max-age=60"]),
            later: 30,
            .revalidate
        ),
        .init(
            "§4.2.1",
            "a max-age that is no number is stale",
            with(["Cache-Control": "max-age=long"]),
            later: 0,
            .revalidate
        ),
        .init("§4.2.1", "a negative max-age is stale", with(["Cache-Control": "max-age=-1"]), later: 0, .revalidate),
        .init(
            "§4.2.1",
            "a max-age with a fraction is stale",
            with(["Cache-Control": "max-age=9.5"]),
            later: 0,
            .revalidate
        ),
        .init(
            "§4.2.1",
            "s-maxage is for shared caches",
            with(["Cache-Control": "s-maxage=600, max-age=10"]),
            later: 20,
            .revalidate
        ),
        .init(
            "§1.2.2",
            "too large a number is 2^31 seconds",
            with(["Cache-Control": "max-age=99999999999999999999"]),
            later: 2_147_483_647,
            .use
        ),
        .init(
            "§1.2.2",
            "too large a number is 2^31 seconds",
            with(["Cache-Control": "max-age=99999999999999999999"]),
            later: 2_147_483_649,
            .revalidate
        ),
        .init(
            "§4.2.2",
            "a tenth of the time since the change",
            with(["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"]),
            later: 99,
            .use
        ),
        .init(
            "§4.2.2",
            "a tenth of the time since the change",
            with(["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"]),
            later: 101,
            .revalidate
        ),
        .init("§4.2.2", "no guess without a date of change", with([:]), later: 0, .revalidate),
        .init(
            "§4.2.2",
            "no guess with an explicit time",
            with(["Cache-Control": "max-age=5", "Last-Modified": "Sun, 06 Nov 1984 08:32:57 GMT"]),
            later: 6,
            .revalidate
        ),
        .init(
            "§4.2.2",
            "no guess for a status that does not allow it",
            with(["Last-Modified": "Sun, 06 Nov 1984 08:32:57 GMT"]),
            status: 302,
            later: 0,
            .revalidate
        ),
        .init(
            "§4.2.2",
            "public allows a guess for any status",
            with(["Last-Modified": "Sun, 06 Nov 1984 08:32:57 GMT", "Cache-Control": "public"]),
            status: 302,
            later: 1,
            .use
        ),
        .init(
            "§4.2.2",
            "a change after the answer gives nothing",
            with(["Last-Modified": "Sun, 06 Nov 1994 09:32:57 GMT"]),
            later: 0,
            .revalidate
        ),
        // Age.
        .init("§4.2.3", "Age counts", with(["Cache-Control": "max-age=60", "Age": "30"]), later: 29, .use),
        .init("§4.2.3", "Age counts", with(["Cache-Control": "max-age=60", "Age": "30"]), later: 31, .revalidate),
        .init(
            "§4.2.3",
            "the delay of the answer counts on top of Age",
            with(["Cache-Control": "max-age=60", "Age": "30"]),
            delay: 20,
            later: 11,
            .revalidate
        ),
        .init(
            "§4.2.3",
            "the delay of the answer counts",
            with(["Cache-Control": "max-age=60"]),
            delay: 20,
            later: 41,
            .revalidate
        ),
        .init(
            "§4.2.3",
            "apparent age counts when Age is less",
            ["ETag": "\"1\"", "Date": "Sun, 06 Nov 1994 08:48:47 GMT", "Age": "5", "Cache-Control": "max-age=60"],
            later: 11,
            .revalidate
        ),
        .init(
            "§4.2.3",
            "a Date ahead of ours gives no negative age",
            ["ETag": "\"1\"", "Date": "Sun, 06 Nov 1994 09:49:37 GMT", "Cache-Control": "max-age=60"],
            later: 59,
            .use
        ),
        .init(
            "§4.2.3",
            "without Date the time of arrival counts",
            ["ETag": "\"1\"", "Cache-Control": "max-age=60"],
            later: 59,
            .use
        ),
        .init(
            "§5.1",
            "an Age that is no number is ignored",
            with(["Cache-Control": "max-age=60", "Age": "old"]),
            later: 59,
            .use
        ),
        .init(
            "§5.1",
            "a negative Age is ignored",
            with(["Cache-Control": "max-age=60", "Age": "-100"]),
            later: 59,
            .use
        ),
        .init(
            "§5.1",
            "the first of several Ages counts",
            with(["Cache-Control": "max-age=60", "Age": "50, 1"]),
            later: 11,
            .revalidate
        ),
        .init(
            "§4.2",
            "a clock set back makes nothing younger",
            with(["Cache-Control": "max-age=60", "Age": "59"]),
            later: -100,
            .use
        ),
        // Dates.
        .init("§5.3", "Expires: 0 is past", with(["Expires": "0"]), later: 0, .revalidate),
        .init(
            "§5.3",
            "an Expires that is no date is past",
            with(["Expires": "tomorrow", "Last-Modified": "Sun, 06 Nov 1984 08:32:57 GMT"]),
            later: 0,
            .revalidate
        ),
        .init(
            "RFC 9110 §5.6.7",
            "Expires in the form of RFC 850",
            with(["Expires": "Sunday, 06-Nov-94 08:50:37 GMT"]),
            later: 59,
            .use
        ),
        .init(
            "RFC 9110 §5.6.7",
            "Expires in the form of asctime",
            with(["Expires": "Sun Nov  6 08:50:37 1994"]),
            later: 59,
            .use
        ),
        // Directives of the answer.
        .init("§5.2", "names have no case", with(["Cache-Control": "MAX-AGE=60"]), later: 59, .use),
        .init("§5.2", "an argument may be quoted", with(["Cache-Control": "max-age=\"60\""]), later: 59, .use),
        .init(
            "§5.2",
            "a comma in quotes ends nothing",
            with(["Cache-Control": "x=\"a, no-cache, max-age=1\", max-age=60"]),
            later: 59,
            .use
        ),
        .init(
            "§5.2",
            "lines are one list",
            HTTPFields(
                tag.fields + [
                    .init(name: "Cache-Control", value: "x"), .init(name: "cache-control", value: "max-age=60"),
                ]
            ),
            later: 59,
            .use
        ),
        .init(
            "§5.2.3",
            "unknown directives are ignored",
            with(["Cache-Control": "wait=5, max-age=60"]),
            later: 59,
            .use
        ),
        .init(
            "§5.2.2.4",
            "no-cache asks although fresh",
            with(["Cache-Control": "no-cache, max-age=60"]),
            later: 1,
            .revalidate
        ),
        .init(
            "§5.2.2.4",
            "no-cache with names asks too",
            with(["Cache-Control": "no-cache=\"Set-Cookie\", max-age=60"]),
            later: 1,
            .revalidate
        ),
        .init(
            "§5.2.2.2",
            "must-revalidate changes nothing while fresh",
            with(["Cache-Control": "must-revalidate, max-age=60"]),
            later: 59,
            .use
        ),
        .init(
            "§5.2.2.2",
            "must-revalidate asks when stale, whatever the client accepts",
            with(["Cache-Control": "must-revalidate, max-age=60"]),
            request: ["Cache-Control": "max-stale"],
            later: 61,
            .revalidate
        ),
        .init(
            "§5.2.2.8",
            "proxy-revalidate is for shared caches",
            with(["Cache-Control": "proxy-revalidate, max-age=60"]),
            request: ["Cache-Control": "max-stale"],
            later: 61,
            .use
        ),
        .init("§5.2.2.7", "private is for us", with(["Cache-Control": "private, max-age=60"]), later: 59, .use),
        .init(
            "§4.3.1",
            "without a validator there is nothing to ask",
            ["Date": now, "Cache-Control": "max-age=60"],
            later: 61,
            .fetch
        ),
        .init(
            "§4.3.1",
            "Last-Modified is a validator",
            ["Date": now, "Cache-Control": "max-age=60", "Last-Modified": now],
            later: 61,
            .revalidate
        ),
        // Directives of the request.
        .init(
            "§5.2.1.1",
            "the client's max-age",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "max-age=10"],
            later: 11,
            .revalidate
        ),
        .init(
            "§5.2.1.1",
            "the client's max-age",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "max-age=10"],
            later: 10,
            .use
        ),
        .init(
            "§5.2.1.1",
            "the client's max-age makes nothing fresher",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "max-age=600"],
            later: 61,
            .revalidate
        ),
        .init(
            "§5.2.1.2",
            "max-stale without argument takes any",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "max-stale"],
            later: 6000,
            .use
        ),
        .init(
            "§5.2.1.2",
            "max-stale to its limit",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "max-stale=30"],
            later: 90,
            .use
        ),
        .init(
            "§5.2.1.2",
            "max-stale past its limit",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "max-stale=30"],
            later: 91,
            .revalidate
        ),
        .init(
            "§5.2.1.3",
            "min-fresh met",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "min-fresh=30"],
            later: 30,
            .use
        ),
        .init(
            "§5.2.1.3",
            "min-fresh not met",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "min-fresh=30"],
            later: 31,
            .revalidate
        ),
        .init(
            "§5.2.1.4",
            "the client's no-cache",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "no-cache"],
            later: 1,
            .revalidate
        ),
        .init(
            "§5.2.1.7",
            "only-if-cached with a fresh entry",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "only-if-cached"],
            later: 1,
            .use
        ),
        .init(
            "§5.2.1.7",
            "only-if-cached with a stale entry",
            with(["Cache-Control": "max-age=60"]),
            request: ["Cache-Control": "only-if-cached"],
            later: 61,
            .notInCache
        ),
        .init(
            "§5.4",
            "Pragma: no-cache of an old client",
            with(["Cache-Control": "max-age=60"]),
            request: ["Pragma": "no-cache"],
            later: 1,
            .revalidate
        ),
        .init(
            "§5.4",
            "Pragma is ignored beside Cache-Control",
            with(["Cache-Control": "max-age=60"]),
            request: ["Pragma": "no-cache", "Cache-Control": "max-age=30"],
            later: 1,
            .use
        ),
        // Vary.
        .init(
            "§4.1",
            "the same field",
            with(["Cache-Control": "max-age=60", "Vary": "Accept"]),
            request: ["Accept": "image/png"],
            selecting: ["Accept": "image/png"],
            later: 1,
            .use
        ),
        .init(
            "§4.1",
            "another value",
            with(["Cache-Control": "max-age=60", "Vary": "Accept"]),
            request: ["Accept": "image/webp"],
            selecting: ["Accept": "image/png"],
            later: 1,
            .fetch
        ),
        .init("§4.1", "absent from both", with(["Cache-Control": "max-age=60", "Vary": "Accept"]), later: 1, .use),
        .init(
            "§4.1",
            "absent from one",
            with(["Cache-Control": "max-age=60", "Vary": "accept"]),
            request: ["Accept": "image/png"],
            later: 1,
            .fetch
        ),
        .init(
            "§4.1",
            "white space between members does not matter",
            with(["Cache-Control": "max-age=60", "Vary": "Accept"]),
            request: ["Accept": "a,  b"],
            selecting: ["accept": "a,b"],
            later: 1,
            .use
        ),
        .init(
            "§4.1",
            "every named field counts",
            with(["Cache-Control": "max-age=60", "Vary": "Accept, Accept-Language"]),
            request: ["Accept": "a", "Accept-Language": "fi"],
            selecting: ["Accept": "a", "Accept-Language": "sv"],
            later: 1,
            .fetch
        ),
        .init(
            "§4.1",
            "fields not named do not",
            with(["Cache-Control": "max-age=60", "Vary": "Accept"]),
            request: ["Accept": "a", "Accept-Language": "fi"],
            selecting: ["Accept": "a"],
            later: 1,
            .use
        ),
        .init(
            "§4.1",
            "an asterisk never matches",
            with(["Cache-Control": "max-age=60", "Vary": "*"]),
            later: 1,
            .fetch
        ),
        .init(
            "§4.1",
            "a list with an asterisk never matches",
            with(["Cache-Control": "max-age=60", "Vary": "Accept, *"]),
            later: 1,
            .fetch
        ),
        // Extensions.
        .init(
            "RFC 5861 §3",
            "stale within the window",
            with(["Cache-Control": "max-age=600, stale-while-revalidate=30"]),
            later: 615,
            .useThenRevalidate
        ),
        .init(
            "RFC 5861 §3",
            "stale past the window",
            with(["Cache-Control": "max-age=600, stale-while-revalidate=30"]),
            later: 631,
            .revalidate
        ),
        .init(
            "RFC 5861 §3",
            "fresh",
            with(["Cache-Control": "max-age=600, stale-while-revalidate=30"]),
            later: 599,
            .use
        ),
        .init(
            "§5.2.2.2",
            "must-revalidate forbids the window",
            with(["Cache-Control": "max-age=600, stale-while-revalidate=30, must-revalidate"]),
            later: 615,
            .revalidate
        ),
        .init(
            "RFC 5861 §4",
            "stale-if-error alone is no leave to skip asking",
            with(["Cache-Control": "max-age=600, stale-if-error=1200"]),
            later: 900,
            .revalidate
        ),
    ]

    private static func stored(_ entry: ReuseCase) throws -> StoredResponse {
        let received = Date(timeIntervalSince1970: 784_111_777)
        return StoredResponse(
            url: try #require(URL(string: "https://example.org/a")),
            status: entry.status,
            fields: entry.answer,
            selectingFields: entry.selecting,
            requestTime: received.addingTimeInterval(-entry.delay),
            responseTime: received
        )
    }

    @Test(arguments: cases) func decision(_ entry: ReuseCase) throws {
        let response = try Self.stored(entry)
        let cached = CachedData(bytes: Data([1]), response: response, storedAt: response.responseTime)
        let then = response.responseTime.addingTimeInterval(entry.later)
        #expect(HTTPCachePolicy.useProtocol.decision(for: cached, request: entry.request, at: then) == entry.expected)
    }

    /// Cached means cached: SDWebImage's way, and the default.
    @Test(arguments: cases) func theDefaultUsesWhatIsCached(_ entry: ReuseCase) throws {
        let response = try Self.stored(entry)
        let cached = CachedData(bytes: Data([1]), response: response, storedAt: response.responseTime)
        let then = response.responseTime.addingTimeInterval(entry.later)
        for policy in [LoadRequest(url: response.url).cachePolicy, .cached, .onlyIfCached] {
            #expect(policy.decision(for: cached, request: entry.request, at: then) == .use)
        }
        #expect(HTTPCachePolicy.reload.decision(for: cached, request: entry.request, at: then) == .fetch)
    }
}
