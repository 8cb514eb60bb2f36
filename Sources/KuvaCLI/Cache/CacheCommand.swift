internal import Kuva

/// `kuva cache`: the disk cache that programs with Kuva's default configuration share.
struct CacheCommand: Command {
    private enum Action: String, CaseIterable {
        case path
        case stats
        case clear
    }

    static let syntax = CommandSyntax(
        name: "cache",
        summary: "Show or empty the disk cache.",
        operands: "path|stats|clear",
        details: [
            """
              path   print the folder of the cache
              stats  print how many entries it has and what they take
              clear  remove all entries
            """
        ],
        options: []
    )

    private let action: Action

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let names = Action.allCases.map(\.rawValue)
        guard let word = arguments.operands.first else {
            throw UsageError("cache needs one of \(names.joined(separator: ", "))", command: "cache")
        }
        guard let action = Action(rawValue: word) else {
            let advice = Suggestion.closest(to: word, in: names).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("cache has no action \(word)\(advice)", command: "cache")
        }
        guard arguments.operands.count == 1 else { throw UsageError("cache does one thing at once", command: "cache") }
        self.action = action
    }

    func run(_ context: CommandContext) async -> ExitStatus {
        let cache = context.cache
        let action = action
        let result = await context.files.run {
            Result { () throws(ImageError) in
                switch action {
                case .path: [cache.configuration.directory]
                case .stats: Self.lines(try cache.statistics())
                case .clear: try Self.clear(cache)
                }
            }
        }
        switch result {
        case .success(let lines):
            for line in lines { context.console.print(line) }
            return .succeeded
        case .failure(let error):
            context.console.complain(Console.line(error, about: cache.configuration.directory))
            return .failed
        }
    }

    private static func lines(_ statistics: DiskCache.Statistics) -> [String] {
        [
            "folder   \(statistics.path)",
            "entries  \(statistics.entryCount)",
            "bytes    \(amount(statistics.byteCount))",
            "limit    \(amount(statistics.byteLimit))",
        ]
    }

    private static func clear(_ cache: DiskCache) throws(ImageError) -> [String] {
        try cache.removeAll()
        return []
    }

    private static func amount(_ byteCount: Int) -> String { "\(byteCount) (\(ByteText.short(Int64(byteCount))))" }
}
