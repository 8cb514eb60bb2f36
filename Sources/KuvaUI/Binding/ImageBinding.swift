public import KuvaCore
public import KuvaPipeline

/// Ties a view to the pictures that it should show.
///
/// Asking for a new picture ends the load of the one before in the same slot, which then completes once with the code
/// `replaced`, before any callback of the new load. A late answer of an old load can never reach the view: each load has
/// a number, and what an older one brings does not take the place of what a newer one has shown. A picture in memory is
/// shown before `setImage` returns; one that is shown already costs nothing. All callbacks come on the main actor. When
/// the view dies its loads are cancelled.
@MainActor
public final class ImageBinding {
    /// How a load ended.
    public typealias Outcome = Result<ImageResponse, ImageError>
    /// Called once with how a load ended.
    public typealias Completion = @MainActor (Outcome) -> Void
    /// Called as bytes come.
    public typealias ProgressHandler = @MainActor (LoadProgress) -> Void

    /// Who loads the pictures.
    public let manager: ImageManager

    /// Called whenever the state of a slot has changed; `nil` by default.
    public var onStateChange: (@MainActor (ImageSlot, ViewLoadState) -> Void)?

    /// Called when a load has ended, in whichever way, and no other runs; `nil` by default.
    public var onIdle: (@MainActor () -> Void)?

    /// Whether loads bring animations with their pictures, for a view that plays them; `false` by default: the first
    /// frame is shown.
    public var wantsAnimation = false

    /// The slot for which a picture was asked last; `nil` if none was.
    public internal(set) var latestSlot: ImageSlot?

    /// Whether anything is on its way to the view: what was asked for, or what is shown in a better size.
    public var isLoading: Bool { !loads.isEmpty }

    /// Who starts what is not in memory; `nil`, the default, for the binding itself, at once. For lists, whose loads are
    /// many and may be unwanted a moment later: the main thread then only looks into memory.
    package var starter: TaskStarter?

    weak var view: (any ImageDisplaying)?
    let delivery: MainDelivery
    var operations = OperationTable()
    /// All loads that have not completed, forgotten ones included.
    var loads: [UInt64: ViewLoad] = [:]
    var slots: [ImageSlot: SlotRecord] = [:]
    var lastNumber: UInt64 = 0
    private var isClosed = false

    /// - Parameters:
    ///   - view: what shows the pictures; not kept alive.
    ///   - manager: who loads them.
    public convenience init(view: any ImageDisplaying, manager: ImageManager) {
        self.init(view: view, manager: manager, delivery: .shared)
    }

    /// Makes a binding with a way to the main actor of its own, for tests.
    package init(view: any ImageDisplaying, manager: ImageManager, delivery: MainDelivery) {
        self.view = view
        self.manager = manager
        self.delivery = delivery
    }

    isolated deinit { close() }

    /// Ends everything for good: the view shows nothing any more. Loads that run complete with the code `cancelled`, and
    /// so does every later one. The end of the binding does the same.
    public func close() {
        isClosed = true
        for load in loads.values.sorted(by: { $0.number < $1.number }) {
            end(load, with: ImageError(.cancelled, "the view is gone", stage: .display))
        }
        for operation in operations.removeAll() { operation.cancel() }
    }

    /// Loads a picture into the view.
    ///
    /// - Parameters:
    ///   - request: what to load; `nil` shows the placeholder and completes with the code `invalid-url`.
    ///   - placeholder: what to show until the picture is there.
    ///   - slot: which of the view's pictures it is.
    ///   - completion: called exactly once, whatever happens; for a picture in memory before the method returns.
    public func setImage(
        _ request: ImageRequest?,
        placeholder: Image? = nil,
        in slot: ImageSlot = .image,
        options: ViewLoadOptions = ViewLoadOptions(),
        completion: Completion? = nil
    ) {
        set(request, placeholder, slot, options, progress: nil, completion: completion)
    }

    /// Loads a picture into the view and tells of its bytes as they come; see the other method.
    ///
    /// - Parameter progress: called as bytes come; never after the completion.
    public func setImage(
        _ request: ImageRequest?,
        placeholder: Image? = nil,
        in slot: ImageSlot = .image,
        options: ViewLoadOptions = ViewLoadOptions(),
        progress: @escaping ProgressHandler,
        completion: Completion?
    ) {
        set(request, placeholder, slot, options, progress: progress, completion: completion)
    }

    /// Shows a picture that the caller has found in memory, or loads it if there is none.
    package func setImage(
        _ request: ImageRequest,
        known: ImageResponse?,
        options: ViewLoadOptions,
        completion: @escaping Completion
    ) {
        set(request, nil, .image, options, known: known, progress: nil, completion: completion)
    }

