import FoundationEssentials
import KuvaCore
import KuvaPipeline

/// The pictures of the gallery, and how far they are.
@MainActor
final class Gallery {
    /// The pictures, in order.
    private(set) var items: [GalleryItem]
    /// Called when a picture has come or failed, or all start again.
    var onChange: @MainActor () -> Void = {}

    init(_ entries: [PictureEntry]) { items = entries.map { GalleryItem($0) } }

    /// Whether nothing comes over the network, but from the caches and from files.
    var isOffline = false

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
        items = items.map { GalleryItem(PictureEntry($0.text, title: $0.title)) }
        onChange()
    }

    /// One picture starts again.
    func restart(_ index: Int) {
        items[index] = GalleryItem(PictureEntry(items[index].text, title: items[index].title))
        onChange()
    }

    /// Other pictures take the place of these.
    func replace(by entries: [PictureEntry]) {
        items = entries.map { GalleryItem($0) }
        onChange()
    }

    /// What is loaded for a picture, or why nothing can be.
    func request(_ index: Int) -> Result<ImageRequest, ImageError> {
        guard items.indices.contains(index) else {
            return .failure(ImageError(.invalidURL, "there is no such picture", stage: .request))
        }
        var result = items[index].request
        if isOffline, case .success(var request) = result, !request.url.isFileURL {
            request.cachePolicy = .cacheOnly
            request.retriesFailed = true
            result = .success(request)
        }
        return result
    }

    /// The table of all pictures.
    var report: String { items.map { $0.reportLine + "\n" }.joined() }
}

extension Duration {
    fileprivate var milliseconds: Double {
        Double(components.seconds) * 1_000 + Double(components.attoseconds) * 1e-15
    }
}
