public import FoundationEssentials
public import KuvaCore

/// One step of a load that has ended: what it was, how long it took and how it went.
public struct StageRecord: Sendable {
    /// The step.
    public let stage: ImageError.Stage
    /// The picture.
    public let url: URL
    /// When the step began, on the manager's monotonic clock; waiting for a turn or a thread is part of the step.
    public let start: Duration
    /// How long it took.
    public let duration: Duration
    /// Bytes read, received or written; `nil` for steps on pixels and for misses.
    public let byteCount: Int?
    /// Why it failed; `nil` if it went well. A miss in a cache is no failure.
    public let error: ImageError?
}

extension LoadEngine {
    /// Tells the configuration's hook of a step that has just ended. Costs nothing without a hook.
    func record(
        _ stage: ImageError.Stage,
        _ url: URL,
        since start: Duration,
        byteCount: Int? = nil,
        error: ImageError? = nil
    ) {
        guard let hook = configuration.onStageEnd else { return }
        let duration = configuration.time.monotonic - start
        hook(
            StageRecord(
                stage: stage,
                url: url,
                start: start,
                duration: duration,
                byteCount: byteCount,
                error: error
            )
        )
    }
}
