internal import FoundationEssentials
internal import KuvaCore
internal import Synchronization

/// The caller's side of one load: sees to it that `finished` comes exactly once, comes last, says `cancelled` if that
/// was asked for before the end was decided, and lets go of what held the program open.
final class LoadTicket: Sendable {
    let request: LoadRequest
    /// When the load was asked for.
    let start: Duration

    private enum Phase {
        static let open: UInt8 = 0
        static let cancelled: UInt8 = 1
        /// The program's time is over.
        static let expired: UInt8 = 2
        static let finished: UInt8 = 3
    }

    /// `nil` after the end: who keeps the handle in what the handler holds has made no cycle that stays.
    nonisolated(unsafe) private var handler: (@Sendable (LoadEvent) -> Void)?  // only who works on the load touches it
    private let phase = Atomic<UInt8>(Phase.open)
    /// Bytes handed on; -1 once there can be no more, because the load started over. Only the thread that works on the
    /// load touches it.
    private let passedByteCount = Atomic<Int>(0)
    private let hold: Lock<(any BackgroundHoldToken)?>?

    init(
        _ request: LoadRequest,
        start: Duration = .zero,
        handler: @escaping @Sendable (LoadEvent) -> Void
    ) {
        self.request = request
        self.start = start
        self.handler = handler
        hold = request.continuesInBackground ? Lock(nil) : nil
    }

    /// Whether the end has been decided from outside.
    var isCancelled: Bool {
        let phase = phase.load(ordering: .relaxed)
        return phase == Phase.cancelled || phase == Phase.expired
    }

    /// Decides that the load ends as cancelled. Returns whether this call decided it; `finish` must still be called,
    /// by whoever works on the load.
    func cancel() -> Bool { decide(Phase.cancelled) }

    /// Decides that the load ends because the program's time is over; as ``cancel()``.
    func expire() -> Bool { decide(Phase.expired) }

    private func decide(_ end: UInt8) -> Bool {
        phase.compareExchange(expected: Phase.open, desired: end, ordering: .sequentiallyConsistent).exchanged
    }

    /// Takes over what holds the program open, to release it at the end; at once, if that has come already.
    func keep(_ token: any BackgroundHoldToken) {
        hold?.withLock { $0 = token }
        if phase.load(ordering: .sequentiallyConsistent) == Phase.finished { releaseHold() }
    }

    private func releaseHold() {
        let token = hold?.withLock { token in
            defer { token = nil }
            return token
        }
        token?.release()
    }

    /// Reports progress; only the thread that works on the load calls it.
    func report(_ progress: LoadProgress) {
        if phase.load(ordering: .relaxed) == Phase.open { handler?(.progress(progress)) }
    }

    /// Whether ``pass(_:from:)`` would hand anything on.
    var takesBytes: Bool { request.wantsBytes && passedByteCount.load(ordering: .relaxed) >= 0 }

    /// Hands bytes on as they come, if the caller wants them; only the thread that works on the load calls it.
    ///
    /// - Parameter offset: where in the body they begin. What has been handed on already is left out; `nil` for right
    ///   after that.
    func pass(_ bytes: UnsafeRawBufferPointer, from offset: Int? = nil) {
        guard takesBytes, phase.load(ordering: .relaxed) == Phase.open else { return }
        let passed = passedByteCount.load(ordering: .relaxed)
        let skipped = passed - (offset ?? passed)
        guard skipped >= 0, skipped < bytes.count else { return }
        passedByteCount.store(passed + bytes.count - skipped, ordering: .relaxed)
        handler?(.bytes(Data(bytes[skipped...])))
    }

    /// The same for bytes in a `Data`, from the start of the body.
    func pass(_ bytes: Data) { bytes.withUnsafeBytes { pass($0, from: 0) } }

    /// The body starts over: who has seen bytes of it sees no more.
    func startOver() {
        if passedByteCount.load(ordering: .relaxed) > 0 { passedByteCount.store(-1, ordering: .relaxed) }
    }

    /// Ends the load; only the first call counts. Errors get the stage and the URL where they lack them.
    func finish(_ result: Result<LoadedData, ImageError>) {
        let end: Result<LoadedData, ImageError>
        switch phase.exchange(Phase.finished, ordering: .sequentiallyConsistent) {
        case Phase.open: end = result.mapError { $0.locating(stage: .download, url: request.url) }
        case Phase.cancelled: end = .failure(Self.cancelled(request.url))
        case Phase.expired: end = .failure(Self.expired(request.url))
        default: return
        }
        let handler = handler
        self.handler = nil
        handler?(.finished(end))
        releaseHold()
    }

    private static func cancelled(_ url: URL) -> ImageError {
        ImageError(.cancelled, "the load was cancelled", stage: .download, url: url)
    }

    private static func expired(_ url: URL) -> ImageError {
        ImageError(
            .networkCancelled,
            "the program's time in the background was over",
            advice: "load again when the program is open",
            stage: .download,
            url: url
        )
    }
}
