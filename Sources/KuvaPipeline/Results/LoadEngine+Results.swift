internal import FoundationEssentials
internal import KuvaCore

/// Pictures of some size or change in files of their own, for requests whose ``ImageRequest/diskContent`` says so.
extension LoadEngine {
    /// Looks for the picture itself on disk.
    ///
    /// - Parameter otherwise: called if it is not there, or may not be used.
    /// - Returns: whether it is looked for; if not, nothing is called.
    func readResult(_ id: JobID, spec: PictureSpec, otherwise: @escaping @Sendable () -> Void) -> Bool {
        let request = spec.request
        guard request.keepsResult(as: spec.key), request.effectiveCachePolicy.contains(.readDisk),
            request.httpCachePolicy != .refresh, let cache = configuration.diskCache(for: request.parts),
            let (priority, changes) = state.withLock({ state in
                state.pictures.priority(of: id).map { ($0, state.pictures.read(id) { $0.sourceChanges } ?? 0) }
            })
        else { return false }
        let start = configuration.time.monotonic
        let ticket = configuration.diskPool.submit(priority: priority) { [self] in
            // What is wrong with a cache is told by the look for the original.
            let entry = try? cache.data(for: spec.key)
            counters.count(entry == nil ? .diskMiss : .diskHit)
            record(.cacheRead, request.url, since: start, byteCount: entry?.bytes.count)
            guard let entry, isUsable(entry, for: request) else { return otherwise() }
            decodeResult(entry, for: id, spec: spec, since: start, otherwise: otherwise)
        }
        if !began(.disk(ticket), for: id, as: priority, after: changes) { configuration.diskPool.cancel(ticket) }
        return true
    }

    /// Whether the picture may be used without asking the server of the file that it was made from.
    private func isUsable(_ entry: CachedData, for request: ImageRequest) -> Bool {
        let headers = request.transfer?.headers ?? HTTPFields()
        return request.httpCachePolicy.decision(for: entry, request: headers, at: configuration.time.wall) == .use
    }

    private func decodeResult(
        _ entry: CachedData,
        for id: JobID,
        spec: PictureSpec,
        since start: Duration,
        otherwise: @escaping @Sendable () -> Void
    ) {
        let fetchTime = configuration.time.monotonic - start
        let fetch = FetchSpec(spec, policy: spec.request.effectiveCachePolicy)
        let file = FetchedFile(
            spec: fetch,
            loaded: LoadedData(bytes: entry.bytes, response: entry.response),
            origin: .disk,
            fetchTime: fetchTime,
            warnings: []
        )
        perform(for: id) { [self] work in
            let queued = configuration.time.monotonic
            do throws(ImageError) {
                let decoded = try configuration.decoders(for: spec.request.parts).decode(
                    entry.bytes,
                    options: DecodeOptions(limits: spec.request.limits, cancellation: work.flag),
                    scale: spec.request.scale,
                    pool: configuration.pixelPool
                )
                if let damage = decoded.damage { throw damage }
                counters.count(.decode)
                record(.decode, spec.request.url, since: queued)
                let now = configuration.time.monotonic
                let timings = ImageResponse.Timings(total: now - work.start, fetch: fetchTime, decode: now - queued)
                let made = MadePicture(image: decoded.image, file: file, timings: timings, isKept: true)
                finishPicture(id, .success(made))
            } catch {
                record(.decode, spec.request.url, since: queued, error: error)
                try? configuration.diskCache(for: spec.request.parts)?.removeData(for: spec.key)
                otherwise()
            }
        }
    }

    /// Queues the store of a picture in a file of its own; once a picture.
    ///
    /// - Parameter waiter: called when the store has ended.
    func store(_ result: ResultFile, replacing older: FetchedFile?, waiter: @escaping StoreOnce.Waiter) {
        switch result.store.withLock({ $0.requested(waiter) }) {
        case .ended(let error): waiter(error)
        case .wait: break
        case .start:
            let priority = beginStore()
            // Encoding costs as much as decoding; what someone waits for goes before.
            configuration.decodePool.submit(priority: priority) { [self] in
                let file = Result { () throws(ImageError) in try encoded(result) }
                configuration.diskPool.submit(priority: priority) { [self] in
                    let start = configuration.time.monotonic
                    let error = write(file, of: result, replacing: older)
                    let byteCount = (try? file.get())?.count
                    record(.cacheWrite, result.spec.request.url, since: start, byteCount: byteCount, error: error)
                    endStore(result.store, error)
                }
            }
        }
    }

    private func encoded(_ result: ResultFile) throws(ImageError) -> Data {
        guard let encoders = configuration.encoders, let format = encoders.formatForKeeping(result.image) else {
            throw ImageError(
                .unsupportedFormat,
                "no encoder writes a picture of the format \(result.image.format)",
                advice: "set ImageManager.Configuration.encoders, or keep the original only"
            )
        }
        return try encoders.encode(result.image, as: format)
    }

    private func write(
        _ file: Result<Data, ImageError>,
        of result: ResultFile,
        replacing older: FetchedFile?
    ) -> ImageError? {
        let request = result.spec.request
        do throws(ImageError) {
            let entry = CachedData(
                bytes: try file.get(),
                response: result.response,
                storedAt: configuration.time.wall
            )
            try older?.removeOlder()
            try configuration.diskCache(for: request.parts)?.store(entry, for: result.spec.key)
            return nil
        } catch {
            return error.locating(stage: .cacheWrite, url: request.url)
        }
    }
}
