import KuvaCore
import KuvaNetwork

/// Keeps what is told to it, from any thread.
final class Journal<Entry: Sendable>: Sendable {
    private let state = Lock<[Entry]>([])
    var entries: [Entry] { state.withLock { $0 } }
    func append(_ entry: Entry) { state.withLock { $0.append(entry) } }
}

extension Journal where Entry == DownloadEvent {
    /// The delays before further attempts, in order.
    var delays: [Duration] {
        entries.compactMap { event in
            guard case .retrying(_, let delay, _) = event else { return nil }
            return delay
        }
    }
}
