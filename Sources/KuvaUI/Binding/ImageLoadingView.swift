public import FoundationEssentials
public import KuvaCore

/// A view that loads its pictures from the web. With its one property come all the methods below.
///
/// ```swift
/// final class Poster: ImageLoadingView {
///     private(set) lazy var imageBinding = ImageBinding(view: self, manager: .shared)
///     …                       // what ImageDisplaying asks for
/// }
/// poster.setImage(from: url, placeholder: grey)
/// ```
@MainActor
public protocol ImageLoadingView: ImageDisplaying {
    /// What ties the view to its pictures: made once with the view.
    var imageBinding: ImageBinding { get }
}

extension ImageLoadingView {
    /// Loads the picture at a URL into the view, with the priority ``Priority/high`` unless the options name one, since
    /// someone looks at it.
    ///
    /// The load before ends first: its completion gets the code `replaced`. A picture in memory is shown before the
    /// method returns. All callbacks come on the main actor.
    ///
    /// - Parameters:
    ///   - url: where the picture is; `nil` shows the placeholder and completes with the code `invalid-url`.
    ///   - placeholder: what to show until the picture is there.
    ///   - slot: which of the view's pictures it is.
    ///   - completion: called exactly once, whatever happens; with the code `cancelled` if the view ends before.
    public func setImage(
        from url: URL?,
        placeholder: Image? = nil,
        in slot: ImageSlot = .image,
        options: ViewLoadOptions = ViewLoadOptions(),
        completion: ImageBinding.Completion? = nil
    ) {
        let request = url.map { ImageRequest(url: $0, priority: .high) }
        setImage(request, placeholder: placeholder, in: slot, options: options, completion: completion)
    }

    /// Loads the picture at a URL into the view and tells of its bytes as they come; see the other method.
    ///
    /// - Parameter progress: called as bytes come; never after the completion.
    public func setImage(
        from url: URL?,
        placeholder: Image? = nil,
        in slot: ImageSlot = .image,
        options: ViewLoadOptions = ViewLoadOptions(),
        progress: @escaping ImageBinding.ProgressHandler,
        completion: ImageBinding.Completion?
    ) {
        let request = url.map { ImageRequest(url: $0, priority: .high) }
        setImage(
            request,
            placeholder: placeholder,
            in: slot,
            options: options,
            progress: progress,
            completion: completion
        )
    }

    /// Loads the picture that a request describes; in the request's size, if it has one.
    ///
    /// - Parameter completion: called exactly once, whatever happens; with the code `cancelled` if the view ends before.
    public func setImage(
        _ request: ImageRequest?,
        placeholder: Image? = nil,
        in slot: ImageSlot = .image,
        options: ViewLoadOptions = ViewLoadOptions(),
        completion: ImageBinding.Completion? = nil
    ) {
        imageBinding.setImage(request, placeholder: placeholder, in: slot, options: options, completion: completion)
    }

    /// Loads the picture that a request describes and tells of its bytes as they come.
    ///
    /// - Parameters:
    ///   - progress: called as bytes come; never after the completion.
    ///   - completion: called exactly once, whatever happens; with the code `cancelled` if the view ends before.
    public func setImage(
        _ request: ImageRequest?,
        placeholder: Image? = nil,
        in slot: ImageSlot = .image,
        options: ViewLoadOptions = ViewLoadOptions(),
        progress: @escaping ImageBinding.ProgressHandler,
        completion: ImageBinding.Completion?
    ) {
        imageBinding.setImage(
            request,
            placeholder: placeholder,
            in: slot,
            options: options,
            progress: progress,
            completion: completion
        )
    }

    /// Shows a picture that the program has already, or nothing, and ends the loads for it.
    public func show(_ image: Image?, in slot: ImageSlot = .image) { imageBinding.show(image, in: slot) }

    /// Ends the loads of a slot; each completion gets the code `cancelled`. What is shown stays.
    public func cancelLoad(in slot: ImageSlot = .image) { imageBinding.cancelOperations(in: slot) }

    /// Ends the loads of the slot that was set last.
    public func cancelLatestLoad() { imageBinding.cancelOperations(in: imageBinding.latestSlot) }

    /// Where the picture that was asked for last is; `nil` if none was.
    public func imageURL(in slot: ImageSlot = .image) -> URL? { imageBinding.state(in: slot).url }
}
