public import KuvaCore
package import KuvaPipeline

/// The way of a load from its start to its end.
extension ImageBinding {
    func start(_ load: ViewLoad) {
        load.wanted = requestInViewSize(load)
        if let request = load.wanted, let image = imageShownAlready(for: load, request) {
            slots[load.slot]?.shownBy = load.number
            change(load.slot) {
                $0 = ViewLoadState(url: load.request.url, progress: .one, phase: .loaded(.memory))
            }
            tellLoading(load.slot)
            load.complete(.success(ImageResponse(memoryHit: image, total: .zero)))
            return tellIdle()
        }
        if let result = begin(load) {
            if !load.isRefinement { change(load.slot) { $0 = ViewLoadState(url: load.request.url) } }
            return finish(load, with: result)
        }
        loads[load.number] = load
        operations.add(load, in: load.slot)
        if !load.isRefinement {
            change(load.slot) { $0 = ViewLoadState(url: load.request.url, phase: .loading) }
            if load.showsImage { showPlaceholder(for: load) }
            tellLoading(load.slot)
        }
        observe(load)
    }

    /// The view calls this when it knows in which size it shows pictures, after ``PictureSize/unknown``. The loads that
    /// wait for that start; a picture that is in memory is shown before the method returns.
    public func pictureSizeIsKnown() {
        let waiting = loads.values.filter { $0.wanted == nil }.sorted { $0.number < $1.number }
        for load in waiting where loads[load.number] != nil {
            guard let request = requestInViewSize(load) else { continue }
            load.wanted = request
            if let result = begin(load) { finish(load, with: result) } else { observe(load) }
        }
    }

    /// Lets the manager work for a load whose size is known. Returns how it ended, if it did at once.
    private func begin(_ load: ViewLoad) -> Outcome? {
        guard let request = load.wanted else { return nil }
        if let response = load.known { return .success(response) }
        guard let starter else {
            let task = manager.task(for: request)
            load.task = task
            return task.result
        }
        if let response = manager.memoryHit(for: request) { return .success(response) }
        load.late = LateTask(request, starter)
        return nil
    }

    /// The size for which the picture that is shown was decoded, if the view chose it; `nil` while a load runs, and
    /// where no other size can be had.
    public func refinableSize(in slot: ImageSlot = .image) -> TargetSize? {
        guard let shown = slots[slot]?.shown, !loads.values.contains(where: { $0.slot == slot }) else { return nil }
        return shown.chosenSize
    }

    /// Loads the picture that is shown once more in the size in which the view shows it now: the view calls this when
    /// that has changed much. What is shown stays until then, and for good if the load fails; nobody is told.
    public func refine(in slot: ImageSlot = .image) {
        guard refinableSize(in: slot) != nil, let shown = slots[slot]?.shown else { return }
        lastNumber += 1
        slots[slot]?.newest = lastNumber
        var options = ViewLoadOptions()
        options.priority = shown.options.priority
        start(
            ViewLoad(
                number: lastNumber,
                slot: slot,
                request: shown.request,
                placeholder: nil,
                options: options,
                isRefinement: true,
                binding: self,
                progress: nil,
                completion: nil
            )
        )
    }

    /// A request in the size in which the view shows pictures, as a load of it would be made now; `nil` if the view does
    /// not know that yet. For prefetching.
    public func sizedRequest(_ request: ImageRequest, in slot: ImageSlot = .image) -> ImageRequest? {
        var request = request
        if wantsAnimation { request.wantsAnimation = true }
        guard request.targetSize == nil else { return request }
        switch view?.pictureSize(in: slot) {
        case .natural, nil: break
        case .unknown: return nil
        case .target(let size, let scale):
            request.targetSize = size
            request.scale = scale
        }
        return request
    }

    /// What memory has for a request in the size in which the view shows it now. For lists, which look for many
    /// pictures before they ask for some.
    package func memoryHit(for request: ImageRequest, in slot: ImageSlot = .image) -> ImageResponse? {
        sizedRequest(request, in: slot).flatMap { manager.memoryHit(for: $0) }
    }

    /// The request with the size in which the view shows it; `nil` if the view does not know that yet.
    private func requestInViewSize(_ load: ViewLoad) -> ImageRequest? {
        load.chosenSize = nil
        guard load.request.targetSize == nil, load.showsImage else { return load.request }
        let request = sizedRequest(load.request, in: load.slot)
        load.chosenSize = request?.targetSize
        return request
    }

    private func imageShownAlready(for load: ViewLoad, _ request: ImageRequest) -> Image? {
        guard let shown = slots[load.slot]?.shown, !load.isRefinement, load.showsImage, !request.wantsData,
            request.cachePolicy.contains(.readMemory), shown.wanted.cacheKey == request.cacheKey,
            view?.displayedImage(in: load.slot)?.pixels === shown.image.pixels
        else { return nil }
        return shown.image
    }

    private func showPlaceholder(for load: ViewLoad) {
        let shown = slots[load.slot]?.shown
        let displayed = view?.displayedImage(in: load.slot)
        switch load.options.whileLoading {
        case .delayedPlaceholder: return
        case .currentImage: if displayed != nil { return }
        case .placeholder:
            // The same picture in another size is a better placeholder than any.
            if let shown, displayed?.pixels === shown.image.pixels,
                shown.request.keyWithoutSize == load.request.keyWithoutSize
            {
                return
            }
        }
        slots[load.slot]?.shown = nil
        view?.display(load.placeholder, in: load.slot)
    }

