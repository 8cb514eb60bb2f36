/// Keeps the program open while loads run that are to outlive what the user sees.
///
/// A toolkit holds its application; a command line waits, see ``WaitingHold``. Any thread may call.
public protocol BackgroundHold: Sendable {
    /// Asks for the program to stay open.
    ///
    /// - Parameter onExpiry: called at most once, when the program cannot stay open any longer: the load ends then with
    ///   the code `network-cancelled`. Never after the token was released.
    /// - Returns: what to release when the load has ended; `nil` if the program cannot be held.
    func begin(onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundHoldToken)?
}

/// One reason for the program to stay open.
public protocol BackgroundHoldToken: Sendable {
    /// The reason is gone. Called exactly once, on any thread.
    func release()
}

/// A hold for programs that end when their main function does: they wait for it.
public final class WaitingHold: BackgroundHold {
    private struct State: Sendable {
        var next: UInt64 = 0
        var expiries: [UInt64: @Sendable () -> Void] = [:]
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private struct Token: BackgroundHoldToken {
        let hold: WaitingHold
        let number: UInt64
        func release() { hold.release(number) }
    }

    private let state = Lock(State())

    /// Makes a hold that nothing holds yet.
    public init() {}

    /// How many loads hold the program open now.
    public var count: Int { state.withLock { $0.expiries.count } }

    /// See ``BackgroundHold``.
    public func begin(onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundHoldToken)? {
        let number = state.withLock { state in
            defer { state.next += 1 }
            state.expiries[state.next] = onExpiry
            return state.next
        }
        return Token(hold: self, number: number)
    }

    /// Returns once nothing holds the program open.
    public func untilReleased() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if !state.expiries.isEmpty { state.waiters.append(continuation) }
                return state.expiries.isEmpty
            }
            if isFree { continuation.resume() }
        }
    }

    /// The time is over: ends all loads that hold the program open.
    public func expire() {
        let expiries = state.withLock { state in
            defer { for number in state.expiries.keys { state.expiries[number] = {} } }
            return Array(state.expiries.values)
        }
        for expiry in expiries { expiry() }
    }

    private func release(_ number: UInt64) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.expiries[number] = nil
            guard state.expiries.isEmpty else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
