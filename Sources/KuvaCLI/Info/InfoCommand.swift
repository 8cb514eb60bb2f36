internal import FoundationEssentials
internal import Kuva

/// `kuva info`: what files say about their pictures.
struct InfoCommand: Command {
    static let json = OptionSyntax("json", help: "Print one JSON object a line.")

    static let syntax = CommandSyntax(
        name: "info",
        summary: "Say what pictures are: format, size, frames, colour, orientation.",
        operands: "FILE|URL…",
        details: [
            """
            Of files no more is read than that takes. Width and height are those that a viewer
            sees, orientation applied.
            """
        ],
        options: [json]
    )

    let sources: [String]
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard !arguments.operands.isEmpty else { throw UsageError("info needs a file or a URL", command: "info") }
        sources = arguments.operands
        isJSON = arguments.has(Self.json)
    }

    /// One after the other, in the order in which they were named.
    func run(_ context: CommandContext) async -> ExitStatus {
        var status = ExitStatus.succeeded
        for source in sources {
            do throws(ImageError) {
                let info = try await Self.info(of: source, context)
                context.console.print(isJSON ? info.json : info.text)
            } catch {
                context.console.complain(Console.line(error, about: source))
                status = .failed
            }
        }
        return status
    }

    private static func info(of source: String, _ context: CommandContext) async throws(ImageError) -> FileInfo {
        if isURL(source) {
            let manager = try context.manager()
            let response = try await manager.task(for: .bytes(of: source)).response
            let data = response.data ?? Data()
            let info = try context.decoders.info(of: data)
            return FileInfo(source: source, info: info, byteCount: Int64(data.count))
        }
        let found = try await context.files.run {
            Result { () throws(ImageError) in try FileHead(path: source).info(by: context.decoders) }
        }.get()
        return FileInfo(source: source, info: found.info, byteCount: found.byteCount)
    }

    /// Whether a word names a URL and not a file.
    private static func isURL(_ source: String) -> Bool { source.contains("://") || source.hasPrefix("data:") }
}
