/// One of the things that the program can do.
protocol Command: Sendable {
    /// What it accepts.
    static var syntax: CommandSyntax { get }

    /// - Throws: ``UsageError`` if the arguments make no sense together.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Does it. What goes wrong is told on the way; the status says whether anything did.
    func run(_ context: CommandContext) async -> ExitStatus
}