    private func observe(_ load: ViewLoad) {
        let name = ObjectIdentifier(load)
        let receive: @Sendable (ImageTask.Event) -> Void = { [weak self, delivery] event in
            delivery.send(.init(event), of: name) { self?.receive(event, of: load) }
        }
        load.task?.observe(receive)
        load.late?.start(manager, receive)
    }

    private func receive(_ event: ImageTask.Event, of load: ViewLoad) {
        guard loads[load.number] != nil, load.isLoading else { return }
        let isNewest = slots[load.slot]?.newest == load.number
        switch event {
        case .progress(let progress):
            if isNewest, !load.isRefinement {
                change(load.slot) { $0.progress = progress }
                view?.setProgress(progress, in: load.slot)
            }
            load.progress?(progress)
        case .preview(let image):
            guard load.showsImage, !load.isRefinement, mayShow(load) else { return }
            slots[load.slot]?.shownBy = load.number
            slots[load.slot]?.shown = nil
            view?.display(image, in: load.slot)
        case .finished(let response): finish(load, with: .success(response))
        case .failed(let error): finish(load, with: .failure(error))
        }
    }

    private func mayShow(_ load: ViewLoad) -> Bool { load.number >= slots[load.slot]?.shownBy ?? 0 }

    private func finish(_ load: ViewLoad, with result: Result<ImageResponse, ImageError>) {
        load.isLoading = false
        let isNewest = slots[load.slot]?.newest == load.number
        if isNewest, !load.isRefinement {
            change(load.slot) { $0.end(with: result) }
        }
        tellLoading(load.slot)
        switch result {
        case .success(let response):
            if load.showsImage, mayShow(load) { return show(response, of: load) }
        case .failure(let error):
            if load.isRefinement {
                slots[load.slot]?.shown?.chosenSize = nil
            } else if load.showsImage, isNewest, !error.isCancellation {
                showFailure(of: load)
            }
        }
        complete(load, with: result)
    }

    private func show(_ response: ImageResponse, of load: ViewLoad) {
        let (slot, number) = (load.slot, load.number)
        slots[slot]?.shownBy = number
        slots[slot]?.shown = SlotRecord.Shown(
            request: load.request,
            options: load.options,
            wanted: load.wanted ?? load.request,
            image: response.image,
            chosenSize: load.chosenSize
        )
        guard let transition = load.options.transition, !load.isRefinement,
            response.origin != .memory || transition.appliesToMemoryHits, let view
        else {
            slots[slot]?.transition = 0
            view?.display(response.image, in: slot)
            return complete(load, with: .success(response))
        }
        slots[slot]?.transition = number
        if load.options.waitsForTransition {
            load.pendingResult = .success(response)
            loads[number] = load
            if !operations.operations(in: slot).contains(where: { $0 === load }) { operations.add(load, in: slot) }
        }
        view.display(response.image, in: slot, with: transition) { [weak self] isFinished in
            if isFinished, self?.slots[slot]?.transition == number { transition.completion?() }
            if let self, let result = load.pendingResult, loads[number] != nil { complete(load, with: result) }
        }
        if load.pendingResult == nil { complete(load, with: .success(response)) }
    }

    private func showFailure(of load: ViewLoad) {
        let showsPreview = slots[load.slot]?.shownBy == load.number
        let image: Image?
        if let errorImage = load.options.errorImage {
            image = errorImage
        } else if load.options.whileLoading == .delayedPlaceholder || showsPreview {
            image = load.placeholder
        } else {
            return
        }
        slots[load.slot]?.shown = nil
        view?.display(image, in: load.slot)
    }

    private func complete(_ load: ViewLoad, with result: Result<ImageResponse, ImageError>) {
        loads[load.number] = nil
        operations.remove(load, in: load.slot)
        load.complete(result)
        tellIdle()
    }
}

extension ViewLoad {
    /// Changes how soon the picture is wanted, also if the load has not begun.
    func setPriority(_ priority: Priority) {
        request.priority = priority
        task?.priority = priority
        late?.setPriority(priority)
    }
}

extension ViewLoadState {
    /// The load has ended. A picture counts as having come whole, also if nobody counted its bytes.
    fileprivate mutating func end(with result: Result<ImageResponse, ImageError>) {
        switch result {
        case .failure(let error): phase = .failed(error)
        case .success(let response):
            phase = .loaded(response.origin)
            let received = progress.receivedByteCount
            if progress.fraction != 1 {
                progress =
                    received > 0 ? LoadProgress(receivedByteCount: received, expectedByteCount: received) : .one
            }
        }
    }
}

extension LoadProgress {
    fileprivate static let one = LoadProgress(receivedByteCount: 1, expectedByteCount: 1)
}

extension DeliveryQueue.Kind {
    fileprivate init(_ event: ImageTask.Event) {
        switch event {
        case .progress: self = .progress
        case .preview: self = .preview
        case .finished, .failed: self = .end
        }
    }
}
