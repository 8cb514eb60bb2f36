internal import FoundationEssentials
internal import Kuva

/// `kuva cache`: the disk cache that programs with Kuva's default configuration share.
struct CacheCommand: Command {
    private enum Action: String, CaseIterable {
        case path
        case stats
        case list
        case show
        case remove
        case trim
        case verify
        case clear

        /// How many words follow.
        var operands: ClosedRange<Int> {
            switch self {
            case .path, .stats, .list, .verify, .clear: 0...0
            case .show, .trim: 1...1
            case .remove: 1...Int.max
            }
        }
    }

    private static let json = OptionSyntax("json", help: "Print JSON: one object, or one a line for list.")
    private static let host = OptionSyntax("host", value: "NAME", help: "list: only pictures from this host.")
    private static let format = OptionSyntax("format", value: "NAME", help: "list: only this format, such as jpeg.")
    private static let unused = OptionSyntax("unused", value: "DAYS", help: "list: only what was not used for so long.")
    private static let prefix = OptionSyntax("prefix", help: "remove: everything whose URL starts so.")

    static let syntax = CommandSyntax(
        name: "cache",
        summary: "Look into the disk cache, and tidy it.",
        operands: "path|stats|list|show URL|remove URL…|trim SIZE|verify|clear",
        details: [
            """
              path    print the folder of the cache
              stats   print how many entries it has, what they take, how old they are and whence
              list    print the entries, one a line: format, bytes, days unused, URL, variant
              show    print what the entry of a URL says about itself, and its variants
              remove  remove a URL and all its variants
              trim    remove the least recently used entries until SIZE is left, such as 100MB
              verify  read every entry, and remove those that are damaged
              clear   remove all entries
            """
        ],
        options: [json, host, format, unused, prefix]
    )

    private let action: Action
    private let operands: [String]
    private let filter: CacheEntryFilter
    private let isJSON: Bool
    private let isPrefix: Bool
    private let byteCount: Int

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let names = Action.allCases.map(\.rawValue)
        guard let word = arguments.operands.first else {
            throw UsageError("cache needs one of \(names.joined(separator: ", "))", command: "cache")
        }
        guard let action = Action(rawValue: word) else {
            let advice = Suggestion.closest(to: word, in: names).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("cache has no action \(word)\(advice)", command: "cache")
        }
        operands = Array(arguments.operands.dropFirst())
        guard action.operands.contains(operands.count) else {
            let text =
                action.operands.upperBound == 0 ? "cache does one thing at once" : "cache \(word) needs what to \(word)"
            throw UsageError(text, command: "cache")
        }
        self.action = action
        isJSON = arguments.has(Self.json)
        isPrefix = arguments.has(Self.prefix)
        var days: Double?
        if let text = arguments.value(of: Self.unused) {
            guard let number = Double(text), number >= 0 else {
                throw UsageError("--unused needs a number of days, not \(text)", command: "cache")
            }
            days = number
        }
        filter = CacheEntryFilter(
            host: arguments.value(of: Self.host),
            format: arguments.value(of: Self.format),
            unusedDays: days
        )
        byteCount = try action == .trim ? Self.size(operands[0]) : 0
    }

    private static func size(_ text: String) throws(UsageError) -> Int {
        guard let count = ByteText.count(text) else {
            throw UsageError("\(text) is no size; write it as 100MB, 2GB or a number of bytes", command: "cache")
        }
        return count
    }

    func run(_ context: CommandContext) async -> ExitStatus {
        let cache = context.cache
        let result = await context.files.run {
            Result { () throws(ImageError) in try work(cache, context.console) }
        }
        switch result {
        case .success(let status): return status
        case .failure(let error):
            context.console.complain(Console.line(error, about: cache.configuration.directory))
            return .failed
        }
    }

    private func work(_ cache: DiskCache, _ console: Console) throws(ImageError) -> ExitStatus {
        switch action {
        case .path: console.print(cache.configuration.directory)
        case .stats:
            let report = try CacheReport(cache)
            for line in isJSON ? [report.json] : report.lines { console.print(line) }
        case .list:
            let now = Date()
            try cache.forEachEntry { entry in
                let line = CacheEntryLine(entry, now: now)
                if filter.matches(entry, line) { console.print(isJSON ? line.json : line.text) }
                return true
            }
        case .show: return try show(cache, console)
        case .remove:
            for operand in operands {
                if isPrefix {
                    try cache.removeData(withPrefix: operand)
                } else {
                    try cache.removeData(ofOriginal: operand)
                }
            }
        case .trim: try cache.trim(toBytes: byteCount)
        case .verify:
            let report = try cache.verify()
            for path in report.damagedPaths { console.complain("\(path): damaged; removed") }
            console.print(
                "\(report.entryCount) entries of \(ByteText.short(Int64(report.byteCount))) read, "
                    + "\(report.damagedPaths.count) damaged"
            )
            return report.damagedPaths.isEmpty ? .succeeded : .failed
        case .clear: try cache.removeAll()
        }
        return .succeeded
    }

    private func show(_ cache: DiskCache, _ console: Console) throws(ImageError) -> ExitStatus {
        var lines: [CacheEntryLine] = []
        let now = Date()
        try cache.forEachEntry(ofOriginal: operands[0]) { entry in
            lines.append(CacheEntryLine(entry, now: now))
            return true
        }
        for line in lines.sorted(by: { $0.variant < $1.variant }) {
            if isJSON { console.print(line.json) } else { for text in line.description { console.print(text) } }
        }
        guard lines.isEmpty else { return .succeeded }
        console.complain("\(operands[0]): the cache does not hold it")
        return .failed
    }
}
