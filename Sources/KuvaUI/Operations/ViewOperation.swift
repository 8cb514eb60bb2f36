public import KuvaPipeline

/// Work for a view that can be cancelled.
///
/// An ``ImageBinding`` keeps its own loads as operations, and takes others, so that they end with the picture for which
/// they work.
@MainActor
public protocol ViewOperation: AnyObject {
    /// Ends the work, if it has not ended.
    func cancel()
}

extension ImageTask: ViewOperation {}
