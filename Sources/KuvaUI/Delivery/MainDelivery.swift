internal import Dispatch
package import KuvaCore

/// Brings events of loads from Kuva's threads to views.
///
/// However many events come, the main queue has one block for them. It delivers for a limited time and puts itself at
/// the end of the queue again if more is left, so that the loop can draw and handle input in between.
package final class MainDelivery: Sendable {
    package typealias Queue = DeliveryQueue<ObjectIdentifier, @MainActor @Sendable () -> Void>

    /// The way for all views of the process.
    package static let shared = MainDelivery()

    private let queue = Lock(Queue())
    private let budget: Duration
    private let time: TimeSource

    /// - Parameter budget: how long the main actor may be busy at a time. A call that has begun is not interrupted.
    package init(budget: Duration = .milliseconds(2), time: TimeSource = .system) {
        self.budget = budget
        self.time = time
    }

    /// Calls `deliver` on the main actor, later. Any thread may call it.
    ///
    /// - Parameter load: whose events keep their order.
    package func send(
        _ kind: Queue.Kind,
        of load: ObjectIdentifier,
        _ deliver: @escaping @MainActor @Sendable () -> Void
    ) {
        if queue.withLock({ $0.add(deliver, kind, of: load) }) { schedule() }
    }

    private func schedule() {
        // The main queue keeps the order of its blocks, which unstructured tasks do not promise.
        DispatchQueue.main.async { MainActor.assumeIsolated { self.deliver() } }
    }

    @MainActor
    private func deliver() {
        let start = time.monotonic
        while let (_, call) = queue.withLock({ $0.takeNext() }) {
            call()
            if time.monotonic - start >= budget { return schedule() }
        }
    }
}
