import FoundationEssentials
import KuvaCore
import Testing

@Suite("Image error")
struct ImageErrorTests {
    private struct Cause: Error, CustomStringConvertible { let description = "the cause" }

    @Test func textSaysWhereWhatAndWhatToDo() throws {
        let url = try #require(URL(string: "https://example.org/a.png"))
        let error = ImageError(.timedOut, "nothing came for 15 s", advice: "try again", stage: .download, url: url)
        #expect("\(error)" == "https://example.org/a.png: download: nothing came for 15 s; try again")
        #expect("\(ImageError(.timedOut, "nothing came"))" == "nothing came")
    }

    @Test func debugTextAddsCodePlaceAndCause() {
        let error = ImageError(.ioFailed, "it broke", cause: Cause(), fileID: "M/F.swift", line: 7)
        #expect(error.debugDescription == "it broke [io-failed at M/F.swift:7] caused by the cause")
        #expect(error.location == "M/F.swift:7")
    }

    @Test func placeIsThatOfTheCaller() {
        #expect(ImageError(.ioFailed, "it broke").location.hasPrefix("KuvaCoreTests/ImageErrorTests.swift:"))
    }

    @Test func outerLayersFillInOnlyWhatIsUnknown() throws {
        let (inner, outer) = (try #require(URL(string: "a:b")), try #require(URL(string: "c:d")))
        let bare = ImageError(.corruptImage, "broken", advice: "replace", httpStatus: 200, cause: Cause())
        let located = bare.locating(stage: .decode, url: inner)
        #expect(located.stage == .decode && located.url == inner)
        #expect(located.code == .corruptImage && located.message == "broken" && located.advice == "replace")
        #expect(located.httpStatus == 200 && located.cause is Cause && located.location == bare.location)
        let again = located.locating(stage: .transform, url: outer)
        #expect(again.stage == .decode && again.url == inner)
        #expect(bare.stage == nil && bare.url == nil)
    }

    @Test func onlyCancelledAndReplacedAreCancellations() {
        #expect(ImageError(.cancelled, "").isCancellation)
        #expect(ImageError(.replaced, "").isCancellation)
        #expect(!ImageError(.timedOut, "").isCancellation)
        #expect(!ImageError(ImageError.Code("mine"), "").isCancellation)
    }
}
