internal import KuvaCore

/// Decides which progress is worth an event. A value.
struct ProgressFilter: Sendable {
    /// The part of the whole that must lie between two events.
    let minimumInterval: Double

    private var reportedByteCount: Int64 = 0

    init(minimumInterval: Double) { self.minimumInterval = minimumInterval }

    /// Bytes have come. Returns the event to report, if any.
    mutating func received(_ count: Int64, of expected: Int64?) -> LoadProgress? {
        guard count > reportedByteCount else { return nil }
        if let expected, expected > 0, count < expected,
            Double(count - reportedByteCount) < minimumInterval * Double(expected)
        {
            return nil
        }
        reportedByteCount = count
        return LoadProgress(receivedByteCount: count, expectedByteCount: expected)
    }

    /// The whole body has come. Returns the last event, unless it was reported.
    mutating func finished(_ count: Int64) -> LoadProgress? {
        guard count > reportedByteCount else { return nil }
        reportedByteCount = count
        return LoadProgress(receivedByteCount: count, expectedByteCount: count)
    }
}
