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
            """,
            """
            Of an animation each frame is listed: how long it is shown, which part of the stored
            picture it draws, and what becomes of it before the next: keep, clear or restore.
            """,
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
                for line in isJSON ? [info.json] : info.lines { context.console.print(line) }
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
            return try await context.files.run {
                Result { () throws(ImageError) in
                    var info = FileInfo(
                        source: source,
                        info: try context.decoders.info(of: data),
                        byteCount: Int64(data.count),
                        metadata: try context.decoders.metadata(of: data)
                    )
                    if let decoder = context.decoders.makeDecoder(forPrefix: data, options: DecodeOptions()) {
                        decoder.append(data, isLast: true)
                        _ = try decoder.readInfo()
                        info.frames = FrameList(decoder)
                    }
                    return info
                }
            }.get()
        }
        return try await context.files.run {
            Result { () throws(ImageError) in try FileHead(path: source).info(by: context.decoders) }
        }.get()
    }

    /// Whether a word names a URL and not a file.
    private static func isURL(_ source: String) -> Bool { source.contains("://") || source.hasPrefix("data:") }
}
