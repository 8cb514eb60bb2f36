internal import Synchronization

/// Bytes that others hold for an object, such as the frames that players have decoded, and who wants to know when their
/// number changes. Any thread may call.
public final class HeldBytes: Sendable {
    private final class Observation: HeldBytesObservation {
        let handler: @Sendable () -> Void
        init(_ handler: @escaping @Sendable () -> Void) { self.handler = handler }
    }

    private struct Weak: Sendable {
        weak var observation: Observation?
    }

    private let total = Atomic<Int>(0)
    private let observations = Lock<[Weak]>([])

    /// Makes a count of zero.
    public init() {}

    /// How many there are now. O(1); takes no lock.
    public var count: Int { total.load(ordering: .relaxed) }

    /// Counts bytes that are held from now on, or with a negative number, not any more. Calls the observers before it
    /// returns.
    public func add(_ bytes: Int) {
        guard bytes != 0 else { return }
        total.wrappingAdd(bytes, ordering: .relaxed)
        for observation in observations.withLock({ $0.compactMap(\.observation) }) { observation.handler() }
    }

    /// Calls `handler` after each change, on the thread that makes it, as long as the observation is referenced. The
    /// handler must not block.
    public func observe(_ handler: @escaping @Sendable () -> Void) -> any HeldBytesObservation {
        let observation = Observation(handler)
        observations.withLock { observations in
            observations.removeAll { $0.observation == nil }
            observations.append(Weak(observation: observation))
        }
        return observation
    }
}

/// Lasts as long as it is referenced.
public protocol HeldBytesObservation: AnyObject, Sendable {}
