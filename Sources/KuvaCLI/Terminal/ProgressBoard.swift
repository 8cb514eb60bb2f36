internal import Kuva

/// The lines of running downloads at the bottom of a terminal, redrawn in place, with what has ended above them.
///
/// Decides what to write and writes nothing.
struct ProgressBoard: Sendable {
    private struct Item: Sendable {
        let id: Int
        let name: String
        var progress: LoadProgress?
    }

    /// The least time between two drawings that only bytes asked for.
    static let interval = Duration.milliseconds(50)

    private let style: ProgressLine.Style
    private var items: [Item] = []
    private var ended: [String] = []
    private var drawnLines = 0
    private var lastDrawing: Duration?

    init(style: ProgressLine.Style) { self.style = style }

    /// A download starts.
    mutating func began(_ id: Int, name: String) { items.append(Item(id: id, name: name)) }

    /// More bytes came. Returns whether it is time to draw.
    mutating func progressed(_ id: Int, _ progress: LoadProgress, now: Duration) -> Bool {
        guard let index = items.firstIndex(where: { $0.id == id }) else { return false }
        items[index].progress = progress
        guard let lastDrawing else { return true }
        return now - lastDrawing >= Self.interval
    }

    /// A download ended; the line, if any, stays for good.
    mutating func ended(_ id: Int, line: String?) {
        items.removeAll { $0.id == id }
        if let line { ended.append(line) }
    }

    /// A line that stays for good.
    mutating func noted(_ line: String) { ended.append(line) }

    /// The text that brings the terminal up to date: over the lines drawn last, what has ended since, then what runs,
    /// as far as there are rows for it.
    mutating func drawing(columns: Int, rows: Int, now: Duration) -> String {
        lastDrawing = now
        var text = drawnLines > 0 ? "\r\u{1B}[\(drawnLines)A" : "\r"
        for line in ended { text += line.withoutControls + Self.endOfLine }
        ended = []
        // The last row stays free for the cursor, and the last column, where terminals differ on when to wrap.
        let room = max(1, rows - 2)
        let shown = items.count <= room ? items[...] : items.prefix(room - 1)
        var lines = shown.map {
            ProgressLine(name: $0.name, progress: $0.progress).text(width: columns - 1, style: style)
        }
        if shown.count < items.count { lines.append("… and \(items.count - shown.count) more") }
        for line in lines { text += line + Self.endOfLine }
        drawnLines = lines.count
        return text + "\u{1B}[J"
    }

    /// Clears the rest of the line and goes to the next.
    private static let endOfLine = "\u{1B}[K\n"
}
