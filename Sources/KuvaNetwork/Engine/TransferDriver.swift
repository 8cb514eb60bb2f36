internal import FoundationEssentials
internal import KuvaCore

/// The body of the network thread: takes commands, starts what may start, drives curl and ends what has ended.
final class TransferDriver {
    private let engine: NetworkEngine
    private let multi: MultiHandle
    private let configuration: Downloader.Configuration
    private let time: TimeSource
    private let headers: Result<HeaderLines, CurlFailure>

    private var queue: DownloadQueue
    private var waiting: [LoadID: LoadTicket] = [:]
    private var transfers: [LoadID: Transfer] = [:]
    private var idleHandles: [EasyHandle] = []
    /// Transfers to which something has happened since they were last looked at.
    private var touchedTransfers: [Transfer] = []

    init(engine: NetworkEngine, multi: MultiHandle) {
        self.engine = engine
        self.multi = multi
        configuration = engine.configuration
        time = engine.time
        let fields = configuration.headers
        headers = Result { () throws(CurlFailure) in try HeaderLines(fields) }
        queue = DownloadQueue(
            limits: DownloadQueue.Limits(
                total: configuration.maximumConcurrentLoads,
                perHost: configuration.maximumConcurrentLoadsPerHost
            ),
            order: configuration.order == .firstInFirstOut ? .firstInFirstOut : .lastInFirstOut
        )
    }

