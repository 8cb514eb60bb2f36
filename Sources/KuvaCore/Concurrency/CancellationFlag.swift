internal import Synchronization

/// A flag that one side raises once and the working side looks at between rows.
///
/// Any thread may raise and read it; reading costs one relaxed load.
public final class CancellationFlag: Sendable {
    private let raised = Atomic<Bool>(false)

    /// Makes a flag that is not raised.
    public init() {}

    /// Whether ``cancel()`` has been called.
    public var isCancelled: Bool { raised.load(ordering: .relaxed) }

    /// Raises the flag; it stays raised.
    public func cancel() { raised.store(true, ordering: .relaxed) }

    /// - Throws: ``ImageError`` with the code `cancelled` once the flag is raised.
    public func check() throws(ImageError) {
        if isCancelled { throw ImageError(.cancelled, "the work was cancelled") }
    }
}
