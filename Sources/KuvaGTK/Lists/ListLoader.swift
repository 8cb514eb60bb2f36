internal import CKuvaGTK
internal import Kuva
internal import KuvaCore
internal import KuvaPipeline
internal import KuvaUI

/// Loads the pictures of the rows of a list: notes what GTK binds and unbinds, and acts once a frame, when the list has
/// been laid out.
@MainActor
final class ListLoader {
    var prefetchCount = 24
    var reloads = false
    private var rows: [ListRow] = []
    /// The cells of the rows, in their order.
    private var widgets: [UnsafeMutableRawPointer?] = []
    private var rowsByItem: [UnsafeMutableRawPointer: ListRow] = [:]

    private let count: @MainActor () -> Int
    private let request: @MainActor (Int) -> ImageRequest?
    private let ahead: AheadFetcher
    private var schedule = ListSchedule()
    private lazy var hook = LayoutHook { [weak self] in self?.flush() }
    private lazy var notes = RowNotes { [weak self] in self?.noted($0) }
    /// Whether a cell must hear of its rows at once.
    private var hasListeners = false

    /// How many loads begin in one frame, in view and out of it.
    private static let startsInView = 64
    private static let startsOutOfView = 12

    init(
        manager: ImageManager,
        count: @escaping @MainActor () -> Int,
        request: @escaping @MainActor (Int) -> ImageRequest?
    ) {
        self.count = count
        self.request = request
        ahead = AheadFetcher(manager: manager)
    }

    func add(_ cell: any ImageCell, for item: UnsafeMutableRawPointer) {
        let view = cell.imageView
        view.imageBinding.starter = .shared
        // Rows whose sizes changed with their pictures would jump.
        if view.surface.hasRequestedSize { view.followsPictureSize = false }
        let row = ListRow(cell)
        if row.listener != nil { hasListeners = true }
        rowsByItem[item] = row
        rows.append(row)
        widgets.append(row.widget)
    }

    /// Hears from now on what a `GtkSignalListItemFactory` binds and unbinds.
    func listen(to factory: UnsafeMutableRawPointer) { notes.connect(factory) }

    /// All rows, as GTK has bound them up to now.
    var currentRows: [ListRow] {
        goThroughNotes()
        return rows
    }

    /// GTK has bound or unbound an item, for the first time since the notes were looked at.
    private func noted(_ item: UnsafeMutableRawPointer) {
        guard let row = rowsByItem[item] else { return goThroughNotes() }
        let hasFrame = hook.request(by: row.widget)
        // What is not on the screen gets no frame.
        if hasListeners || !hasFrame || !row.isMapped { goThroughNotes() }
    }

    private func goThroughNotes() {
        for (item, position) in notes.take() {
            if let position { bind(item, to: position) } else { unbind(item) }
        }
    }

    private func bind(_ item: UnsafeMutableRawPointer, to position: Int) {
        guard let row = rowsByItem[item] else { return }
        row.position = position
        row.number += 1
        row.stage = .bound
        row.listener?.bind(position)
    }

    private func unbind(_ item: UnsafeMutableRawPointer) {
        guard let row = rowsByItem[item], row.position != nil else { return }
        row.position = nil
        row.number += 1
        row.stage = .done
        // What is not on the screen gets no frame.
        if row.isStale, !row.isMapped { row.clear() }
        row.listener?.unbind()
    }

    func remove(_ item: UnsafeMutableRawPointer) {
        goThroughNotes()
        unbind(item)
        guard let row = rowsByItem.removeValue(forKey: item) else { return }
        row.clear()
        rows.removeAll { $0 === row }
        widgets = rows.map(\.widget)
        if rows.isEmpty { hook.stop() }
    }

    /// A cell has come on the screen.
    func isShown(_ widget: UnsafeMutableRawPointer) { hook.request(by: widget, isShown: true) }

    /// Begins to load the picture of a row, whatever is shown or on its way.
    func load(_ row: ListRow) {
        guard let position = row.position else { return }
        load(row, position, preparedRequest(position))
    }

    private func load(_ row: ListRow, _ position: Int, _ request: ImageRequest?, known: ImageResponse? = nil) {
        row.stage = .done
        row.request = request
        guard var request else { return row.clear() }
        request.priority = row.isInView ? max(request.priority, .high) : request.priority
        row.isStale = true
        row.number += 1
        let number = row.number
        let binding = row.cell.imageView.imageBinding
        binding.setImage(request, known: known, options: row.cell.loadOptions) { [weak row] result in
            guard let row, row.number == number else { return }
            row.cell.loadEnded(position, result)
        }
    }

