internal import FoundationEssentials
internal import Kuva

/// `kuva get`: loads pictures and saves them.
struct GetCommand: Command {
    static let output = OptionSyntax(
        "output",
        letter: "o",
        value: "DIR",
        help: "Save into DIR, made if missing; . if not given."
    )
    static let size = OptionSyntax(
        "size",
        value: "WxH",
        help: "Scale down to fit W×H pixels, in the same format or PNG."
    )
    static let jobs = OptionSyntax("jobs", letter: "j", value: "N", help: "Load N pictures at once; 6 if not given.")
    static let trace = OptionSyntax("trace", value: "FILE", help: "Write how long each step took, for ui.perfetto.dev.")
    static let force = OptionSyntax("force", letter: "f", help: "Replace files that are there.")

    static let syntax = CommandSyntax(
        name: "get",
        summary: "Load pictures and save them.",
        operands: "URL…",
        details: [
            """
            Without --size the bytes are saved as the server sent them, once they are found to
            be a whole picture. Files are named after their URLs; a name that is taken gets a
            number, such as a-1.jpg.
            """
        ],
        options: [output, size, jobs, trace, force]
    )

    let urls: [String]
    let folder: OutputFolder
    let size: PixelSize?
    let jobs: Int
    /// Where the trace goes; `nil` for none.
    let traceFile: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let syntax = Self.syntax
        guard !arguments.operands.isEmpty else { throw UsageError("get needs a URL", command: syntax.name) }
        urls = arguments.operands
        let path = arguments.value(of: Self.output) ?? "."
        guard !path.isEmpty else { throw UsageError("--output needs a folder", command: syntax.name) }
        folder = OutputFolder(path: path, replaces: arguments.has(Self.force))
        size = try arguments.value(of: Self.size).map { text throws(UsageError) in
            guard let size = PixelSize(commandLine: text) else {
                throw UsageError("--size is written as 300x200, not “\(text)”", command: syntax.name)
            }
            return size
        }
        traceFile = arguments.value(of: Self.trace)
        guard traceFile?.isEmpty != true else { throw UsageError("--trace needs a file", command: syntax.name) }
        jobs =
            try arguments.value(of: Self.jobs).map { text throws(UsageError) in
                guard let number = Int(text), (1...Self.maximumJobs).contains(number) else {
                    throw UsageError(
                        "--jobs is a number from 1 to \(Self.maximumJobs), not “\(text)”",
                        command: syntax.name
                    )
                }
                return number
            } ?? 6
    }

    /// More connections than this no server welcomes.
    static let maximumJobs = 100

    /// Loads everything; a picture that fails does not stop the others.
    func run(_ context: CommandContext) async -> ExitStatus {
        let manager: ImageManager
        let trace = traceFile.map { _ in TraceRecorder() }
        do throws(ImageError) {
            try folder.prepare()
            manager = try context.manager(jobs: jobs, trace: trace)
        } catch {
            context.console.complain(error.description)
            return .failed
        }
        let reporter = context.reporter()
        let failures = await withTaskGroup(of: Bool.self) { group in
            var rest = Array(urls.enumerated())[...]
            var failures = 0
            for _ in 0..<jobs {
                guard let (id, url) = rest.popFirst() else { break }
                group.addTask { await get(url, id: id, context, manager, reporter) }
            }
            while let isSaved = await group.next() {
                if !isSaved { failures += 1 }
                guard let (id, url) = rest.popFirst() else { continue }
                group.addTask { await get(url, id: id, context, manager, reporter) }
            }
            return failures
        }
        await reporter.close()
        let isTraced = await write(trace, context)
        return failures == 0 && isTraced ? .succeeded : .failed
    }

    /// Writes the trace, if one is wanted; returns whether that went well.
    private func write(_ trace: TraceRecorder?, _ context: CommandContext) async -> Bool {
        guard let trace, let traceFile else { return true }
        let failure = await context.files.run { () -> String? in
            do {
                try trace.json().write(to: URL(filePath: traceFile), options: .atomic)
                return nil
            } catch {
                return "\(error)"
            }
        }
        if let failure { context.console.complain("\(traceFile): the trace was not written: \(failure)") }
        return failure == nil
    }

    /// Loads and saves one picture; returns whether that went well.
    private func get(
        _ source: String,
        id: Int,
        _ context: CommandContext,
        _ manager: ImageManager,
        _ reporter: any GetReporter
    ) async -> Bool {
        do throws(ImageError) {
            let request = try ImageRequest.bytes(of: source, size: size)
            reporter.began(id, name: request.url.lastPathComponent)
            let task = manager.task(for: request)
            task.observe { if case .progress(let progress) = $0 { reporter.progressed(id, progress) } }
            let response = try await task.response
            let line = try await context.files.run { [self] in
                Result { () throws(ImageError) in
                    try save(response, from: request.url, number: id, context.decoders)
                }
            }.get()
            for warning in response.warnings { reporter.noted(Console.line(warning, about: source)) }
            reporter.saved(id, line: line)
            return true
        } catch {
            reporter.failed(id, line: Console.line(error, about: source))
            return false
        }
    }

    /// Saves what was asked for; returns the line that says so.
    private func save(
        _ response: ImageResponse,
        from url: URL,
        number: Int,
        _ decoders: any ImageDecoderProvider
    ) throws(ImageError) -> String {
        let data = response.data ?? Data()
        if size == nil {
            let info = try decoders.info(of: data)
            let path = try folder.save(data, as: FileName(url, format: info.format), number: number)
            return Self.line(path, info.format, info.uprightSize, data.count, response.origin)
        }
        // PNG for what cannot be written, and for all that was PNG, animated or not.
        let format = EncoderRegistry.builtIn[response.image.format] == nil ? .png : response.image.format
        let file = try response.image.data(as: format)
        let path = try folder.save(file, as: FileName(url, format: format, isConverted: true), number: number)
        return Self.line(path, format, response.image.pixelSize, file.count, response.origin)
    }

    private static func line(
        _ path: String,
        _ format: ImageFormat,
        _ size: PixelSize,
        _ byteCount: Int,
        _ origin: ImageResponse.Origin
    ) -> String {
        "\(path): \(format), \(size), \(byteCount) bytes, from \(origin.rawValue)"
    }
}
