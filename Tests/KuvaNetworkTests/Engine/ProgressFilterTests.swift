import KuvaCore
import Testing

@testable import KuvaNetwork

@Suite("Progress filter")
struct ProgressFilterTests {
    @Test func withoutAnIntervalEveryChangeCounts() {
        var filter = ProgressFilter(minimumInterval: 0)
        #expect(filter.received(0, of: 10) == nil)
        #expect(filter.received(1, of: 10) == LoadProgress(receivedByteCount: 1, expectedByteCount: 10))
        #expect(filter.received(1, of: 10) == nil)
        #expect(filter.finished(1) == nil)
    }

    @Test func theIntervalIsAPartOfTheWholeAndTheLastAlwaysComes() {
        var filter = ProgressFilter(minimumInterval: 0.5)
        #expect(filter.received(49, of: 100) == nil)
        #expect(filter.received(50, of: 100)?.receivedByteCount == 50)
        #expect(filter.received(99, of: 100) == nil)
        #expect(filter.received(100, of: 100)?.receivedByteCount == 100)
        #expect(filter.finished(100) == nil)
    }

    @Test func unknownLengthsReportAsTheyCome() {
        var filter = ProgressFilter(minimumInterval: 0.5)
        #expect(filter.received(1, of: nil)?.expectedByteCount == nil)
        #expect(filter.received(2, of: nil)?.receivedByteCount == 2)
        #expect(filter.finished(3) == LoadProgress(receivedByteCount: 3, expectedByteCount: 3))
    }
}
