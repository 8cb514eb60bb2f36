/// How much room text takes in a terminal.
enum DisplayWidth {
    /// Columns that a text takes: 2 for East Asian wide characters and emoji, 1 for others, 0 for marks that combine.
    static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

    /// A text in exactly `width` columns: filled up with spaces at its end, or cut in its middle.
    static func fit(_ text: String, _ width: Int) -> String {
        let needed = of(text)
        if needed <= width { return text + String(repeating: " ", count: width - needed) }
        guard width > 1 else { return String(repeating: "…", count: max(0, width)) }
        let tail = take(text.reversed(), (width - 1) / 2)
        let head = take(text, width - 1 - tail.width)
        let padding = String(repeating: " ", count: width - 1 - head.width - tail.width)
        return head.text + "…" + String(tail.text.reversed()) + padding
    }

    private static func take(_ characters: some Sequence<Character>, _ limit: Int) -> (text: String, width: Int) {
        var text = ""
        var width = 0
        for character in characters {
            let next = width + of(character)
            if next > limit { break }
            text.append(character)
            width = next
        }
        return (text, width)
    }

    private static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation || wide.contains(where: { $0.contains(first.value) }) { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }

    /// The blocks that Unicode Standard Annex #11 calls wide, without the unassigned.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x20000...0x3FFFD,
    ]
}
