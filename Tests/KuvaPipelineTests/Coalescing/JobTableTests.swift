import KuvaCore
import KuvaTesting
import Testing

@testable import KuvaPipeline

@Suite("Job table")
struct JobTableTests {
    private typealias Table = JobTable<String, Int, String>

    private func ticket(_ joined: Table.Joined) -> JobTicket {
        switch joined {
        case .started(let ticket): ticket
        case .joined(let ticket, _): ticket
        }
    }

    @Test func firstStartsAndOthersJoin() {
        var table = Table()
        guard case .started(let first) = table.join("a", subscriber: "1", priority: .normal, payload: 7) else {
            Issue.record("the first subscriber did not start the job")
            return
        }
        guard case .joined(_, newPriority: nil) = table.join("a", subscriber: "2", priority: .low, payload: 8) else {
            Issue.record("the second subscriber did not join")
            return
        }
        #expect(table[first.job] == 7)
        #expect(Array(table.finish(first.job).subscribers) == ["1", "2"])
        #expect(Array(table.finish(first.job).subscribers) == [])
        #expect(table.count == 0)
    }

    @Test func priorityIsTheHighestOfTheLiveSubscribers() {
        var table = Table()
        let low = ticket(table.join("a", subscriber: "low", priority: .low, payload: 0))
        guard case .joined(let high, newPriority: .high) = table.join("a", subscriber: "h", priority: .high, payload: 0)
        else {
            Issue.record("joining with a higher priority did not raise the job's")
            return
        }
        #expect(table.priority(of: low.job) == .high)
        guard case .stillWanted(newPriority: .low) = table.leave(high) else {
            Issue.record("the priority did not fall when its owner left")
            return
        }
        #expect(table.setPriority(.veryHigh, of: low) == .veryHigh)
        #expect(table.setPriority(.veryHigh, of: low) == nil)
    }

    @Test func abandonedJobLeavesRoomForAFreshOne() {
        var table = Table()
        let old = ticket(table.join("a", subscriber: "1", priority: .normal, payload: 1))
        guard case .abandoned(1) = table.leave(old) else {
            Issue.record("the last subscriber's leaving did not abandon the job")
            return
        }
        guard case .started(let fresh) = table.join("a", subscriber: "2", priority: .normal, payload: 2) else {
            Issue.record("a subscriber joined a job that nobody waits for")
            return
        }
        #expect(fresh.job != old.job)
        #expect(Array(table.finish(old.job).subscribers) == [])
        #expect(Array(table.finish(fresh.job).subscribers) == ["2"])
        guard case .unknown = table.leave(fresh) else {
            Issue.record("leaving an ended job was not unknown")
            return
        }
    }

    /// Random joins, leaves and finishes beside a model that is plain arrays.
    @Test(arguments: 0..<20) func everySubscriberHasExactlyOneEnd(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = JobTable<Int, Int, Int>()
        var model: [Int: [(subscriber: Int, priority: Priority)]] = [:]
        var tickets: [Int: (key: Int, ticket: JobTicket)] = [:]
        var ends: [Int: Int] = [:]
        for step in 0..<2_000 {
            let key = Int.random(in: 0..<5, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let priority = Priority(rawValue: Int.random(in: 0..<5, using: &random)) ?? .normal
                let joined = table.join(key, subscriber: step, priority: priority, payload: step)
                switch joined {
                case .started(let ticket):
                    #expect(model[key] == nil)
                    tickets[step] = (key, ticket)
                case .joined(let ticket, _):
                    #expect(model[key] != nil)
                    tickets[step] = (key, ticket)
                }
                model[key, default: []].append((step, priority))
            case 6..<9:
                guard let (subscriber, place) = tickets.randomElement(using: &random) else { continue }
                tickets[subscriber] = nil
                ends[subscriber, default: 0] += 1
                model[place.key]?.removeAll { $0.subscriber == subscriber }
                if case .abandoned = table.leave(place.ticket) {
                    #expect(model[place.key]?.isEmpty == true)
                    model[place.key] = nil
                }
            default:
                guard let place = tickets.values.first(where: { $0.key == key }) else { continue }
                let finished = Array(table.finish(place.ticket.job).subscribers)
                #expect(finished == model[key]?.map(\.subscriber))
                for subscriber in finished {
                    tickets[subscriber] = nil
                    ends[subscriber, default: 0] += 1
                }
                model[key] = nil
            }
            for place in tickets.values {
                #expect(table.priority(of: place.ticket.job) == model[place.key]?.map(\.priority).max())
            }
        }
        #expect(ends.values.allSatisfy { $0 == 1 })
        #expect(table.count == model.count)
    }
}
