import BenchmarkKit
import Foundation

/// The program behind `script/bench`, which prepares pictures and rivals for it.
@main
struct Main {
    /// What each suite measures: its name, and a function that makes its cases.
    static let suites: [(name: String, contests: @Sendable (Options) throws -> [Contest])] = [
        ("decode", DecodeSuite.contests),
        ("thumbnail", ThumbnailSuite.contests),
        ("resize", ResizeSuite.contests),
        ("encode", EncodeSuite.contests),
        ("memory-cache", MemoryCacheSuite.contests),
        ("disk-cache", DiskCacheSuite.contests),
        ("pipeline", { try ManagerContests.contests($0) + PipelineSuite.contests($0) + EndToEnd.contests($0) }),
        ("animation", AnimationSuite.contests),
        ("startup", StartupSuite.contests),
        ("scale", ScaleSuite.contests),
    ]

    static func main() {
        do {
            defer { MillionEntries.removeFolders() }
            let rest = Array(CommandLine.arguments.dropFirst(2))
            // What the program is to itself.
            switch CommandLine.arguments.dropFirst().first {
            case "million": return try MillionEntries.main(rest)
            case "shrink": return try HugePicture.main(rest)
            default: break
            }
            let options = try Options(CommandLine.arguments.dropFirst())
            guard let suite = suites.first(where: { $0.name == options.suite }) else {
                throw Failure("there is no suite \(options.suite); --list names them")
            }
            let contests = try suite.contests(options)
            try Report.run(suite.name, contests, options) { suite.name == "scale" ? ScaleSuite.growths($0) : [] }
        } catch {
            Report.say("kuva-benchmarks: \(error)")
            exit(1)
        }
    }
}
