internal import KuvaCore

/// What callers and the network thread share: an inbox and a way to wake the thread.
final class NetworkEngine: Sendable {
    /// What callers, and those who work for the network thread, ask of it. What is large and rare is indirect, so that
    /// the inbox moves few bytes.
    enum Command: Sendable {
        case load(LoadID, LoadTicket)
        case cancel(LoadID)
        case setPriority(Priority, LoadID)
        case cancelAll
        indirect case configure(Downloader.Configuration)
        case suspend(Bool)
        /// A request modifier has done its work.
        indirect case prepared(LoadID, Result<LoadRequest, ImageError>)
        /// The beginning of a body has been looked for.
        indirect case partialRead(LoadID, PartialBody?)
        /// A body transformer has done its work.
        indirect case transformed(LoadID, Result<LoadedData, ImageError>)
    }

    private struct Inbox: Sendable {
        var commands: [Command] = []
        /// `nil` while there is no thread.
        var multi: MultiHandle?
        var isClosed = false
        var isSuspended = false
        /// Whether the thread waits, or is about to, and nobody has woken it since.
        var isAsleep = false
        var openLoadCount = 0
        var nextLoad: UInt64 = 0
        var configuration: Downloader.Configuration

        /// Adds a command. Returns what to wake, if the thread sleeps.
        mutating func append(_ command: Command) -> MultiHandle? {
            commands.append(command)
            guard isAsleep else { return nil }
            isAsleep = false
            return multi
        }
    }

    let time: TimeSource
    private let inbox: Lock<Inbox>
    private let counters = Lock(DownloadCounters())

    init(_ configuration: Downloader.Configuration, time: TimeSource) {
        inbox = Lock(Inbox(configuration: configuration))
        self.time = time
    }

    var openLoadCount: Int { inbox.withLock { $0.openLoadCount } }
    var configuration: Downloader.Configuration { inbox.withLock { $0.configuration } }
    var isSuspended: Bool { inbox.withLock { $0.isSuspended } }
    var currentCounters: DownloadCounters { counters.withLock { $0 } }

    // MARK: Callers

    func load(_ request: LoadRequest, handler: @escaping @Sendable (LoadEvent) -> Void) -> any LoadHandle {
        enum Outcome {
            case queued(MultiHandle?)
            case needsThread(MultiHandle)
            case failed
        }
        let ticket = LoadTicket(request, start: time.monotonic, handler: handler)
        let (id, outcome, hold) = inbox.withLock { inbox -> (LoadID, Outcome, (any BackgroundHold)?) in
            let id = LoadID(number: inbox.nextLoad)
            inbox.nextLoad += 1
            let hold = request.continuesInBackground ? inbox.configuration.backgroundHold : nil
            let isFirst = inbox.multi == nil
            let connections = inbox.configuration.idleConnectionCount
            guard let multi = inbox.multi ?? MultiHandle(connections: connections) else { return (id, .failed, nil) }
            inbox.multi = multi
            let sleeper = inbox.append(.load(id, ticket))
            inbox.openLoadCount += 1
            return (id, isFirst ? .needsThread(multi) : .queued(sleeper), hold)
        }
        if let hold {
            let token = hold.begin { [self] in
                if ticket.expire() { send(.cancel(id)) }
            }
            if let token { ticket.keep(token) }
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

    func update(_ configuration: Downloader.Configuration) {
        inbox.withLock { $0.configuration = configuration }
        send(.configure(configuration))
    }

    func suspend(_ isSuspended: Bool) {
        inbox.withLock { $0.isSuspended = isSuspended }
        send(.suspend(isSuspended))
    }

    func send(_ command: Command) {
        let sleeper = inbox.withLock { inbox -> MultiHandle? in
            // Without a thread there is no load that the command could concern.
            inbox.multi == nil ? nil : inbox.append(command)
        }
        sleeper?.wake()
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
        inbox.withLock { inbox in
            inbox.isAsleep = false
            swap(&inbox.commands, &commands)
        }
    }

    /// Whether nobody has asked anything since the last call of ``takeCommands(into:)``: who does from now on wakes the
    /// thread.
    func fallsAsleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isAsleep = inbox.commands.isEmpty
            return inbox.isAsleep
        }
    }

    func loadEnded() { inbox.withLock { $0.openLoadCount -= 1 } }

    func count(_ change: (inout DownloadCounters) -> Void) { counters.withLock { change(&$0) } }

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
            inbox.isAsleep = false
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
