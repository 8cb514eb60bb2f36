import KuvaUI
import Testing

@Suite("Delivery queue")
struct DeliveryQueueTests {
    private func drain(_ queue: inout DeliveryQueue<Int, String>) -> [String] {
        var events: [String] = []
        while let next = queue.takeNext() { events.append(next.event) }
        return events
    }

    @Test func onlyTheFirstEventIsToBeScheduledUntilTheQueueRanEmpty() {
        var queue = DeliveryQueue<Int, String>()
        let isFirst = queue.add("a", .end, of: 1)
        let isSecond = queue.add("b", .end, of: 2)
        #expect(isFirst && !isSecond)
        #expect(drain(&queue) == ["a", "b"])
        let isFirstAgain = queue.add("c", .end, of: 3)
        #expect(isFirstAgain)
    }

    @Test func newestProgressTakesThePlaceOfTheOneBefore() {
        var queue = DeliveryQueue<Int, String>()
        _ = queue.add("1: 10 %", .progress, of: 1)
        _ = queue.add("2: 5 %", .progress, of: 2)
        _ = queue.add("1: preview", .preview, of: 1)
        _ = queue.add("1: 20 %", .progress, of: 1)
        _ = queue.add("1: better preview", .preview, of: 1)
        _ = queue.add("1: end", .end, of: 1)
        #expect(drain(&queue) == ["1: 20 %", "2: 5 %", "1: better preview", "1: end"])
    }

    @Test func whatIsDeliveredIsNotReplaced() {
        var queue = DeliveryQueue<Int, String>()
        _ = queue.add("10 %", .progress, of: 1)
        let first = queue.takeNext()?.event
        #expect(first == "10 %")
        _ = queue.add("20 %", .progress, of: 1)
        #expect(drain(&queue) == ["20 %"])
    }

    @Test func orderStaysWhenTheQueueNeverRunsEmpty() {
        var queue = DeliveryQueue<Int, String>()
        var delivered: [String] = []
        for number in 0..<3_000 {
            _ = queue.add("\(number)", number % 2 == 0 ? .progress : .end, of: number)
            _ = queue.add("\(number)!", number % 2 == 0 ? .progress : .end, of: number)
            if number >= 10, let next = queue.takeNext() { delivered.append(next.event) }
        }
        delivered += drain(&queue)
        let expected = (0..<3_000).flatMap { $0 % 2 == 0 ? ["\($0)!"] : ["\($0)", "\($0)!"] }
        #expect(delivered == expected)
    }
}
