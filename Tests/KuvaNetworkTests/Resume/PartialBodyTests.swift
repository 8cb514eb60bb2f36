import Foundation
import KuvaCore
import Testing

@testable import KuvaNetwork

/// What can be resumed, and by what. Re-expresses Nuke's tests of its resumable data (names in brackets); where we differ
/// from it the comment says why.
@Suite("Partial bodies")
struct PartialBodyTests {
    private func origin(
        _ fields: HTTPFields,
        status: Int = 200,
        total: Int64? = 2000,
        isCoded: Bool = false
    ) -> PartialBody.Origin? {
        PartialBody.Origin(status: status, fields: fields, totalByteCount: total, isCoded: isCoded)
    }

    private let date = "Wed, 21 Oct 2015 07:28:00 GMT"

    /// [resumingRequest]
    @Test func theRestIsAskedForByRangeAndValidator() {
        let partial = PartialBody(origin: .init(validator: "\"1234\"", totalByteCount: 2000), bytes: Data(count: 1000))
        #expect(partial.conditions["Range"] == "bytes=1000-")
        #expect(partial.conditions["If-Range"] == "\"1234\"")
    }

    /// [createWithETag, createWithETagSpelledIncorrectly, createWithLowercaseHeaderNames, createWithUppercaseRangeUnit]
    @Test func anEntityTag() {
        #expect(origin(["Accept-Ranges": "bytes", "ETag": "\"1234\""])?.validator == "\"1234\"")
        #expect(origin(["accept-ranges": "Bytes", "Etag": "1234"])?.validator == "1234")
        #expect(origin(["accept-ranges": "BYTES", "etag": "\"abc\""])?.validator == "\"abc\"")
    }

    /// [createWithLastModified, resumingRequestUsesLastModifiedWhenNoETag, createWithLowercaseLastModified]. The date alone is a strong validator only if it is older than the answer
    /// (RFC 9110 §8.8.2.2), which Nuke does not look at.
    @Test func aDateOfChange() {
        let sent = "Wed, 21 Oct 2015 07:28:01 GMT"
        #expect(origin(["Accept-Ranges": "bytes", "Last-Modified": date, "Date": sent])?.validator == date)
        #expect(origin(["accept-ranges": "bytes", "last-modified": date, "date": sent])?.validator == date)
        let partial = PartialBody(origin: .init(validator: date, totalByteCount: 2000), bytes: Data(count: 1000))
        #expect(partial.conditions["Range"] == "bytes=1000-")
        #expect(partial.conditions["If-Range"] == date)
        #expect(origin(["Accept-Ranges": "bytes", "Last-Modified": date, "Date": date]) == nil)
        #expect(origin(["Accept-Ranges": "bytes", "Last-Modified": date]) == nil)
    }

    /// [createWithBothValidators]
    @Test func theTagComesFirst() {
        let fields: HTTPFields = ["Accept-Ranges": "bytes", "ETag": "\"1\"", "Last-Modified": date, "Date": date]
        #expect(origin(fields)?.validator == "\"1\"")
    }

