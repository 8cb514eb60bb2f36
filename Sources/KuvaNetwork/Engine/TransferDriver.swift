internal import FoundationEssentials
internal import KuvaCore

/// The body of the network thread: takes commands, starts what may start, drives curl and ends what has ended.
///
/// What callers ask is in `+Commands`, the way of a job from one attempt to the next in `+Attempts`, and how it ends in
/// `+Ends`.
///
/// The books are exempt from the check for overlapping access, which costs more than an entry: none of their methods
/// calls anything that could come back to the driver.
final class TransferDriver {
    let engine: NetworkEngine
    let multi: MultiHandle
    let time: TimeSource
    var configuration: Downloader.Configuration
    var setup: RequestSetup

    @exclusivity(unchecked) var queue: DownloadQueue
    /// Jobs by the ids of those who wait for them, and of the jobs themselves.
    @exclusivity(unchecked) var jobs: [LoadID: LoadJob] = [:]
    /// Jobs that others can join.
    @exclusivity(unchecked) var joinable: [SharingKey: LoadJob] = [:]
    /// Transfers that curl has, in no order; each knows its place.
    @exclusivity(unchecked) private var running: [Transfer] = []
    /// A moment before which no transfer can have taken too long.
    @exclusivity(unchecked) private var nextDeadline = Duration.zero
    /// Jobs that wait for their next attempt, the first one last.
    @exclusivity(unchecked) var pausing: [(deadline: Duration, job: LoadJob)] = []
    var isSuspended = false
    /// Jobs that have not ended, those of no interest to anyone any longer not included.
    @exclusivity(unchecked) var openJobCount = 0
    /// Where bodies are transformed.
    lazy var transformPool = WorkPool(name: "kuva-transform", threads: WorkPool.processorCount)
    lazy var jar = CookieJar()

    @exclusivity(unchecked) private var idleHandles: [EasyHandle] = []
    /// Transfers to which something has happened since they were last looked at.
    @exclusivity(unchecked) private var touchedTransfers: [Transfer] = []

    init(engine: NetworkEngine, multi: MultiHandle) {
        self.engine = engine
        self.multi = multi
        configuration = engine.configuration
        time = engine.time
        isSuspended = engine.isSuspended
        setup = RequestSetup(configuration)
        queue = DownloadQueue(limits: configuration.limits, order: configuration.order.queueOrder)
    }

    /// Runs until the downloader is gone and the last load has ended.
    func run() {
        var commands: [NetworkEngine.Command] = []
        while true {
            // Transfers end after the commands, so that who asked before the end shares it; and who hears of the end often
            // asks for the next.
            repeat {
                engine.takeCommands(into: &commands)
                for command in commands { apply(command) }
            } while endDone()
            resumePausing()
            startWaiting()
            if openJobCount == 0, engine.endsThread() { return }
            do throws(CurlFailure) {
                try multi.perform()
                lookAtTouched()
                if endDone() { continue }
                let timeLeft = endExpired()
                try multi.poll(engine.fallsAsleep() ? timeLeft : .zero)
                lookAtTouched()
            } catch {
                return endAll(error)
            }
        }
    }

    /// Something has happened to a transfer inside `perform`.
    func touched(_ transfer: Transfer) { touchedTransfers.append(transfer) }

    private func startWaiting() {
        guard !isSuspended else { return }
        while let id = queue.startNext() {
            guard let job = jobs[id] else {
                queue.remove(id)
                continue
            }
            start(job)
        }
    }

    // MARK: Handles

    func takeHandle() throws(CurlFailure) -> EasyHandle {
        guard let handle = idleHandles.popLast() ?? EasyHandle() else { throw CurlFailure(.outOfMemory) }
        return handle
    }

    /// A transfer goes to curl from now on.
    func enlist(_ transfer: Transfer) {
        transfer.place = running.count
        running.append(transfer)
        deadlineMoved(of: transfer)
    }

    /// A transfer may have taken too long earlier than was known.
    func deadlineMoved(of transfer: Transfer) { nextDeadline = min(nextDeadline, transfer.clock.deadline) }

    /// Takes a transfer out of curl and out of the books.
    func retire(_ transfer: Transfer) {
        multi.remove(transfer.easy)
        transfer.easy.finish()
        if idleHandles.count < configuration.maximumConcurrentLoads { idleHandles.append(transfer.easy) }
        guard let place = transfer.place else { return }
        transfer.place = nil
        let last = running.removeLast()
        guard last !== transfer else { return }
        last.place = place
        running[place] = last
    }

    // MARK: The loop

    private func lookAtTouched() {
        guard !touchedTransfers.isEmpty else { return }
        let now = time.monotonic
        for transfer in touchedTransfers {
            transfer.lookedAt(now: now)
            deadlineMoved(of: transfer)
        }
        touchedTransfers.removeAll(keepingCapacity: true)
    }

    /// Ends what curl says has ended. Returns whether there was any.
    private func endDone() -> Bool {
        var wasAny = false
        while let done = multi.nextDone() {
            wasAny = true
            guard let transfer = done.listener as? Transfer else { continue }
            var failure = done.failure
            if failure != nil { failure?.text = transfer.easy.errorText }
            ended(transfer, failure)
        }
        return wasAny
    }

    /// Ends what has taken too long. Returns how long nothing more can.
    private func endExpired() -> Duration {
        let now = time.monotonic
        if now >= nextDeadline {
            var next = Duration.seconds(Int64.max)
            var wasAny = false
            // A copy: what ends leaves the list.
            for transfer in Array(running) {
                if let wait = transfer.clock.expired(now: now) {
                    wasAny = true
                    let received = transfer.exchange.receivedByteCount
                    failed(transfer, TransferErrors.error(for: wait, url: transfer.exchange.url, received: received))
                } else {
                    transfer.clock.measured(now: now)
                    next = min(next, transfer.clock.deadline)
                }
            }
            nextDeadline = next
            // There may be room for others now.
            if wasAny { return .zero }
        }
        var next = nextDeadline
        if let pause = pausing.last { next = min(next, pause.deadline) }
        return min(next - now, .seconds(86_400))
    }

    /// curl itself failed, which no single transfer can be blamed for.
    private func endAll(_ failure: CurlFailure) {
        let error = ImageError(.transferFailed, "the transfer library failed", advice: "try again", cause: failure)
        for transfer in Array(running) { retire(transfer) }
        for job in Array(jobs.values) where !job.isEnded { conclude(job, .failure(error)) }
        engine.threadFailed(error)
    }
}
