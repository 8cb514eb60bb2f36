internal import Foundation

/// How the programs behind `script/bench` run a suite and print what came of it.
package enum Report {
    /// Runs the contests of a suite one after the other; prints the table, and writes the lines that the options ask for.
    ///
    /// - Parameter notes: lines under the table that all rows together give.
    package static func run(
        _ suite: String,
        _ contests: [Contest],
        _ options: Options,
        notes: ([Row]) -> [String] = { _ in [] }
    ) throws {
        var rows: [Row] = []
        for contest in contests {
            say("\(suite): \(contest.name)")
            rows += try contest.rows(suite: suite, runs: options.runs)
        }
        print(Table(rows).text, terminator: "")
        for note in notes(rows) { print(note) }
        if let file = options.json {
            try Data(rows.map { $0.json + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: file))
        }
    }

    /// A line that is no result.
    package static func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
