import BenchmarkKit
import Foundation

/// The program behind `script/bench`, which prepares pictures and rivals for it.
@main
struct Main {
    /// What each suite measures: its name, and a function that makes its cases.
    static let suites: [(name: String, contests: @Sendable (Options) throws -> [Contest])] = [
        ("decode", DecodeSuite.contests),
        ("memory-cache", MemoryCacheSuite.contests),
        ("disk-cache", DiskCacheSuite.contests),
        ("pipeline", PipelineSuite.contests),
    ]

    static func main() {
        do {
            if let helper = CommandLine.arguments.dropFirst().first, helper == "million" {
                return try MillionEntries.main(Array(CommandLine.arguments.dropFirst(2)))
            }
            let options = try Options(CommandLine.arguments.dropFirst())
            guard let suite = suites.first(where: { $0.name == options.suite }) else {
                throw Failure("there is no suite \(options.suite); --list names them")
            }
            try run(suite.name, try suite.contests(options), options)
        } catch {
            FileHandle.standardError.write(Data("kuva-benchmarks: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ suite: String, _ contests: [Contest], _ options: Options) throws {
        var rows: [Row] = []
        for contest in contests {
            FileHandle.standardError.write(Data("\(suite): \(contest.name)\n".utf8))
            rows += try contest.rows(suite: suite, runs: options.runs)
        }
        print(Table(rows).text, terminator: "")
        if let file = options.json {
            try Data(rows.map { $0.json + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: file))
        }
    }
}

/// Why a measurement was not made.
struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
