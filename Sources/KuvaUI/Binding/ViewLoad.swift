internal import KuvaCore
internal import KuvaPipeline

/// One load of a view, from the call to its completion.
@MainActor
final class ViewLoad: ViewOperation {
    let number: UInt64
    let slot: ImageSlot
    /// What was asked for, with what the options set, without the size that the view chooses.
    var request: ImageRequest
    let placeholder: Image?
    let options: ViewLoadOptions
    let progress: ImageBinding.ProgressHandler?
    /// Whether the picture that is shown already is only wanted in another size.
    let isRefinement: Bool

    /// What was asked of the manager: the request in the size of the view; `nil` while the view does not know that.
    var wanted: ImageRequest?
    /// What the caller found in memory already.
    var known: ImageResponse?
    /// The task, if it was started at once.
    var task: ImageTask?
    /// The task, if another thread starts it.
    var late: LateTask?
    /// The size that the view chose; `nil` if the request has one, or the view takes the picture's.
    var chosenSize: TargetSize?
    /// Whether the picture is on its way; `false` while a transition to it runs.
    var isLoading = true
    /// How the load ended, kept until its transition is over.
    var pendingResult: Result<ImageResponse, ImageError>?

    private var completion: ImageBinding.Completion?
    private weak var binding: ImageBinding?

    init(
        number: UInt64,
        slot: ImageSlot,
        request: ImageRequest,
        placeholder: Image?,
        options: ViewLoadOptions,
        isRefinement: Bool,
        binding: ImageBinding,
        progress: ImageBinding.ProgressHandler?,
        completion: ImageBinding.Completion?
    ) {
        self.number = number
        self.slot = slot
        self.request = request.adjusted(by: options)
        self.placeholder = placeholder
        self.options = options
        self.isRefinement = isRefinement
        self.binding = binding
        self.progress = progress
        self.completion = completion
        showsImage = options.setsImage || completion == nil
    }

    /// Whether the view shows the picture, or only the completion gets it.
    let showsImage: Bool

    /// Ends the work that is done for the load, if there is some.
    func stopWork(_ error: ImageError) {
        task?.cancel(with: error)
        late?.cancel(with: error)
    }

    func cancel() { binding?.end(self, with: .viewLoadCancelled) }

    /// Calls the completion, the first time only.
    func complete(_ result: Result<ImageResponse, ImageError>) {
        let completion = completion.take()
        completion?(result)
    }
}

extension ImageError {
    static var viewLoadCancelled: ImageError {
        ImageError(.cancelled, "the view's load was cancelled", stage: .display)
    }

    static var viewLoadReplaced: ImageError {
        ImageError(.replaced, "the view asked for another picture", stage: .display)
    }
}