    private func set(
        _ request: ImageRequest?,
        _ placeholder: Image?,
        _ slot: ImageSlot,
        _ options: ViewLoadOptions,
        known: ImageResponse? = nil,
        progress: ProgressHandler?,
        completion: Completion?
    ) {
        guard !isClosed else {
            let error = ImageError(.cancelled, "the view is gone", stage: .display, url: request?.url)
            completion?(.failure(error))
            return
        }
        latestSlot = slot
        lastNumber += 1
        let number = lastNumber
        slots[slot, default: SlotRecord()].newest = number
        let replaced = options.keepsEarlierLoads ? [] : replaceOperations(in: slot)
        // Only now: what is on its way for the old load may be just what the new one wants.
        defer { for load in replaced { load.stopWork(.viewLoadReplaced) } }
        guard slots[slot]?.newest == number else {
            // The completion of a load that was replaced asked for yet another picture.
            completion?(.failure(.viewLoadReplaced.locating(url: request?.url)))
            return
        }
        guard var request else {
            return refuse(placeholder: placeholder, slot: slot, options: options, completion: completion)
        }
        if wantsAnimation { request.wantsAnimation = true }
        let load = ViewLoad(
            number: number,
            slot: slot,
            request: request,
            placeholder: placeholder,
            options: options,
            isRefinement: false,
            binding: self,
            progress: progress,
            completion: completion
        )
        load.known = known
        start(load)
    }

    /// Shows a picture that the program has already, or nothing, and ends the loads of the slot.
    public func show(_ image: Image?, in slot: ImageSlot = .image) {
        cancelOperations(in: slot)
        slots[slot, default: SlotRecord()].shown = nil
        // What was forgotten and still runs comes too late.
        slots[slot]?.shownBy = lastNumber
        change(slot) { $0 = ViewLoadState() }
        view?.display(image, in: slot)
    }

    /// Changes how soon the pictures of a slot that are on their way are wanted.
    public func setPriority(_ priority: Priority, in slot: ImageSlot = .image) {
        for load in loads.values where load.slot == slot { load.setPriority(priority) }
    }

    /// How far a slot is with its newest load.
    public func state(in slot: ImageSlot = .image) -> ViewLoadState { slots[slot]?.state ?? ViewLoadState() }

    /// The newest load of a slot that runs; `nil` if none does, or if it waits to be started: for the view to know its
    /// size, or in a list for its turn.
    public func task(in slot: ImageSlot = .image) -> ImageTask? {
        let newest = loads.values.filter { $0.slot == slot }.max { $0.number < $1.number }
        return newest?.task ?? newest?.late?.task
    }

    /// Ends the loads of a slot that are operations, for a new one. Returns them; their tasks still run.
    private func replaceOperations(in slot: ImageSlot) -> [ViewLoad] {
        slots[slot]?.transition = 0
        let operations = operations.removeAll(in: slot)
        let replaced = operations.compactMap { $0 as? ViewLoad }
        for load in replaced { loads[load.number] = nil }
        for operation in operations {
            if let load = operation as? ViewLoad {
                load.complete(.failure(.viewLoadReplaced.locating(url: load.request.url)))
            } else {
                operation.cancel()
            }
        }
        return replaced
    }

    private func refuse(placeholder: Image?, slot: ImageSlot, options: ViewLoadOptions, completion: Completion?) {
        let error = ImageError(.invalidURL, "there is no URL to load", stage: .request)
        slots[slot]?.shown = nil
        change(slot) { $0 = ViewLoadState(phase: .failed(error)) }
        tellLoading(slot)
        if options.setsImage || completion == nil { view?.display(options.errorImage ?? placeholder, in: slot) }
        completion?(.failure(error))
        tellIdle()
    }

    /// Changes the state of a slot and tells the observer.
    func change(_ slot: ImageSlot, _ body: (inout ViewLoadState) -> Void) {
        guard var state = slots[slot]?.state else { return }
        body(&state)
        slots[slot]?.state = state
        onStateChange?(slot, state)
    }

    /// A load has ended: tells the observer if it was the last.
    func tellIdle() { if loads.isEmpty { onIdle?() } }

    /// Tells the view whether something loads in a slot, if that has changed.
    func tellLoading(_ slot: ImageSlot) {
        let isLoading = loads.values.contains { $0.slot == slot && $0.isLoading && !$0.isRefinement }
        guard let record = slots[slot], record.isShownAsLoading != isLoading else { return }
        slots[slot]?.isShownAsLoading = isLoading
        view?.setLoading(isLoading, in: slot)
    }
}
