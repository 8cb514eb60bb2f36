internal import Dispatch
public import KuvaCore
public import KuvaPipeline

/// Ties a view to the picture that it should show.
///
/// Asking for a new picture cancels the load of the one before, which then completes once with the code `replaced`,
/// before any callback of the new load. A late answer of an old load can never reach the view: each load has a number,
/// and only the newest counts. A picture in memory is shown before `setImage`
/// returns. All callbacks come on the main actor. When the view dies its load is cancelled.
@MainActor
public final class ImageBinding {
    /// Called once with how a load ended.
    public typealias Completion = @MainActor (Result<ImageResponse, ImageError>) -> Void
    /// Called as bytes come.
    public typealias ProgressHandler = @MainActor (LoadProgress) -> Void

    private struct Load {
        let number: UInt64
        var request: ImageRequest
        /// `nil` while the view does not know yet in which size it will show the picture.
        var task: ImageTask?
        let placeholder: Image?
        let options: ViewLoadOptions
        let progress: ProgressHandler?
        let completion: Completion?
    }

    private weak var view: (any ImageDisplaying)?
    private let manager: ImageManager
    private var current: Load?
    private var lastNumber: UInt64 = 0

    /// - Parameters:
    ///   - view: what shows the pictures; not kept alive.
    ///   - manager: who loads them.
    public init(view: any ImageDisplaying, manager: ImageManager) {
        self.view = view
        self.manager = manager
    }

    isolated deinit {
        finishCurrent(with: ImageError(.cancelled, "the view is gone", stage: .display))
    }

    /// The load that is running; `nil` if none is, or if it waits for the view to know its size.
    public var task: ImageTask? { current?.task }

    /// Loads a picture into the view.
    ///
    /// - Parameters:
    ///   - request: what to load; `nil` shows the placeholder and completes with the code `invalid-url`.
    ///   - placeholder: what to show until the picture is there.
    ///   - completion: called exactly once, whatever happens; for a picture in memory before the method returns.
    public func setImage(
        _ request: ImageRequest?,
        placeholder: Image? = nil,
        options: ViewLoadOptions = ViewLoadOptions(),
        completion: Completion? = nil
    ) {
        start(request, placeholder: placeholder, options: options, progress: nil, completion: completion)
    }

    /// Loads a picture into the view and tells of its bytes as they come.
    ///
    /// - Parameters:
    ///   - request: what to load; `nil` shows the placeholder and completes with the code `invalid-url`.
    ///   - placeholder: what to show until the picture is there.
    ///   - progress: called as bytes come; never after the completion.
    ///   - completion: called exactly once, whatever happens; for a picture in memory before the method returns.
    public func setImage(
        _ request: ImageRequest?,
        placeholder: Image? = nil,
        options: ViewLoadOptions = ViewLoadOptions(),
        progress: @escaping ProgressHandler,
        completion: Completion?
    ) {
        start(request, placeholder: placeholder, options: options, progress: progress, completion: completion)
    }

    private func start(
        _ request: ImageRequest?,
        placeholder: Image?,
        options: ViewLoadOptions,
        progress: ProgressHandler?,
        completion: Completion?
    ) {
        finishCurrent(with: ImageError(.replaced, "the view asked for another picture", stage: .display))
        guard let request else {
            if options.setsImage { view?.display(placeholder) }
            completion?(.failure(ImageError(.invalidURL, "there is no URL to load", stage: .request)))
            return
        }
        lastNumber += 1
        var load = Load(
            number: lastNumber,
            request: adjusted(request, by: options),
            placeholder: placeholder,
            options: options,
            progress: progress,
            completion: completion
        )
        load.task = makeTask(for: load)
        if let result = load.task?.result {
            return end(load, with: result)
        }
        current = load
        if options.setsImage, options.whileLoading == .placeholder || view?.isDisplayingImage == false {
            view?.display(placeholder)
        }
        view?.setLoading(true)
        observe(load)
    }

    /// The view calls this when it knows in which size it shows pictures, after ``PictureSize/unknown``. A load that
    /// waits for that starts; if its picture is in memory it is shown before the method returns.
    public func pictureSizeIsKnown() {
        guard var load = current, load.task == nil, let task = makeTask(for: load) else { return }
        load.task = task
        current = load
        if let result = task.result {
            finish(load, with: result)
        } else {
            observe(load)
        }
    }

    /// Ends the load that is running, if one is; its completion gets the code `cancelled`.
    public func cancel() {
        finishCurrent(with: ImageError(.cancelled, "the view's load was cancelled", stage: .display))
    }

    /// Changes how soon the picture is wanted.
    public func setPriority(_ priority: Priority) {
        current?.request.priority = priority
        current?.task?.priority = priority
    }

    private func adjusted(_ request: ImageRequest, by options: ViewLoadOptions) -> ImageRequest {
        var request = request
        request.priority = options.priority
        request.cachePolicy = options.cachePolicy
        if let size = options.targetSize { request.targetSize = size }
        if options.showsPreviews { request.wantsPreviews = true }
        return request
    }

    /// Starts the work for a load, in the size in which the view shows it; `nil` if the view does not know that yet.
    private func makeTask(for load: Load) -> ImageTask? {
        var request = load.request
        if request.targetSize == nil, load.options.setsImage {
            switch view?.pictureSize() {
            case .natural, nil: break
            case .unknown: return nil
            case .target(let size, let scale):
                request.targetSize = size
                request.scale = scale
            }
        }
        return manager.task(for: request)
    }

    private func observe(_ load: Load) {
        let number = load.number
        load.task?.observe { [weak self] event in
            // The main queue keeps the order of its blocks, which unstructured tasks do not promise.
            DispatchQueue.main.async {
                MainActor.assumeIsolated { self?.receive(event, of: number) }
            }
        }
    }

    private func receive(_ event: ImageTask.Event, of number: UInt64) {
        guard let load = current, load.number == number else { return }
        switch event {
        case .progress(let progress):
            view?.setProgress(progress)
            load.progress?(progress)
        case .preview(let image):
            if load.options.setsImage { view?.display(image) }
        case .finished(let response): finish(load, with: .success(response))
        case .failed(let error): finish(load, with: .failure(error))
        }
    }

    private func finish(_ load: Load, with result: Result<ImageResponse, ImageError>) {
        current = nil
        view?.setLoading(false)
        end(load, with: result)
    }

    private func end(_ load: Load, with result: Result<ImageResponse, ImageError>) {
        if load.options.setsImage {
            switch result {
            case .success(let response):
                view?.display(response.image)
            case .failure(let error):
                let showsPlaceholder = load.options.showsPlaceholderOnFailure && load.placeholder != nil
                if showsPlaceholder, !error.isCancellation { view?.display(load.placeholder) }
            }
        }
        load.completion?(result)
    }

    private func finishCurrent(with error: ImageError) {
        guard let load = current else { return }
        current = nil
        view?.setLoading(false)
        let located = error.locating(url: load.request.url)
        load.task?.cancel(with: located)
        load.completion?(.failure(located))
    }
}
