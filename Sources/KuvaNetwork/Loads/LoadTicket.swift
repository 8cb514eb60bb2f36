internal import FoundationEssentials
internal import KuvaCore
internal import Synchronization

/// The caller's side of one load: sees to it that `finished` comes exactly once, comes last, and says `cancelled` if
/// that was asked for before the end was decided.
final class LoadTicket: Sendable {
    let request: LoadRequest

    private enum Phase {
        static let open: UInt8 = 0
        static let cancelled: UInt8 = 1
        static let finished: UInt8 = 2
    }

    private let handler: @Sendable (LoadEvent) -> Void
    private let phase = Atomic<UInt8>(Phase.open)

    init(_ request: LoadRequest, handler: @escaping @Sendable (LoadEvent) -> Void) {
        self.request = request
        self.handler = handler
    }

    var isCancelled: Bool { phase.load(ordering: .relaxed) == Phase.cancelled }

    /// Decides that the load ends as cancelled. Returns whether this call decided it; `finish` must still be called,
    /// by whoever works on the load.
    func cancel() -> Bool {
        phase.compareExchange(
            expected: Phase.open,
            desired: Phase.cancelled,
            ordering: .sequentiallyConsistent
        ).exchanged
    }

    /// Reports progress; only the thread that works on the load calls it.
    func report(_ progress: LoadProgress) {
        if phase.load(ordering: .relaxed) == Phase.open { handler(.progress(progress)) }
    }

    /// Hands bytes on as they come, if the caller wants them; only the thread that works on the load calls it.
    func pass(_ bytes: UnsafeRawBufferPointer) {
        guard request.wantsBytes, !bytes.isEmpty, phase.load(ordering: .relaxed) == Phase.open else { return }
        handler(.bytes(Data(bytes)))
    }

    /// Ends the load; only the first call counts. Errors get the stage and the URL where they lack them.
    func finish(_ result: Result<LoadedData, ImageError>) {
        switch phase.exchange(Phase.finished, ordering: .sequentiallyConsistent) {
        case Phase.open: handler(.finished(result.mapError { $0.locating(stage: .download, url: request.url) }))
        case Phase.cancelled: handler(.finished(.failure(Self.cancelled(request.url))))
        default: break
        }
    }

    private static func cancelled(_ url: URL) -> ImageError {
        ImageError(.cancelled, "the load was cancelled", stage: .download, url: url)
    }
}
