import CGTK
import Dispatch
import Kuva
import KuvaCache
import KuvaCore
import KuvaGTK
import KuvaPipeline

/// What the caches hold, how often they helped, and buttons that empty them.
@MainActor
final class CachePanel {
    /// The panel.
    let widget: Widget

    private let manager: ImageManager
    private let memory: MemoryCache?
    private let disk: DiskCache?
    private let memoryLevel: Widget = gtk_level_bar_new()
    private let diskLevel: Widget = gtk_level_bar_new()
    private let memoryFacts = FactList(["Pictures", "Used", "Hit rate"])
    private let diskFacts = FactList(["Files", "Used", "Hit rate", "Folder"])
    private var isReading = false { didSet { if !isReading { onSettle() } } }

    /// Called when nothing is read any more.
    var onSettle: @MainActor () -> Void = {}

    init(manager: ImageManager) {
        self.manager = manager
        memory = manager.configuration.memoryCache as? MemoryCache
        disk = manager.configuration.diskCache as? DiskCache
        widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 12, []).styled("panel")
        let clearMemory = Make.button("Clear Memory") { [weak self] in
            self?.memory?.removeAll()
            self?.update()
        }
        let clearDisk = Make.button("Clear Disk") { [weak self] in self?.clearDisk() }
        let parts = [
            Make.text("In Memory", "title-4"), memoryLevel, memoryFacts.widget, clearMemory,
            Make.text("On Disk", "title-4", "second"), diskLevel, diskFacts.widget, clearDisk,
        ]
        for part in parts { gtk_box_append(widget.cast(to: GtkBox.self), part) }
    }

    /// Whether nothing is being read.
    var isSettled: Bool { !isReading }

    /// Shows what the caches hold now.
    func update() {
        let loads = manager.statistics
        if let statistics = memory?.statistics {
            setLevel(memoryLevel, statistics.byteCount, of: statistics.byteLimit)
            memoryFacts.set([
                "\(statistics.imageCount)",
                "\(Words.bytes(statistics.byteCount)) of \(Words.bytes(statistics.byteLimit))",
                loads.memoryHitRate.map(Words.percent),
            ])
        }
        guard let disk, !isReading else { return }
        isReading = true
        // Files are counted on a thread of the cache's, not on the one that draws.
        manager.configuration.diskPool.submit(priority: .low) { [weak self] in
            let statistics = try? disk.statistics()
            DispatchQueue.main.async {
                MainActor.assumeIsolated { self?.show(statistics, hitRate: loads.diskHitRate) }
            }
        }
    }

    private func show(_ statistics: DiskCache.Statistics?, hitRate: Double?) {
        isReading = false
        guard let statistics else { return }
        setLevel(diskLevel, statistics.byteCount, of: statistics.byteLimit)
        diskFacts.set([
            "\(statistics.entryCount)",
            "\(Words.bytes(statistics.byteCount)) of \(Words.bytes(statistics.byteLimit))",
            hitRate.map(Words.percent),
            statistics.path,
        ])
    }

    private func clearDisk() {
        guard let disk else { return }
        manager.configuration.diskPool.submit(priority: .high) { [weak self] in
            try? disk.removeAll()
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.update() } }
        }
    }

    private func setLevel(_ bar: Widget, _ value: Int, of limit: Int) {
        gtk_level_bar_set_value(bar.opaque, limit > 0 ? min(1, Double(value) / Double(limit)) : 0)
    }
}
