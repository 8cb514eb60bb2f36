public import KuvaCore

/// Anything that can show a picture: a GTK widget, a canvas, a test.
///
/// It adopts these, owns an ``ImageBinding``, and so gets loading, cancelling, placeholders and indicators.
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

    /// In which size the view shows pictures; asked once for each load whose request and options name none.
    func pictureSize() -> PictureSize
}

/// In which size a view shows pictures, so that no more is decoded than is shown.
public enum PictureSize: Hashable, Sendable {
    /// The view takes the size that pictures have.
    case natural
    /// The view has a size of its own.
    ///
    /// - Parameters:
    ///   - scale: device pixels a point; pictures get it, so that their size in points is the one shown.
    case target(TargetSize, scale: Double)
    /// The view has not been laid out yet. The load waits until it calls ``ImageBinding/pictureSizeIsKnown()``.
    case unknown
}

extension ImageDisplaying {
    /// Shows no indicator.
    public func setLoading(_ isLoading: Bool) {}

    /// Shows no progress.
    public func setProgress(_ progress: LoadProgress) {}

    /// Takes the size that pictures have.
    public func pictureSize() -> PictureSize { .natural }
}
