public import KuvaCore

/// In which size a view shows pictures, so that no more is decoded than is shown.
public enum PictureSize: Hashable, Sendable {
    /// The view takes the size that pictures have.
    case natural
    /// The view has a size of its own.
    ///
    /// - Parameter scale: device pixels a point; pictures get it, so that their size in points is the one shown.
    case target(TargetSize, scale: Double)
    /// The view has not been laid out yet. The load waits until the view calls ``ImageBinding/pictureSizeIsKnown()``.
    case unknown
}
