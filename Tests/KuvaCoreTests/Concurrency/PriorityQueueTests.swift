import KuvaCore
import KuvaTesting
import Testing

@Suite("Priority queue")
struct PriorityQueueTests {
    /// The same queue as an unsorted list, searched anew each time.
    private struct Model {
        var entries: [(id: Int, priority: Priority)] = []
        let newestFirst: Bool

        func first() -> Int? {
            entries.indices.min { lhs, rhs in
                let (left, right) = (entries[lhs], entries[rhs])
                if left.priority != right.priority { return left.priority > right.priority }
                return newestFirst ? left.id > right.id : left.id < right.id
            }
        }
    }

    @Test(arguments: [PriorityQueue<Int>.Order.firstInFirstOut, .lastInFirstOut])
    func randomOperationsEqualTheModel(_ order: PriorityQueue<Int>.Order) throws {
        var generator = SeededGenerator(seed: 11)
        var queue = PriorityQueue<Int>(order: order)
        var model = Model(newestFirst: order == .lastInFirstOut)
        var ids: [PriorityQueue<Int>.ID] = []
        for step in 0..<5000 {
            let priority = try #require(Priority.allCases.randomElement(using: &generator))
            // The queue grows in one half of each thousand steps and shrinks in the other.
            switch Int.random(in: 0..<10, using: &generator) + (step / 500 % 2) * 2 {
            case 0..<5:
                model.entries.append((ids.count, priority))
                ids.append(queue.push(ids.count, priority: priority))
            case 5..<7 where !ids.isEmpty:
                let id = Int.random(in: 0..<ids.count, using: &generator)
                queue.setPriority(priority, of: ids[id])
                if let place = model.entries.firstIndex(where: { $0.id == id }) {
                    model.entries[place].priority = priority
                }
            case 7 where !ids.isEmpty:
                let id = Int.random(in: 0..<ids.count, using: &generator)
                let place = model.entries.firstIndex { $0.id == id }
                #expect(queue.remove(ids[id]) == place.map { model.entries.remove(at: $0).id })
            default:
                let place = model.first()
                #expect(queue.pop() == place.map { model.entries.remove(at: $0).id })
            }
            #expect(queue.count == model.entries.count)
            #expect(queue.isEmpty == model.entries.isEmpty)
        }
        while let place = model.first() { #expect(queue.pop() == model.entries.remove(at: place).id) }
        #expect(queue.pop() == nil)
    }

    @Test func equalsComeInTheChosenOrder() {
        var oldestFirst = PriorityQueue<Int>()
        var newestFirst = PriorityQueue<Int>(order: .lastInFirstOut)
        for number in 1...5 {
            _ = oldestFirst.push(number, priority: number == 3 ? .high : .low)
            _ = newestFirst.push(number, priority: number == 3 ? .high : .low)
        }
        #expect((1...5).map { _ in oldestFirst.pop() } == [3, 1, 2, 4, 5])
        #expect((1...5).map { _ in newestFirst.pop() } == [3, 5, 4, 2, 1])
    }

    @Test func changedPriorityKeepsTheTurnOfArrival() {
        var queue = PriorityQueue<String>()
        let first = queue.push("first", priority: .low)
        _ = queue.push("second", priority: .normal)
        queue.setPriority(.normal, of: first)
        #expect(queue.pop() == "first")
        queue.setPriority(.high, of: first)
        #expect(queue.remove(first) == nil)
        #expect(queue.pop() == "second")
    }
}
