internal import KuvaCore

/// What callers and the network thread share: an inbox and a way to wake the thread.
final class NetworkEngine: Sendable {
    /// What callers ask of the network thread.
    enum Command: Sendable {
        case load(LoadID, LoadTicket)
        case cancel(LoadID)
        case setPriority(Priority, LoadID)
    }

    private struct Inbox: Sendable {
        var commands: [Command] = []
        /// `nil` while there is no thread.
        var multi: MultiHandle?
        var isClosed = false
        var openLoadCount = 0
        var nextLoad: UInt64 = 0
    }

    let configuration: Downloader.Configuration
    let time: TimeSource
    private let inbox = Lock(Inbox())

    init(_ configuration: Downloader.Configuration, time: TimeSource) {
        self.configuration = configuration
        self.time = time
    }

    var openLoadCount: Int { inbox.withLock { $0.openLoadCount } }

    // MARK: Callers

    func load(_ ticket: LoadTicket) -> any LoadHandle {
        enum Outcome {
            case queued(MultiHandle?)
            case needsThread(MultiHandle)
            case failed
        }
        let connections = min(1024, configuration.maximumConcurrentLoads * 2)
        let (id, outcome) = inbox.withLock { inbox -> (LoadID, Outcome) in
            let id = LoadID(number: inbox.nextLoad)
            inbox.nextLoad += 1
            let isFirst = inbox.multi == nil
            guard let multi = inbox.multi ?? MultiHandle(connections: connections) else { return (id, .failed) }
            inbox.multi = multi
            let wasEmpty = inbox.commands.isEmpty
            inbox.commands.append(.load(id, ticket))
            inbox.openLoadCount += 1
            return (id, isFirst ? .needsThread(multi) : .queued(wasEmpty ? multi : nil))
        }
        switch outcome {
        case .queued(let multi): multi?.wake()
        case .needsThread(let multi): startThread(multi)
        case .failed: ticket.finish(.failure(Self.noResources))
        }
        return Handle(engine: self, id: id, ticket: ticket)
    }

    /// The loads that there are go on; the thread ends after them.
    func close() {
        let multi = inbox.withLock { inbox in
            inbox.isClosed = true
            return inbox.multi
        }
        multi?.wake()
    }

    private func send(_ command: Command) {
        let multi = inbox.withLock { inbox -> MultiHandle? in
            // Without a thread there is no load that the command could concern.
            guard let multi = inbox.multi else { return nil }
            let wasEmpty = inbox.commands.isEmpty
            inbox.commands.append(command)
            return wasEmpty ? multi : nil
        }
        multi?.wake()
    }

    private func startThread(_ multi: MultiHandle) {
        let started = OwnThread.start(name: "kuva-network") { [self] in
            TransferDriver(engine: self, multi: multi).run()
        }
        if !started { threadFailed(Self.noResources) }
    }

    private static let noResources = ImageError(
        .outOfMemory,
        "the system gave no memory or thread for transfers",
        advice: "close other programs or raise this one's limits"
    )

    // MARK: The network thread

    /// Everything that callers have asked since the last call.
    func takeCommands(into commands: inout [Command]) {
        commands.removeAll(keepingCapacity: true)
        inbox.withLock { swap(&$0.commands, &commands) }
    }

    func loadEnded() { inbox.withLock { $0.openLoadCount -= 1 } }

    /// Whether the thread is to end, having no load: nobody can ask for another one.
    func endsThread() -> Bool {
        inbox.withLock { inbox in
            guard inbox.isClosed, inbox.commands.isEmpty else { return false }
            inbox.multi = nil
            return true
        }
    }

    /// There is no thread, or it can work no longer: ends the loads that it has not taken. The next load makes a new
    /// one.
    func threadFailed(_ error: ImageError) {
        let orphans = inbox.withLock { inbox -> [Command] in
            inbox.multi = nil
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for case .load(_, let ticket) in orphans {
            loadEnded()
            ticket.finish(.failure(error))
        }
    }

    private struct Handle: LoadHandle {
        let engine: NetworkEngine
        let id: LoadID
        let ticket: LoadTicket

        func cancel() {
            if ticket.cancel() { engine.send(.cancel(id)) }
        }

        func setPriority(_ priority: Priority) { engine.send(.setPriority(priority, id)) }
    }
}