    /// Runs until the downloader is gone and the last load has ended.
    func run() {
        var commands: [NetworkEngine.Command] = []
        while true {
            engine.takeCommands(into: &commands)
            for command in commands { apply(command) }
            startWaiting()
            if queue.isEmpty, engine.endsThread() { return }
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

    // MARK: Commands

    private func apply(_ command: NetworkEngine.Command) {
        switch command {
        case .load(let id, let ticket):
            if ticket.request.url.host()?.isEmpty ?? true {
                deliver(.failure(Self.noHost(ticket.request.url)), to: ticket)
            } else if ticket.isCancelled {
                deliverCancelled(ticket)
            } else {
                waiting[id] = ticket
                queue.add(id, host: RedirectRule.origin(ticket.request.url), priority: ticket.request.priority)
            }
        case .cancel(let id):
            if let ticket = waiting.removeValue(forKey: id) {
                queue.remove(id)
                deliverCancelled(ticket)
            } else if let transfer = transfers[id] {
                retire(transfer)
                deliverCancelled(transfer.ticket)
            }
        case .setPriority(let priority, let id):
            queue.setPriority(priority, of: id)
        }
    }

    private static func noHost(_ url: URL) -> ImageError {
        ImageError(.invalidURL, "the address names no host", advice: "write it as \(url.scheme ?? "https")://host/path")
    }

    // MARK: Starting

    private func startWaiting() {
        while let id = queue.startNext() {
            guard let ticket = waiting.removeValue(forKey: id) else {
                queue.remove(id)
                continue
            }
            do throws(CurlFailure) {
                try start(id, ticket)
            } catch {
                queue.remove(id)
                deliver(.failure(TransferErrors.error(for: error, url: ticket.request.url)), to: ticket)
            }
        }
    }

    private func start(_ id: LoadID, _ ticket: LoadTicket) throws(CurlFailure) {
        guard let easy = idleHandles.popLast() ?? EasyHandle() else { throw CurlFailure(.outOfMemory) }
        let rules = Exchange.Rules(
            maximumBodyByteCount: configuration.maximumBodyByteCount,
            maximumHeaderByteCount: configuration.maximumHeaderByteCount,
            maximumRedirectCount: configuration.maximumRedirectCount
        )
        let limits = TransferClock.Limits(
            connect: configuration.connectTimeout,
            idle: configuration.idleTimeout,
            total: configuration.totalTimeout
        )
        let transfer = Transfer(
            id: id,
            ticket: ticket,
            easy: easy,
            exchange: Exchange(url: ticket.request.url, rules: rules, at: time.wall),
            clock: TransferClock(limits: limits, now: time.monotonic),
            progress: ProgressFilter(minimumInterval: configuration.minimumProgressInterval),
            time: time,
            driver: self
        )
        try send(transfer)
        transfers[id] = transfer
    }

    /// Gives curl the request that the exchange is at.
    private func send(_ transfer: Transfer) throws(CurlFailure) {
        let url = transfer.exchange.url
        try transfer.easy.prepare(
            url: url.absoluteString,
            headers: try headers.get(),
            isSecure: url.scheme?.lowercased() == "https",
            usesProxy: configuration.usesProxyFromEnvironment,
            listener: transfer
        )
        try multi.add(transfer.easy)
    }

    // MARK: Progress and ends

    private func lookAtTouched() {
        guard !touchedTransfers.isEmpty else { return }
        let now = time.monotonic
        for transfer in touchedTransfers {
            transfer.lookedAt(now: now)
            let exchange = transfer.exchange
            if let progress = transfer.progress.received(exchange.receivedByteCount, of: exchange.expectedByteCount) {
                transfer.ticket.report(progress)
            }
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
            multi.remove(transfer.easy)
            switch transfer.exchange.ended(failure) {
            case .redirect(let url): redirect(transfer, to: url)
            case .failed(let error): end(transfer, .failure(error))
            case .finished(let response): finish(transfer, response)
            }
        }
        return wasAny
    }

    private func redirect(_ transfer: Transfer, to url: URL) {
        transfer.exchange.redirected(to: url, at: time.wall)
        transfer.clock.restarted(now: time.monotonic)
        do throws(CurlFailure) {
            try send(transfer)
        } catch {
            end(transfer, .failure(TransferErrors.error(for: error, url: url)))
        }
    }

    private func finish(_ transfer: Transfer, _ response: StoredResponse) {
        if let progress = transfer.progress.finished(transfer.exchange.receivedByteCount) {
            transfer.ticket.report(progress)
        }
        end(transfer, .success(LoadedData(bytes: transfer.takeBody(), response: response)))
    }

    private func endExpired() {
        let now = time.monotonic
        for transfer in transfers.values {
            guard let wait = transfer.clock.expired(now: now) else { continue }
            multi.remove(transfer.easy)
            let received = transfer.exchange.receivedByteCount
            end(transfer, .failure(TransferErrors.error(for: wait, url: transfer.exchange.url, received: received)))
        }
    }

    private func timeUntilNextDeadline() -> Duration {
        guard let deadline = transfers.values.lazy.map(\.clock.deadline).min() else { return .seconds(86_400) }
        return deadline - time.monotonic
    }

    /// curl itself failed, which no single transfer can be blamed for.
    private func endAll(_ failure: CurlFailure) {
        for transfer in transfers.values {
            multi.remove(transfer.easy)
            end(transfer, .failure(TransferErrors.error(for: failure, url: transfer.exchange.url)))
        }
        let error = ImageError(.transferFailed, "the transfer library failed", advice: "try again", cause: failure)
        for ticket in waiting.values { deliver(.failure(error), to: ticket) }
        engine.threadFailed(error)
    }

    /// Takes a running transfer out of curl and out of the books.
    private func retire(_ transfer: Transfer) {
        multi.remove(transfer.easy)
        forget(transfer)
    }

    private func end(_ transfer: Transfer, _ result: Result<LoadedData, ImageError>) {
        forget(transfer)
        deliver(result, to: transfer.ticket)
    }

    private func forget(_ transfer: Transfer) {
        transfers[transfer.id] = nil
        queue.remove(transfer.id)
        transfer.easy.finish()
        if idleHandles.count < configuration.maximumConcurrentLoads { idleHandles.append(transfer.easy) }
    }

    private func deliver(_ result: Result<LoadedData, ImageError>, to ticket: LoadTicket) {
        engine.loadEnded()
        ticket.finish(result)
    }

    private func deliverCancelled(_ ticket: LoadTicket) {
        // The ticket says `cancelled` by itself, whatever the result.
        deliver(.failure(ImageError(.cancelled, "the load was cancelled")), to: ticket)
    }
}