    private func preparedRequest(_ position: Int) -> ImageRequest? {
        guard var request = request(position) else { return nil }
        if reloads {
            request.cachePolicy = .reload
            request.retriesFailed = true
        }
        return request
    }

    // MARK: Once a frame

    private func flush() {
        goThroughNotes()
        var (view, cells): (ClosedRange<Int>?, ClosedRange<Int>?)
        var (inView, outOfView) = (0, 0)
        // A completion may change the list, or close the window.
        let rows = rows
        var areInView = [Bool](repeating: false, count: rows.count)
        kuva_gtk_find_cells_in_view(widgets, rows.count, &areInView)
        for index in rows.indices {
            let row = rows[index]
            guard let position = row.position else {
                row.clear()
                continue
            }
            let wasInView = row.isInView
            let isInView = areInView[index]
            row.isInView = isInView
            cells = cells.including(position)
            if isInView { view = view.including(position) }
            if row.stage == .done {
                if isInView != wasInView { setPriority(of: row) }
            } else if isInView {
                if row.stage == .bound { look(row, position) }
                if row.isWaiting { inView += 1 }
            } else {
                // It may come into view without another flush, and must not show anything then.
                row.clear()
                outOfView += 1
            }
        }
        let isCalm = schedule.moved(to: view)
        if isCalm {
            if inView > 0 { inView -= start(Self.startsInView) { $0.isInView } }
            if inView == 0, outOfView > 0 { outOfView -= start(Self.startsOutOfView) { !$0.isInView } }
        }
        if inView > 0 || outOfView > 0 {
            if rows.contains(where: { $0.isWaiting && $0.isMapped }) { hook.requestNext() }
        } else if isCalm, let cells, view != nil {
            fetchAhead(of: cells)
        }
    }

    /// Shows the picture of a row in view if it is in memory.
    private func look(_ row: ListRow, _ position: Int) {
        let request = preparedRequest(position)
        row.request = request
        guard let request else {
            row.stage = .done
            return row.clear()
        }
        if let response = row.cell.imageView.imageBinding.memoryHit(for: request) {
            return load(row, position, request, known: response)
        }
        row.stage = .missed
        row.clear()
    }

    /// Begins the loads of rows that wait, the most wanted first. Returns how many.
    private func start(_ limit: Int, where isMeant: (ListRow) -> Bool) -> Int {
        var waiting: [(row: ListRow, position: Int, rank: Int)] = []
        for row in rows where row.isWaiting && isMeant(row) && row.isMapped {
            if let position = row.position { waiting.append((row, position, schedule.rank(of: position))) }
        }
        waiting.sort { ($0.rank, $0.position) < ($1.rank, $1.position) }
        for (row, position, _) in waiting.prefix(limit) where row.position == position {
            load(row, position, row.stage == .missed ? row.request : preparedRequest(position))
        }
        return min(limit, waiting.count)
    }

    private func setPriority(of row: ListRow) {
        guard let request = row.request else { return }
        let priority = row.isInView ? max(request.priority, .high) : request.priority
        row.cell.imageView.imageBinding.setPriority(priority)
    }

    /// Fetches the pictures of the rows ahead, in the size in which one in view is shown.
    private func fetchAhead(of cells: ClosedRange<Int>) {
        guard prefetchCount > 0 else { return }
        let positions = schedule.rowsAhead(prefetchCount, of: cells, length: count())
        guard ahead.isWorthwhile(positions) else { return }
        let shown = rows.lazy.filter(\.isInView).compactMap { row in
            row.request.flatMap { row.cell.imageView.imageBinding.sizedRequest($0) }
        }.first
        guard let shown else { return }
        ahead.fetch(positions) { [request] position in
            guard var request = request(position) else { return nil }
            if request.targetSize == nil {
                request.targetSize = shown.targetSize
                request.scale = shown.scale
            }
            return request
        }
    }
}

extension ClosedRange<Int>? {
    /// The smallest range with a number in it too.
    fileprivate func including(_ number: Int) -> ClosedRange<Int> {
        map { min($0.lowerBound, number)...Swift.max($0.upperBound, number) } ?? number...number
    }
}
