internal import KuvaCore

/// Keeping a fetched file on disk, behind the caller's back, and waiting for that to end.
extension LoadEngine {
    /// Queues the store of a file whose picture has been decoded, so that only whole pictures are kept; once a file.
    ///
    /// - Parameter waiter: called when the store has ended, at once if there is nothing to store.
    func store(_ file: FetchedFile, waiter: @escaping StoreOnce.Waiter) {
        guard let once = file.store else { return waiter(nil) }
        switch once.withLock({ $0.requested(waiter) }) {
        case .ended(let error): waiter(error)
        case .wait: break
        case .start:
            let priority = beginStore()
            let start = configuration.time.monotonic
            configuration.diskPool.submit(priority: priority) { [self] in
                let error = write(file)
                if error == nil { file.wasStored() }
                record(.cacheWrite, file.spec.url, since: start, byteCount: file.bytes.count, error: error)
                endStore(once, error)
            }
        }
    }

    /// A store is about to be queued. Returns how soon it is done: after everything that someone waits for, unless so
    /// many wait that what they hold counts.
    func beginStore() -> Priority {
        state.withLock { state in
            state.pendingStores += 1
            return state.pendingStores > Self.patientStores ? .veryHigh : .low
        }
    }

    /// Stores that may wait behind everything else; each holds a file, or a picture, in memory.
    private static var patientStores: Int { 64 }

    /// A store has ended: tells all who wait for it.
    func endStore(_ once: Lock<StoreOnce>, _ error: ImageError?) {
        if let error { configuration.onBackgroundError?(error) }
        for waiter in once.withLock({ $0.finished(error) }) { waiter(error) }
        storeEnded()
    }

    private func write(_ file: FetchedFile) -> ImageError? {
        let plain = CachedData(bytes: file.bytes, response: file.response, storedAt: configuration.time.wall)
        do throws(ImageError) {
            try file.removeOlder()
            var entry: CachedData? = plain
            if let prepare = configuration.prepareEntry { entry = try prepare(plain, file.spec.original) }
            guard let entry else { return nil }
            try configuration.diskCache(for: file.spec.parts)?.store(entry, for: file.spec.original)
            return nil
        } catch {
            return error.locating(stage: .cacheWrite, url: file.spec.url)
        }
    }

    /// Waits until no store is pending.
    func flush() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state -> Bool in
                guard state.pendingStores > 0 else { return true }
                state.flushWaiters.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    private func storeEnded() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.pendingStores -= 1
            guard state.pendingStores == 0 else { return [] }
            defer { state.flushWaiters = [] }
            return state.flushWaiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
