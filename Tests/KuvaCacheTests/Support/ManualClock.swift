import FoundationEssentials
import KuvaCore

/// A clock that goes only when it is told to.
final class ManualClock: Sendable {
    private let date: Lock<Date>

    init(_ date: Date = Date(timeIntervalSinceReferenceDate: 800_000_000)) { self.date = Lock(date) }

    var now: Date { date.withLock { $0 } }
    func advance(_ seconds: Double) { date.withLock { $0 += seconds } }

    var source: TimeSource {
        TimeSource(monotonic: { .seconds(self.now.timeIntervalSinceReferenceDate) }, wall: { self.now })
    }
}
