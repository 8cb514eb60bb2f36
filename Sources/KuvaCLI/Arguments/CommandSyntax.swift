/// What a command accepts, said once: the parser and the help text both follow it.
struct CommandSyntax: Sendable {
    /// The word that chooses the command.
    let name: String
    /// What it does, in one line.
    let summary: String
    /// What it takes beside options, such as `URL…`.
    let operands: String
    /// What else a reader should know, a paragraph each.
    let details: [String]
    let options: [OptionSyntax]
}

/// One option of a command.
struct OptionSyntax: Sendable {
    /// The long name without its dashes.
    let name: String
    /// The short name, if it has one.
    let letter: Character?
    /// What its value is called in the help text; `nil` for an option without a value.
    let value: String?
    /// What it does, in one line.
    let help: String

    init(_ name: String, letter: Character? = nil, value: String? = nil, help: String) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
    }

    /// The option as the help text names it, such as `-o, --output DIR`.
    var title: String {
        let names = letter.map { "-\($0), --\(name)" } ?? "    --\(name)"
        return value.map { "\(names) \($0)" } ?? names
    }

    /// Understood by every command.
    static let help = OptionSyntax("help", letter: "h", help: "Print this text and stop.")
}

extension CommandSyntax {
    /// What `kuva help NAME` prints.
    var helpText: String {
        let options = options + [.help]
        let width = options.map(\.title.count).max() ?? 0
        var text = "usage: kuva \(name)\(operands.isEmpty ? "" : " \(operands)") [OPTION…]\n\n\(summary)\n"
        for detail in details { text += "\n\(detail)\n" }
        text += "\noptions:\n"
        for option in options {
            let padding = String(repeating: " ", count: width - option.title.count)
            text += "  \(option.title)\(padding)  \(option.help)\n"
        }
        return text
    }
}
