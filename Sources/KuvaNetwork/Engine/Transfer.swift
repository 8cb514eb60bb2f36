internal import FoundationEssentials
internal import KuvaCore

/// A load that runs: its exchange, its clock, its body and its curl handle. Belongs to the network thread.
final class Transfer: TransferListener {
    let id: LoadID
    let ticket: LoadTicket
    let easy: EasyHandle
    var exchange: Exchange
    var clock: TransferClock
    var progress: ProgressFilter

    /// What has happened since the driver last looked.
    private(set) var hasConnected = false
    private(set) var hasReceived = false

    private var body = BodyBuffer()
    private let time: TimeSource
    private unowned let driver: TransferDriver

    init(
        id: LoadID,
        ticket: LoadTicket,
        easy: EasyHandle,
        exchange: Exchange,
        clock: TransferClock,
        progress: ProgressFilter,
        time: TimeSource,
        driver: TransferDriver
    ) {
        self.id = id
        self.ticket = ticket
        self.easy = easy
        self.exchange = exchange
        self.clock = clock
        self.progress = progress
        self.time = time
        self.driver = driver
    }

    func transferConnected() {
        hasConnected = true
        driver.touched(self)
    }

    func transferReceived(headerLine: UnsafeRawBufferPointer) -> Bool {
        markReceived()
        return exchange.receive(headerLine: headerLine) { time.wall }
    }

    func transferReceived(body bytes: UnsafeRawBufferPointer) -> Bool {
        markReceived()
        switch exchange.receive(bodyByteCount: bytes.count) {
        case .keep: break
        case .drop: return true
        case .stop: return false
        }
        let isStart = body.count == 0
        if isStart, let expected = exchange.expectedByteCount, !body.reserve(expected) { return memoryRanOut() }
        guard body.append(bytes) else { return memoryRanOut() }
        ticket.pass(bytes)
        return true
    }

    /// Brings the clock up to date and forgets that anything happened.
    func lookedAt(now: Duration) {
        if hasConnected { clock.connected(now: now) }
        if hasReceived { clock.received(now: now) }
        hasConnected = false
        hasReceived = false
    }

    /// The whole body; only once.
    func takeBody() -> Data { body.take() }

    private func markReceived() {
        guard !hasReceived else { return }
        hasReceived = true
        driver.touched(self)
    }

    private func memoryRanOut() -> Bool {
        exchange.memoryRanOut()
        return false
    }
}
