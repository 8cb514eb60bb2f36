public import KuvaCore

/// Something that shows that a picture is on its way: a spinner, a bar, a ring.
@MainActor
public protocol LoadIndicator: AnyObject {
    /// A load has begun.
    func start()
    /// More bytes have come. Only between `start` and `stop`.
    func update(_ progress: LoadProgress)
    /// The load has ended.
    func stop()
}
