import BenchmarkKit
import Foundation

/// The photographs that the suites decode, in memory.
struct Pictures {
    let files: [Data]
    /// Where they are, for rivals that read them themselves.
    let paths: [String]

    /// Reads all files of one folder, in the order of their names; in a quick run only every so many.
    init(_ kind: String, _ options: Options, quickStride: Int = 5) throws {
        let folder = URL(fileURLWithPath: options.prepared).appendingPathComponent("pictures/\(kind)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        guard !names.isEmpty else { throw Failure("\(folder.path) is empty; run script/bench decode --prepare") }
        let chosen = names.enumerated().filter { !options.isQuick || $0.offset.isMultiple(of: quickStride) }
        paths = chosen.map { folder.appendingPathComponent($0.element).path }
        files = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    }
}
