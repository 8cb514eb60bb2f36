import Dispatch
import KuvaCore
import KuvaTesting
import KuvaUI
import Testing

@MainActor
@Suite("Delivery to the main actor", .serialized, .timeLimit(.minutes(10)))
struct MainDeliveryTests {
    private final class Load {}

    private final class Witness {
        var log: [String] = []
    }

    @Test func busyMainActorGetsItsTurnInBetween() async {
        let clock = ManualTime()
        let delivery = MainDelivery(budget: .milliseconds(2), time: clock.source)
        let load = Load()
        // Unsafe: everything here stays on the main actor.
        nonisolated(unsafe) let witness = Witness()
        for number in 1...4 {
            delivery.send(.end, of: ObjectIdentifier(load)) {
                clock.advance(by: .milliseconds(1))
                witness.log.append("\(number)")
            }
        }
        DispatchQueue.main.async { MainActor.assumeIsolated { witness.log.append("turn") } }
        while witness.log.count < 5, !Task.isCancelled { await drainMainQueue() }
        #expect(witness.log == ["1", "2", "turn", "3", "4"])
    }
}
