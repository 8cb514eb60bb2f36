import KuvaCore
import KuvaPipeline

/// The pictures of the gallery, and how far they are.
@MainActor
final class Gallery {
    /// The pictures, in order.
    private(set) var items: [GalleryItem]
    /// Called when a picture has come or failed, or all start again.
    var onChange: @MainActor () -> Void = {}

    init(texts: [String]) { items = texts.map { GalleryItem(text: $0) } }

    /// How the pictures stand, in numbers.
    struct Summary: Equatable {
        var settled = 0
        var failed = 0
        var byteCount = 0
        var origins: [ImageResponse.Origin: Int] = [:]
    }

    var summary: Summary {
        var summary = Summary()
        for item in items {
            if item.isSettled { summary.settled += 1 }
            switch item.state {
            case .waiting: break
            case .failed: summary.failed += 1
            case .loaded(let origin, let bytes, _):
                summary.origins[origin, default: 0] += 1
                summary.byteCount += bytes
            }
        }
        return summary
    }

    /// The first picture that has neither come nor failed.
    var firstUnsettled: Int? { items.firstIndex { !$0.isSettled } }

    /// A load of a picture ended. Only the first end counts: later ones are the same picture scrolled into view again.
    func ended(_ index: Int, _ result: Result<ImageResponse, ImageError>, after time: Duration) {
        guard !items[index].isSettled else { return }
        switch result {
        case .success(let response):
            items[index].state = .loaded(
                origin: response.origin,
                byteCount: response.encodedByteCount ?? 0,
                milliseconds: response.timings.total.milliseconds
            )
        case .failure(let error):
            // Scrolled out of view, or the window closed: neither came nor failed.
            if error.isCancellation { return }
            items[index].state = .failed(error, milliseconds: time.milliseconds)
        }
        onChange()
    }

    /// All pictures start again.
    func restart() {
        items = items.map { GalleryItem(text: $0.text) }
        onChange()
    }

    /// The table of all pictures.
    var report: String { items.map { $0.reportLine + "\n" }.joined() }
}

extension Duration {
    fileprivate var milliseconds: Double {
        Double(components.seconds) * 1_000 + Double(components.attoseconds) * 1e-15
    }
}
