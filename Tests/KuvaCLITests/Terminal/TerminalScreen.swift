import Testing

/// A terminal of endless height that knows the few sequences that the program uses, as ECMA-48 defines them: cursor up
/// (CUU), erase in line (EL), erase in page (ED).
struct TerminalScreen {
    private(set) var lines: [String] = [""]
    private var row = 0
    private var column = 0

    mutating func play(_ text: String) {
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n":
                row += 1
                column = 0
                if row == lines.count { lines.append("") }
            case "\u{1B}":
                rest.removeFirst()
                let digits = rest.prefix { $0.properties.numericType != nil }
                rest = rest.dropFirst(digits.count)
                let number = Int(String(String.UnicodeScalarView(digits)))
                switch rest.popFirst() {
                case "A": row = max(0, row - (number ?? 1))
                case "K": lines[row] = String(lines[row].prefix(column))
                case "J":
                    lines[row] = String(lines[row].prefix(column))
                    lines.removeSubrange((row + 1)...)
                default: Issue.record("a sequence that this terminal does not know")
                }
            default:
                var line = Array(lines[row])
                if column < line.count { line[column] = Character(scalar) } else { line.append(Character(scalar)) }
                lines[row] = String(line)
                column += 1
            }
        }
    }

    var text: [String] { lines.last == "" ? lines.dropLast() : lines }
}
