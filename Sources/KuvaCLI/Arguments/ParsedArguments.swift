/// The words after a command's name, sorted into options and operands.
///
/// Options are `--name VALUE`, `--name=VALUE`, `-o VALUE`, `-oVALUE`, in any place; the last of several counts. A bare
/// `--` makes operands of all that follows, and `-` alone is an operand.
struct ParsedArguments: Equatable {
    private(set) var operands: [String] = []
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// - Throws: ``UsageError`` for an option that the command does not have, or a value too many or too few.
    init(_ words: some Sequence<String>, syntax: CommandSyntax) throws(UsageError) {
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let (name, attached) = Self.split(word)
            guard let option = Self.option(named: name, in: syntax) else {
                throw UsageError(Self.unknown(name, in: syntax), command: syntax.name)
            }
            guard option.value != nil else {
                guard attached == nil else { throw UsageError("\(name) takes no value", command: syntax.name) }
                flags.insert(option.name)
                continue
            }
            guard let value = attached ?? rest.popFirst() else {
                throw UsageError("\(name) needs a value: \(option.title.drop { $0 == " " })", command: syntax.name)
            }
            values[option.name] = value
        }
    }

    /// Whether an option without a value was given.
    func has(_ option: OptionSyntax) -> Bool { flags.contains(option.name) }

    /// The value of an option; `nil` if it was not given.
    func value(of option: OptionSyntax) -> String? { values[option.name] }

    /// `--size=4x3` and `-s4x3` carry their values in one word.
    private static func split(_ word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--") else {
            let value = word.dropFirst(2)
            return (String(word.prefix(2)), value.isEmpty ? nil : String(value))
        }
        guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    private static func option(named name: String, in syntax: CommandSyntax) -> OptionSyntax? {
        (syntax.options + [.help]).first { "--\($0.name)" == name || $0.letter.map { "-\($0)" } == name }
    }

    private static func unknown(_ name: String, in syntax: CommandSyntax) -> String {
        let candidates = (syntax.options + [.help]).map { "--\($0.name)" }
        let advice = name.hasPrefix("--") ? Suggestion.closest(to: name, in: candidates) : nil
        return "\(syntax.name) has no option \(name)" + (advice.map { "; did you mean \($0)?" } ?? "")
    }
}
