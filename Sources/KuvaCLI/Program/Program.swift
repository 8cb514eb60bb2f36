internal import Glibc

/// The program: finds the command that is meant and runs it.
@main
enum Program {
    static let version = "0.1.0"

    static let commands: [any Command.Type] = [
        GetCommand.self, InfoCommand.self, ConvertCommand.self, HashCommand.self, CacheCommand.self,
    ]

    static func main() async {
        let console = Console()
        let status = await run(Array(CommandLine.arguments.dropFirst()), console)
        exit(status.rawValue)
    }

    static func run(_ words: [String], _ console: Console) async -> ExitStatus {
        do throws(UsageError) {
            return try await dispatch(words, console)
        } catch {
            console.errors.write(error.text)
            return .misused
        }
    }

    private static func dispatch(_ words: [String], _ console: Console) async throws(UsageError) -> ExitStatus {
        guard let name = words.first else {
            console.errors.write(helpText)
            return .misused
        }
        switch name {
        case "-h", "--help":
            console.output.write(helpText)
            return .succeeded
        case "--version":
            console.print("kuva \(version)")
            return .succeeded
        case "help":
            return try help(words.dropFirst(), console)
        default:
            break
        }
        let command = try command(named: name)
        let arguments = try ParsedArguments(words.dropFirst(), syntax: command.syntax)
        if arguments.has(.help) {
            console.output.write(command.syntax.helpText)
            return .succeeded
        }
        return try await command.init(arguments).run(CommandContext(console: console))
    }

    private static func help(_ names: ArraySlice<String>, _ console: Console) throws(UsageError) -> ExitStatus {
        guard names.count <= 1 else { throw UsageError("help takes one command") }
        guard let name = names.first else {
            console.output.write(helpText)
            return .succeeded
        }
        console.output.write(try command(named: name).syntax.helpText)
        return .succeeded
    }

    private static func command(named name: String) throws(UsageError) -> any Command.Type {
        if let command = commands.first(where: { $0.syntax.name == name }) { return command }
        let names = commands.map { $0.syntax.name } + ["help"]
        let kind = name.hasPrefix("-") ? "option" : "command"
        let advice = Suggestion.closest(to: name, in: names).map { "; did you mean \($0)?" } ?? ""
        throw UsageError("there is no \(kind) \(name)\(advice)")
    }

    /// What `kuva --help` prints.
    static var helpText: String {
        let width = commands.map { $0.syntax.name.count }.max() ?? 0
        var text = "usage: kuva COMMAND [ARGUMENT…]\n\nLoads, inspects and keeps pictures from the web.\n\ncommands:\n"
        for command in commands {
            let padding = String(repeating: " ", count: width - command.syntax.name.count)
            text += "  \(command.syntax.name)\(padding)  \(command.syntax.summary)\n"
        }
        text += "\n“kuva help COMMAND” says more. “kuva --version” prints the version.\n"
        return text + "The exit status is 0 if all went well, 1 if something did not, 2 if the command line is wrong.\n"
    }
}
