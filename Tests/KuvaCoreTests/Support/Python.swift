import Foundation
import KuvaTesting

/// Runs scripts with a Python that has the modules they need: the oracle for what others do.
struct Python {
    private let interpreter: URL

    struct Failure: Error {}

    /// The first `python3` of the path, or of the usual places, that runs `check`; `nil` where none does, so that its
    /// tests are skipped.
    init?(running check: String) {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/local/bin"]
        let candidates = folders.map { URL(fileURLWithPath: $0).appendingPathComponent("python3") }
        guard let found = candidates.first(where: { Self.run($0, ["-c", check]) == 0 }) else { return nil }
        interpreter = found
    }

    /// What `script` writes to the file named by its second argument, given `input` in the file named by its first.
    func run(_ script: String, input: Data) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("in")
        let result = folder.appendingPathComponent("out")
        try input.write(to: source)
        guard Self.run(interpreter, ["-c", script, source.path, result.path]) == 0 else { throw Failure() }
        return try Data(contentsOf: result)
    }

    private static func run(_ executable: URL, _ arguments: [String]) -> Int32 {
        (try? SpawnedProcess(executable.path, arguments).wait()) ?? -1
    }
}
