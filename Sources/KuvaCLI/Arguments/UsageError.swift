/// The command line is not one that the program understands.
struct UsageError: Error, Equatable {
    /// What is wrong, in one sentence without a final full stop.
    let message: String
    /// The command that was meant, if it was said.
    var command: String?

    init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }

    /// What stands on stderr, with where to read more.
    var text: String {
        "kuva: \(message)\nkuva: try “kuva help\(command.map { " \($0)" } ?? "")”\n"
    }
}
