import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline

/// What is known about the picture that is shown: its file, where it came from and how long that took.
@MainActor
final class InfoPanel {
    /// The panel.
    let widget: Widget

    private let gallery: Gallery
    private let manager: ImageManager
    private let facts = FactList([
        "Name", "Format", "Size", "File", "Shown as", "Came from", "Took", "Address",
    ])
    private var details: (index: Int, details: Details)?
    private var reading: Task<Void, Never>?
    private var readingIndex: Int? { didSet { if readingIndex == nil { onSettle() } } }

    /// Called when nothing is read any more.
    var onSettle: @MainActor () -> Void = {}

    init(gallery: Gallery, manager: ImageManager) {
        self.gallery = gallery
        self.manager = manager
        widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 16, [Make.text("Picture", "title-4"), facts.widget])
        widget.styled("panel")
    }

    /// Whether nothing is being read.
    var isSettled: Bool { readingIndex == nil }

    /// Shows what is known about the picture of a viewer.
    func update(_ viewer: Viewer) {
        guard let index = viewer.index else { return }
        let item = gallery.items[index]
        let response = try? viewer.result?.get()
        let known = details?.index == index ? details?.details : nil
        if known == nil, response != nil { read(index, for: viewer) }
        facts.set([
            item.name,
            (known?.format ?? response?.image.format)?.name.uppercased(),
            known.map { "\($0.size.width) × \($0.size.height)" },
            known.map { Words.bytes($0.byteCount) },
            viewer.area.imageView.image.map { "\($0.pixelSize.width) × \($0.pixelSize.height)" },
            response.map { Words.origin($0.origin) },
            response.map { Words.timings($0.timings) },
            item.address,
        ])
    }

    private func read(_ index: Int, for viewer: Viewer) {
        guard readingIndex != index, let request = try? gallery.request(index).get() else { return }
        reading?.cancel()
        readingIndex = index
        reading = Task { [weak self, weak viewer, manager] in
            let details = try? await Details.read(request, with: manager)
            guard let self, let viewer, readingIndex == index else { return }
            readingIndex = nil
            if let details {
                self.details = (index, details)
                update(viewer)
            }
        }
    }
}
