internal import KuvaCore
internal import KuvaPipeline

/// Work for a slot, seen as operations: the binding's own loads and what a program adds.
extension ImageBinding {
    /// The operations of a slot, the oldest first.
    public func operations(in slot: ImageSlot = .image) -> [any ViewOperation] { operations.operations(in: slot) }

    /// Puts an operation in the place of those of a slot, which are cancelled.
    ///
    /// - Parameters:
    ///   - operation: what is kept until it is replaced, cancelled or removed; with `nil` the others are only cancelled.
    ///   - slot: with `nil` nothing happens.
    public func setOperation(_ operation: (any ViewOperation)?, in slot: ImageSlot?) {
        guard let slot else { return }
        cancelOperations(in: slot)
        if let operation { operations.add(operation, in: slot) }
    }

    /// Cancels the operations of a slot and forgets them; the completion of each load gets the code `cancelled`. With
    /// `nil` nothing happens.
    public func cancelOperations(in slot: ImageSlot?) {
        guard let slot else { return }
        slots[slot]?.transition = 0
        for operation in operations.removeAll(in: slot) { operation.cancel() }
    }

    /// Forgets the operations of a slot without cancelling them, so that a new load does not replace them. With `nil`
    /// nothing happens.
    public func removeOperations(in slot: ImageSlot?) {
        guard let slot else { return }
        _ = operations.removeAll(in: slot)
    }

    /// Ends a load that has not completed; its completion gets the error.
    func end(_ load: ViewLoad, with error: ImageError) {
        guard loads.removeValue(forKey: load.number) != nil else { return }
        operations.remove(load, in: load.slot)
        let located = error.locating(url: load.request.url)
        if !load.isRefinement, slots[load.slot]?.newest == load.number, load.isLoading {
            change(load.slot) { $0.phase = .failed(located) }
        }
        tellLoading(load.slot)
        load.stopWork(located)
        load.complete(.failure(located))
        tellIdle()
    }
}
