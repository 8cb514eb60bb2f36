internal import FoundationEssentials
internal import KuvaCore

/// The way from bytes that come to previews that are shown.
extension LoadEngine {
    /// A piece of a file came: every picture that wants previews gets it.
    func preview(_ piece: Data, from fetch: JobID) {
        let pictures = state.withLock { state in
            state.fetches.update(fetch) { _ = $0.pieces?.append(piece) }
            return state.fetches.subscribers(of: fetch)
        }
        for picture in pictures { show(piece, in: picture) }
    }

    /// A picture joined a fetch that is under way: it gets what has come already, as one piece.
    func catchUp(_ picture: JobID) {
        let pieces = state.withLock { state -> [Data]? in
            guard case .fetch(let ticket) = state.pictures.read(picture, { $0.source }) else { return nil }
            return state.fetches.read(ticket.job) { $0.pieces } ?? nil
        }
        guard let pieces, !pieces.isEmpty else { return }
        show(pieces.reduce(into: Data()) { $0.append($1) }, in: picture)
    }

    private func show(_ piece: Data, in picture: JobID) {
        guard let work = state.withLock({ $0.work(for: picture) }), let maker = work.previews else { return }
        let now = configuration.time.monotonic
        guard maker.state.withLock({ $0.received(piece, at: now) }) else { return }
        configuration.decodePool.submit(priority: work.priority) { [self] in
            guard !work.flag.isCancelled, let image = maker.next(cancellation: work.flag) else { return }
            show(image, of: picture)
        }
    }

    /// Gives a preview to all who wait for the picture, through the transformers that theirs goes through.
    func show(_ image: Image, of picture: JobID) {
        for subscriber in state.withLock({ $0.pictures.subscribers(of: picture) }) {
            switch subscriber {
            case .task(let task): task.report(preview: image)
            case .step(let step):
                let transformer = state.withLock { $0.pictures.key(of: step)?.request.transformers.last }
                guard let transformer,
                    let changed = try? transformed(image, by: transformer)
                else { continue }
                show(changed, of: step)
            }
        }
    }
}
