import KuvaCore
import KuvaTesting
import Testing

@testable import KuvaNetwork

@Suite("Download queue")
struct DownloadQueueTests {
    private func id(_ number: UInt64) -> LoadID { LoadID(number: number) }

    private func drain(_ queue: inout DownloadQueue) -> [UInt64] {
        var numbers: [UInt64] = []
        while let next = queue.startNext() {
            numbers.append(next.number)
            queue.remove(next)
        }
        return numbers
    }

    @Test func startsNoMoreThanTheLimits() {
        var queue = DownloadQueue(limits: .init(total: 3, perHost: 2))
        for number in 0..<4 { queue.add(id(UInt64(number)), host: "a", priority: .normal) }
        queue.add(id(10), host: "b", priority: .low)
        queue.add(id(11), host: "b", priority: .low)
        #expect(queue.startNext() == id(0))
        #expect(queue.startNext() == id(1))
        #expect(queue.startNext() == id(10))
        #expect(queue.startNext() == nil)
        #expect(queue.runningCount == 3)
        #expect(queue.waitingCount == 3)
        queue.remove(id(10))
        #expect(queue.startNext() == id(11))
        queue.remove(id(0))
        #expect(queue.startNext() == id(2))
        #expect(queue.startNext() == nil)
    }

    @Test func orderOfArrivalHoldsAcrossHosts() {
        for (order, expected) in [
            (PriorityQueue<LoadID>.Order.firstInFirstOut, [0, 1, 2, 3, 4, 5] as [UInt64]),
            (.lastInFirstOut, [5, 4, 3, 2, 1, 0]),
        ] {
            var queue = DownloadQueue(limits: .init(total: 1, perHost: 1), order: order)
            for number in 0..<6 { queue.add(id(UInt64(number)), host: ["a", "b", "c"][number % 3], priority: .normal) }
            #expect(drain(&queue) == expected)
            #expect(queue.isEmpty)
        }
    }

    @Test func prioritiesChangeWhileWaiting() {
        var queue = DownloadQueue(limits: .init(total: 1, perHost: 1))
        for number in 0..<4 { queue.add(id(UInt64(number)), host: number < 2 ? "a" : "b", priority: .normal) }
        queue.setPriority(.veryHigh, of: id(3))
        queue.setPriority(.low, of: id(0))
        queue.setPriority(.high, of: id(1))
        queue.setPriority(.high, of: id(99))
        #expect(drain(&queue) == [3, 1, 2, 0])
    }

    @Test func waitingLoadsCanLeave() {
        var queue = DownloadQueue(limits: .init(total: 2, perHost: 2))
        for number in 0..<3 { queue.add(id(UInt64(number)), host: "a", priority: .normal) }
        queue.remove(id(0))
        queue.remove(id(0))
        #expect(drain(&queue) == [1, 2])
        #expect(queue.isEmpty)
        #expect(queue.runningCount == 0)
    }

    /// Of 32 starts one goes to what has waited longest: `n` older loads ahead, it starts within 32 · (n + 1).
    @Test func nothingStarves() {
        var queue = DownloadQueue(limits: .init(total: 1, perHost: 1))
        for number in 0..<3 { queue.add(id(UInt64(number)), host: "a", priority: .veryLow) }
        var started: [UInt64: Int] = [:]
        for turn in 1...96 {
            // A stream of urgent loads that never ends.
            queue.add(id(UInt64(1000 + turn)), host: ["a", "b"][turn % 2], priority: .veryHigh)
            guard let next = queue.startNext() else { continue }
            started[next.number] = turn
            queue.remove(next)
        }
        #expect((0..<3).map { started[$0] } == [32, 64, 96])
    }

    @Test func limitsAndOrderChangeWhileLoadsWait() {
        var queue = DownloadQueue(limits: .init(total: 4, perHost: 1))
        for number in 0..<4 { queue.add(id(UInt64(number)), host: "a", priority: number == 1 ? .high : .normal) }
        #expect(queue.startNext() == id(1))
        #expect(queue.startNext() == nil)
        queue.limits.perHost = 2
        #expect(queue.startNext() == id(0))
        #expect(queue.startNext() == nil)
        queue = queue.reordered(.lastInFirstOut)
        #expect(queue.runningCount == 2)
        queue.remove(id(0))
        #expect(queue.startNext() == id(3))
        queue.remove(id(1))
        queue.remove(id(3))
        #expect(drain(&queue) == [2])
        #expect(queue.isEmpty)
    }

    /// The same commands against a plain list that is sorted anew each time.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func agreesWithAPlainList(_ seed: UInt64) {
        struct Entry {
            var number: UInt64
            var host: String
            var priority: Priority
        }
        var random = SeededGenerator(seed: seed)
        let limits = DownloadQueue.Limits(total: 4, perHost: 2)
        var queue = DownloadQueue(limits: limits)
        var waiting: [Entry] = []
        var running: [Entry] = []
        var starts = 0
        for step in 0..<3000 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let priority = Priority.allCases.randomElement(using: &random) ?? .normal
                let host = "host\(Int.random(in: 0..<4, using: &random))"
                waiting.append(Entry(number: UInt64(step), host: host, priority: priority))
                queue.add(id(UInt64(step)), host: host, priority: priority)
            case 2:
                guard let index = waiting.indices.randomElement(using: &random) else { continue }
                waiting[index].priority = Priority.allCases.randomElement(using: &random) ?? .normal
                queue.setPriority(waiting[index].priority, of: id(waiting[index].number))
            case 3:
                guard let index = running.indices.randomElement(using: &random) else { continue }
                queue.remove(id(running.remove(at: index).number))
            case 4:
                guard let index = waiting.indices.randomElement(using: &random) else { continue }
                queue.remove(id(waiting.remove(at: index).number))
            default:
                let candidates = waiting.filter { entry in
                    running.count < limits.total && running.count { $0.host == entry.host } < limits.perHost
                }
                if !candidates.isEmpty { starts += 1 }
                let isFair = starts.isMultiple(of: 32)
                let expected = candidates.min { left, right in
                    isFair ? left.number < right.number : (right.priority, left.number) < (left.priority, right.number)
                }
                #expect(queue.startNext()?.number == expected?.number)
                if let expected {
                    waiting.removeAll { $0.number == expected.number }
                    running.append(expected)
                }
            }
            #expect(queue.waitingCount == waiting.count)
            #expect(queue.runningCount == running.count)
        }
    }
}
