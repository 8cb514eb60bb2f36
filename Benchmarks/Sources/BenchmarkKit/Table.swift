/// Text in columns: the first left, the others right aligned.
package struct Table {
    private var lines: [[String]]

    package init(header: [String]) { lines = [header] }

    package mutating func append(_ cells: [String]) { lines.append(cells) }

    /// The table with a rule below its header, each line ended.
    package var text: String {
        let columns = lines.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            lines.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        var text = ""
        for (index, line) in lines.enumerated() {
            let cells = line.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }
            text += cells.joined(separator: "  ") + "\n"
            if index == 0 { text += widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n" }
        }
        return text
    }
}

extension Table {
    /// The results as people read them.
    package init(_ rows: [Row]) {
        self.init(header: ["case", "metric", "ours", "theirs", "unit", "rival", "times better", "goal", "spread"])
        for row in rows {
            append([
                row.name, row.metric, "\(rounded(row.ours))", "\(rounded(row.theirs))", row.unit, row.rival,
                "\((row.ratio * 100).rounded() / 100)", row.goal.map { "\($0)" } ?? "",
                "\((row.spread * 100).rounded() / 100)",
            ])
        }
    }
}
