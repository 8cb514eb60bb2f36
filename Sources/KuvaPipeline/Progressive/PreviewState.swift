internal import FoundationEssentials

/// When a preview is due. A value that decides and never acts.
///
/// At most one decode is in flight; bytes that come meanwhile are taken together by the next, which follows at once as
/// long as there has been nothing to show. Previews keep a minimum distance, counted from the end of one to the start of
/// the next; bytes within it wait for those that come after it, or for the end of the file.
struct PreviewState: Sendable {
    private let interval: Duration
    private var waiting: [Data] = []
    private var isDecoding = false
    private var lastEnd: Duration?

    init(interval: Duration) { self.interval = interval }

    /// Bytes came. Returns whether the caller must queue a decode.
    mutating func received(_ bytes: Data, at now: Duration) -> Bool {
        waiting.append(bytes)
        guard !isDecoding else { return false }
        if let lastEnd, now - lastEnd < interval { return false }
        isDecoding = true
        return true
    }

    /// The decode that was queued starts. Returns the bytes that it must feed.
    mutating func started() -> [Data] {
        defer { waiting = [] }
        return waiting
    }

    /// The decode ended. `shown` says whether it gave a preview. Returns whether the caller must do the next.
    mutating func ended(at now: Duration, shown: Bool) -> Bool {
        if shown { lastEnd = now }
        isDecoding = !shown && !waiting.isEmpty
        return isDecoding
    }
}
