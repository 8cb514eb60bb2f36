/// Where callbacks are called: a thread, a queue or a loop of the program's choosing.
///
/// The order of calls is the order in which they are handed over, so what runs them must keep it.
public struct CallbackExecutor: Sendable {
    private let isHere: @Sendable () -> Bool
    private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Makes an executor.
    ///
    /// - Parameters:
    ///   - isHere: whether the calling thread is one of the executor's, so that a call need not wait; never by default.
    ///   - enqueue: runs a closure soon, after those handed over before; called on any thread, and must not block.
    public init(
        isHere: @escaping @Sendable () -> Bool = { false },
        enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.isHere = isHere
        self.enqueue = enqueue
    }

    /// Calls on the thread on which something happens, which they must not block. The default everywhere.
    public static let immediate = CallbackExecutor(isHere: { true }, enqueue: { $0() })

    /// Whether the calling thread is one of the executor's.
    public var isCurrent: Bool { isHere() }

    /// Runs a closure soon, after those handed over before.
    public func submit(_ body: @escaping @Sendable () -> Void) { enqueue(body) }
}
