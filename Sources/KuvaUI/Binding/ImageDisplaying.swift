public import KuvaCore

/// Anything that can show a picture: a GTK widget, a canvas, a test.
///
/// It adopts these four, owns an ``ImageBinding``, and so gets loading, cancelling, placeholders and indicators.
@MainActor
public protocol ImageDisplaying: AnyObject {
    /// Shows a picture, or nothing, in place of what is shown.
    func display(_ image: Image?)

    /// Whether anything is shown now, a placeholder included.
    var isDisplayingImage: Bool { get }

    /// Shows or hides that something is loading, if the view does that.
    func setLoading(_ isLoading: Bool)

    /// Shows how far the load is, if the view does that. Only between `setLoading(true)` and `setLoading(false)`.
    func setProgress(_ progress: LoadProgress)
}

extension ImageDisplaying {
    /// Shows no indicator.
    public func setLoading(_ isLoading: Bool) {}

    /// Shows no progress.
    public func setProgress(_ progress: LoadProgress) {}
}
