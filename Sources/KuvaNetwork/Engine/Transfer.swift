internal import FoundationEssentials
internal import KuvaCore

/// One attempt of a job: its exchange, its clock, its body and its curl handle. Belongs to the network thread.
///
/// What changes with every line and every run of bytes is exempt from the check for overlapping access, which costs more
/// than the change: no method of these values calls anything that could come back to the transfer.
final class Transfer: TransferListener {
    /// Lets go of the transfer when it ends.
    let job: LoadJob
    let easy: EasyHandle
    @exclusivity(unchecked) var exchange: Exchange
    @exclusivity(unchecked) var clock: TransferClock
    /// Where the driver's list has it; `nil` if it does not.
    @exclusivity(unchecked) var place: Int?
    /// What the answer's `Vary` names, once its head has ended; `nil` if nothing.
    private(set) var varyNames: Set<String>?

    /// What has happened since the driver last looked.
    @exclusivity(unchecked) private(set) var hasConnected = false
    @exclusivity(unchecked) private(set) var hasReceived = false

    @exclusivity(unchecked) private var progress: ProgressFilter
    @exclusivity(unchecked) private var body = BodyBuffer()
    /// Whether somebody may want bytes before the end.
    private let passesBytes: Bool
    private let time: TimeSource
    private unowned let driver: TransferDriver

    init(
        job: LoadJob,
        easy: EasyHandle,
        exchange: Exchange,
        clock: TransferClock,
        progress: ProgressFilter,
        passesBytes: Bool,
        time: TimeSource,
        driver: TransferDriver
    ) {
        self.job = job
        self.easy = easy
        self.exchange = exchange
        self.clock = clock
        self.progress = progress
        self.passesBytes = passesBytes
        self.time = time
        self.driver = driver
    }

    func transferConnected() {
        hasConnected = true
        driver.touched(self)
    }

    func transferReceived(headerLine: UnsafeRawBufferPointer) -> Bool {
        markReceived()
        let goesOn = exchange.receive(headerLine: headerLine) { time.wall }
        if exchange.isReceiving { headEnded() }
        return goesOn
    }

    func transferReceived(body bytes: UnsafeRawBufferPointer) -> Bool {
        markReceived()
        switch exchange.receive(bodyByteCount: bytes.count) {
        case .keep: break
        case .drop: return true
        case .stop: return false
        }
        guard prepareBody() else { return memoryRanOut() }
        let offset = body.count
        guard body.append(bytes) else { return memoryRanOut() }
        pass(bytes, from: offset)
        return true
    }

    /// Puts in front what an earlier attempt brought, and makes room for the rest.
    private func prepareBody() -> Bool {
        guard body.count == 0 else { return true }
        if let expected = exchange.expectedByteCount, !body.reserve(expected) { return false }
        guard let earlier = exchange.resumedBytes else { return true }
        return earlier.withUnsafeBytes { body.append($0) }
    }

    private func headEnded() {
        guard exchange.receivedByteCount == 0 || body.count == 0 else { return }
        varyNames = exchange.varyNames
        if let varyNames { driver.headEnded(of: job, naming: varyNames) }
        if let earlier = exchange.resumedBytes {
            earlier.withUnsafeBytes { pass($0, from: 0) }
        } else {
            for subscriber in job.subscribers { subscriber.ticket.startOver() }
        }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer, from offset: Int) {
        guard passesBytes else { return }
        for subscriber in job.subscribers { subscriber.ticket.pass(bytes, from: offset) }
    }

    /// Tells a caller who joins what the others know.
    func bringUpToDate(_ ticket: LoadTicket) {
        guard exchange.receivedByteCount > 0 else { return }
        if passesBytes { body.withBytes { ticket.pass($0, from: 0) } }
        ticket.report(
            LoadProgress(
                receivedByteCount: exchange.receivedByteCount,
                expectedByteCount: exchange.expectedByteCount
            )
        )
    }

    /// Brings the clock up to date, reports progress and forgets that anything happened.
    func lookedAt(now: Duration) {
        if hasConnected { clock.connected(now: now) }
        if hasReceived {
            clock.received(now: now, isReceiving: exchange.isDecided, byteCount: exchange.receivedByteCount)
        }
        hasConnected = false
        hasReceived = false
        if let progress = progress.received(exchange.receivedByteCount, of: exchange.expectedByteCount) {
            for subscriber in job.subscribers { subscriber.ticket.report(progress) }
        }
    }

    /// Reports that the whole has come, if that was not said yet.
    func reportEnd() {
        guard let progress = progress.finished(exchange.receivedByteCount) else { return }
        for subscriber in job.subscribers { subscriber.ticket.report(progress) }
    }

    /// The whole body; only once.
    func takeBody() -> Data { body.take() }

    /// What has come of the body, if a later attempt can go on from there; only once.
    func takePartial() -> PartialBody? {
        guard let origin = exchange.resumeOrigin, body.count > 0 else { return nil }
        return PartialBody(origin: origin, bytes: body.take())
    }

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
