public import KuvaCore

/// Anything that can show a picture: a GTK widget, a canvas, a test.
///
/// It says how pictures get onto it; an ``ImageBinding`` does the rest: loading, cancelling, placeholders, transitions.
/// A view with one picture may ignore the slots.
@MainActor
public protocol ImageDisplaying: AnyObject {
    /// Shows a picture, or nothing, in place of what is shown.
    func display(_ image: Image?, in slot: ImageSlot)

    /// What is shown now, a placeholder included.
    func displayedImage(in slot: ImageSlot) -> Image?

    /// Shows a picture with a transition: calls what the transition prepares and each of its steps. The default shows
    /// the picture at once.
    ///
    /// - Parameter completion: called once: with `true` when the transition has come to its end, with `false` if
    ///   something else was to be shown before.
    func display(
        _ image: Image,
        in slot: ImageSlot,
        with transition: ImageTransition,
        completion: @escaping @MainActor (_ isFinished: Bool) -> Void
    )

    /// Shows or hides that something is loading, if the view does that.
    func setLoading(_ isLoading: Bool, in slot: ImageSlot)

    /// Shows how far the load is, if the view does that. Only between `setLoading(true)` and `setLoading(false)`.
    func setProgress(_ progress: LoadProgress, in slot: ImageSlot)

    /// In which size the view shows pictures; asked once for each load whose request and options name none.
    func pictureSize(in slot: ImageSlot) -> PictureSize
}

extension ImageDisplaying {
    /// Shows the picture at once.
    public func display(
        _ image: Image,
        in slot: ImageSlot,
        with transition: ImageTransition,
        completion: @escaping @MainActor (_ isFinished: Bool) -> Void
    ) {
        transition.prepare?()
        display(image, in: slot)
        transition.step?(1)
        completion(true)
    }

    /// Shows no indicator.
    public func setLoading(_ isLoading: Bool, in slot: ImageSlot) {}

    /// Shows no progress.
    public func setProgress(_ progress: LoadProgress, in slot: ImageSlot) {}

    /// Takes the size that pictures have.
    public func pictureSize(in slot: ImageSlot) -> PictureSize { .natural }
}
