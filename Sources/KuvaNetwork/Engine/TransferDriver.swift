internal import FoundationEssentials
internal import KuvaCore

/// The body of the network thread: takes commands, starts what may start, drives curl and ends what has ended.
///
/// What callers ask is in `+Commands`, the way of a job from one attempt to the next in `+Attempts`, and how it ends in
/// `+Ends`.
final class TransferDriver {
    let engine: NetworkEngine
    let multi: MultiHandle
    let time: TimeSource
    var configuration: Downloader.Configuration
    var setup: RequestSetup

    var queue: DownloadQueue
    /// Jobs by the ids of those who wait for them, and of the jobs themselves.
    var jobs: [LoadID: LoadJob] = [:]
    /// Jobs that others can join.
    var joinable: [String: LoadJob] = [:]
    var running: [LoadID: Transfer] = [:]
    /// Jobs that wait for their next attempt, the first one last.
    var pausing: [(deadline: Duration, job: LoadJob)] = []
    var isSuspended = false
    /// Jobs that have not ended, those of no interest to anyone any longer not included.
    var openJobCount = 0
    /// Where bodies are transformed.
    lazy var transformPool = WorkPool(name: "kuva-transform", threads: WorkPool.processorCount)
    lazy var jar = CookieJar()

    private var idleHandles: [EasyHandle] = []
    /// Transfers to which something has happened since they were last looked at.
    private var touchedTransfers: [Transfer] = []

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
            engine.takeCommands(into: &commands)
            for command in commands { apply(command) }
            resumePausing()
            startWaiting()
            if openJobCount == 0, engine.endsThread() { return }
            do throws(CurlFailure) {
                try multi.perform()
                lookAtTouched()
                if endDone() { continue }
                endExpired()
                try multi.poll(timeUntilNextDeadline())
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

    /// Takes a transfer out of curl and out of the books.
    func retire(_ transfer: Transfer) {
        multi.remove(transfer.easy)
        transfer.easy.finish()
        running[transfer.job.id] = nil
        if idleHandles.count < configuration.maximumConcurrentLoads { idleHandles.append(transfer.easy) }
    }

    // MARK: The loop

    private func lookAtTouched() {
        guard !touchedTransfers.isEmpty else { return }
        let now = time.monotonic
        for transfer in touchedTransfers { transfer.lookedAt(now: now) }
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

    private func endExpired() {
        let now = time.monotonic
        for (_, transfer) in running {
            guard let wait = transfer.clock.expired(now: now) else {
                transfer.clock.measured(now: now)
                continue
            }
            let received = transfer.exchange.receivedByteCount
            let error = TransferErrors.error(for: wait, url: transfer.exchange.url, received: received)
            failed(transfer, error)
        }
    }

    private func timeUntilNextDeadline() -> Duration {
        var next: Duration?
        for transfer in running.values { next = min(next ?? .seconds(Int64.max), transfer.clock.deadline) }
        if let pause = pausing.last { next = min(next ?? .seconds(Int64.max), pause.deadline) }
        return next.map { $0 - time.monotonic } ?? .seconds(86_400)
    }

    /// curl itself failed, which no single transfer can be blamed for.
    private func endAll(_ failure: CurlFailure) {
        let error = ImageError(.transferFailed, "the transfer library failed", advice: "try again", cause: failure)
        for transfer in running.values { retire(transfer) }
        for job in Array(jobs.values) where !job.isEnded { conclude(job, .failure(error)) }
        engine.threadFailed(error)
    }
}
