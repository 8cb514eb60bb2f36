import Foundation

/// The photographs that the suites decode, in memory.
struct Pictures {
    let files: [Data]

    /// Reads all files of one folder, in the order of their names; in a quick run every third.
    init(_ kind: String, _ options: Options) throws {
        let folder = URL(fileURLWithPath: options.prepared).appendingPathComponent("pictures/\(kind)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        guard !names.isEmpty else { throw Failure("\(folder.path) is empty; run script/bench decode --prepare") }
        files = try names.enumerated().filter { !options.isQuick || $0.offset.isMultiple(of: 3) }.map {
            try Data(contentsOf: folder.appendingPathComponent($0.element))
        }
    }
}
