internal import FoundationEssentials
internal import Glibc
internal import KuvaCore

/// What the server and its threads share; the threads do not keep the server itself alive.
final class ServerCore: Sendable {
    private struct Waiter: Sendable {
        let condition: @Sendable (ServerLedger) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var routes: [String: LoopbackServer.Handler] = [:]
        var greeting = Data()
        var ledger = ServerLedger()
        var waiters: [UInt64: Waiter] = [:]
        var cancelledWaiters: Set<UInt64> = []
        var nextWaiter: UInt64 = 0
        var listener: Int32?
        var connections: Set<Int32> = []
        var isStopped = false
    }

    /// Opens when the server stops.
    let stopping = Gate()
    private let state = Lock(State())

    var ledger: ServerLedger { state.withLock { $0.ledger } }

    func setRoute(_ path: String, _ handler: @escaping LoopbackServer.Handler) {
        state.withLock { $0.routes[path] = handler }
    }

    func setGreeting(_ bytes: Data) { state.withLock { $0.greeting = bytes } }

    var greeting: Data { state.withLock { $0.greeting } }

    func handler(for path: String) -> LoopbackServer.Handler {
        if let handler = state.withLock({ $0.routes[path] }) { return handler }
        return { _ in .status(404, Data("no such route".utf8)) }
    }

    /// Changes the ledger and lets those go on who waited for that.
    func record(_ change: (inout ServerLedger) -> Void) {
        let met = state.withLock { state -> [UInt64: Waiter] in
            change(&state.ledger)
            let ledger = state.ledger
            let met = state.waiters.filter { $0.value.condition(ledger) }
            for id in met.keys { state.waiters[id] = nil }
            return met
        }
        for waiter in met.values { waiter.continuation.resume() }
    }

    func until(_ condition: @escaping @Sendable (ServerLedger) -> Bool) async throws {
        let id = state.withLock { state in
            defer { state.nextWaiter += 1 }
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if condition(state.ledger) { return .success(()) }
                    if state.cancelledWaiters.remove(id) != nil { return .failure(CancellationError()) }
                    state.waiters[id] = Waiter(condition: condition, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: id)
                if waiter == nil { state.cancelledWaiters.insert(id) }
                return waiter
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Says which socket ``stop()`` must shut; before the thread that accepts on it starts.
    func listens(on listener: Socket.Listener) {
        state.withLock { $0.listener = listener.socket.descriptor }
    }

    /// The body of the accepting thread.
    func accept(on listener: Socket.Listener) {
        defer { state.withLock { $0.listener = nil } }
        while true {
            let incoming = pollfd(fd: listener.socket.descriptor, events: Int16(POLLIN), revents: 0)
            guard stopping.wait(watching: [incoming]) == .ready(0) else { return }
            guard let descriptor = listener.socket.acceptNext() else {
                if state.withLock({ $0.isStopped }) { return }
                continue
            }
            let number = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                state.connections.insert(descriptor)
                return state.ledger.connectionCount
            }
            guard let number else {
                close(descriptor)
                return
            }
            record { $0.connectionCount += 1 }
            let started = OwnThread.start(name: "loopback \(number)") {
                let socket = Socket(owning: descriptor)
                Connection(core: self, number: number).serve(socket)
                // Before the socket closes: its number may be given to another one then.
                self.state.withLock { _ = $0.connections.remove(descriptor) }
                _ = consume socket
            }
            if !started { forget(descriptor) }
        }
    }

    /// Ends listening and all connections at once, so that the other sides see it before this returns.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            if let listener = state.listener { shutdown(listener, Int32(SHUT_RDWR)) }
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
        stopping.open()
    }

    private func forget(_ descriptor: Int32) {
        state.withLock { _ = $0.connections.remove(descriptor) }
        close(descriptor)
    }
}
