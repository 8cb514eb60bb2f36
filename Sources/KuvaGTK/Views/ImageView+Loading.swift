public import FoundationEssentials
public import KuvaCore
internal import KuvaPipeline
public import KuvaUI

extension ImageView {
    /// Loads the picture at a URL into the view, in the size in which the view shows it.
    ///
    /// The load before ends first: its completion gets the code `replaced`. A picture in memory is shown before the
    /// method returns, if the view has been laid out. All callbacks come on the main actor.
    ///
    /// - Parameters:
    ///   - url: where the picture is; `nil` shows the placeholder and completes with the code `invalid-url`.
    ///   - placeholder: what to show until the picture is there.
    ///   - completion: called exactly once, whatever happens; with the code `cancelled` if the view ends before.
    public func setImage(
        from url: URL?,
        placeholder: Image? = nil,
        options: ViewLoadOptions = ViewLoadOptions(),
        completion: ImageBinding.Completion? = nil
    ) {
        start(url.map { ImageRequest(url: $0) }, placeholder, options, progress: nil, completion: completion)
    }

    /// Loads the picture at a URL into the view and tells of its bytes as they come; see the other method.
    ///
    /// - Parameters:
    ///   - url: where the picture is; `nil` shows the placeholder and completes with the code `invalid-url`.
    ///   - placeholder: what to show until the picture is there.
    ///   - progress: called as bytes come; never after the completion.
    ///   - completion: called exactly once, whatever happens; with the code `cancelled` if the view ends before.
    public func setImage(
        from url: URL?,
        placeholder: Image? = nil,
        options: ViewLoadOptions = ViewLoadOptions(),
        progress: @escaping ImageBinding.ProgressHandler,
        completion: ImageBinding.Completion?
    ) {
        start(url.map { ImageRequest(url: $0) }, placeholder, options, progress: progress, completion: completion)
    }

    /// Loads the picture that a request describes; in the request's size, if it has one.
    ///
    /// - Parameter completion: called exactly once, whatever happens; with the code `cancelled` if the view ends before.
    public func setImage(
        _ request: ImageRequest?,
        placeholder: Image? = nil,
        options: ViewLoadOptions = ViewLoadOptions(),
        completion: ImageBinding.Completion? = nil
    ) {
        start(request, placeholder, options, progress: nil, completion: completion)
    }

    /// Loads the picture that a request describes and tells of its bytes as they come.
    ///
    /// - Parameters:
    ///   - progress: called as bytes come; never after the completion.
    ///   - completion: called exactly once, whatever happens; with the code `cancelled` if the view ends before.
    public func setImage(
        _ request: ImageRequest?,
        placeholder: Image? = nil,
        options: ViewLoadOptions = ViewLoadOptions(),
        progress: @escaping ImageBinding.ProgressHandler,
        completion: ImageBinding.Completion?
    ) {
        start(request, placeholder, options, progress: progress, completion: completion)
    }

    /// Shows a picture that the program has already, or nothing, and ends the load that runs.
    public func show(_ image: Image?) {
        cancelLoad()
        endSizing()
        display(image)
    }

    /// Ends the load that runs, if one does; its completion gets the code `cancelled`. What is shown stays.
    public func cancelLoad() {
        stopWaitingForSize()
        binding.cancel()
        sizing.isRefining = false
    }

    private func start(
        _ request: ImageRequest?,
        _ placeholder: Image?,
        _ options: ViewLoadOptions,
        progress: ImageBinding.ProgressHandler?,
        completion: ImageBinding.Completion?
    ) {
        guard isAlive else {
            let error = ImageError(.cancelled, "the view's widget is gone", stage: .display, url: request?.url)
            completion?(.failure(error))
            return
        }
        endSizing()
        sizing.request = request
        sizing.options = options
        let end: ImageBinding.Completion = { [weak self] result in
            if case .success = result { self?.sizing.decodedFor = self?.sizing.askedFor }
            completion?(result)
        }
        if let progress {
            binding.setImage(request, placeholder: placeholder, options: options, progress: progress, completion: end)
        } else {
            binding.setImage(request, placeholder: placeholder, options: options, completion: end)
        }
    }
}