    /// A weak tag must not be used (RFC 9110 §13.1.5); Nuke sends it.
    @Test func aWeakTagIsNone() { #expect(origin(["Accept-Ranges": "bytes", "ETag": "W/\"1\""]) == nil) }

    /// [createWithStatusCodePartialContent]. A part shows that the server makes parts, whatever `Accept-Ranges` says.
    @Test func aPartCanBreakToo() {
        #expect(origin(["Accept-Ranges": "bytes", "ETag": "\"1\""], status: 206) != nil)
        #expect(origin(["ETag": "\"1\""], status: 206) != nil)
    }

    /// [createWithInvalidStatusCode, createWithOtherSuccessfulStatusCodeReturnsNil]
    @Test func otherStatuses() {
        for status in [201, 203, 204, 226, 304, 404, 500] {
            #expect(origin(["Accept-Ranges": "bytes", "ETag": "\"1\""], status: status) == nil)
        }
    }

    /// [createWithMissingValidator]
    @Test func noValidator() { #expect(origin(["Accept-Ranges": "bytes"]) == nil) }

    /// [createWithMissingAcceptRanges, createWithAcceptRangesNone]
    @Test func noParts() {
        #expect(origin(["ETag": "\"1\""]) == nil)
        #expect(origin(["ETag": "\"1\"", "Accept-Ranges": "none"]) == nil)
    }

    /// [createWithoutContentLengthReturnsNil]. Nuke cannot tell then whether anything is missing; a chunked body that broke
    /// off is missing something (RFC 9112 §8), and the answer to the next request says how long the whole is.
    @Test func unknownLengths() { #expect(origin(["Accept-Ranges": "bytes", "ETag": "\"1\""], total: nil) != nil) }

    /// Bytes that a content coding has changed are no part of what was sent.
    @Test func codedBodies() { #expect(origin(["Accept-Ranges": "bytes", "ETag": "\"1\""], isCoded: true) == nil) }

    private func exchange(_ head: String, byteCount: Int) throws -> Exchange {
        let rules = Exchange.Rules(maximumBodyByteCount: 10_000, maximumHeaderByteCount: 5000, maximumRedirectCount: 5)
        let url = try #require(URL(string: "http://a/x"))
        var exchange = Exchange(url: url, rules: rules, at: Date(timeIntervalSince1970: 0))
        let lines = head.split(separator: "\n").map(String.init) + [""]
        for line in lines {
            let bytes = Array(line.utf8) + [0x0D, 0x0A]
            bytes.withUnsafeBytes { line in
                #expect(exchange.receive(headerLine: line) { Date(timeIntervalSince1970: 0) })
            }
        }
        if byteCount > 0 { _ = exchange.receive(bodyByteCount: byteCount) }
        return exchange
    }

    /// [createWithEmptyData, createWhenFullDataIsLoaded, createWhenDownloadIsCompleteReturnsNil,
    /// createWhenDataExceedsContentLengthReturnsNil]
    @Test func nothingAndEverythingCannotBeResumed() throws {
        let head = "HTTP/1.1 200 OK\nAccept-Ranges: bytes\nETag: \"1\"\nContent-Length: 2000"
        #expect(try exchange(head, byteCount: 1000).resumeOrigin != nil)
        #expect(try exchange(head, byteCount: 0).resumeOrigin == nil)
        #expect(try exchange(head, byteCount: 2000).resumeOrigin == nil)
        #expect(try exchange(head, byteCount: 2001).resumeOrigin == nil)
    }

    @Test(
        arguments: [
            ("bytes 5-9/10", 5, 9, 10 as Int64?), ("BYTES 0-0/*", 0, 0, nil), ("bytes 5-9/11", 5, 9, 11),
        ] as [(String, Int64, Int64, Int64?)]
    )
    func contentRanges(_ text: String, _ first: Int64, _ last: Int64, _ total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.first == first)
        #expect(range.last == last)
        #expect(range.total == total)
    }

    @Test(arguments: [
        nil, "", "bytes", "bytes 5-9", "bytes 9-5/10", "bytes 5-10/10", "bytes -5/10", "bytes 5-/10", "items 5-9/10",
        "bytes */10", "bytes 5-9/x", "bytes 5-9/10/11", "bytes +5-9/10", "bytes 0-9223372036854775807/*",
    ])
    func rangesThatAreNone(_ text: String?) { #expect(ContentRange(text) == nil) }

    /// [checkingResumedResponse]; beyond it, the place and the length must be right.
    @Test func onlyTheRightPartContinues() throws {
        func continues(_ text: String, expected: Int64? = 2000) throws -> Bool {
            try #require(ContentRange(text)).continues(at: 1000, of: expected)
        }
        #expect(try continues("bytes 1000-1999/2000"))
        #expect(try continues("bytes 1000-1999/*"))
        #expect(try continues("bytes 1000-1999/2000", expected: nil))
        #expect(try !continues("bytes 999-1999/2000"))
        #expect(try !continues("bytes 0-1999/2000"))
        #expect(try !continues("bytes 1000-1998/2000"))
        #expect(try !continues("bytes 1000-2000/2001"))
    }
}
