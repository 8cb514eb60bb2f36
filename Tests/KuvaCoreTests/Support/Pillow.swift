import Foundation

/// Runs a script with the first Python that has Pillow; the oracle for what Pillow does.
enum Pillow {
    /// The interpreter; `nil` where none has Pillow, so that its tests are skipped.
    static let interpreter: URL? = {
        let names = ["/usr/bin/python3", "/usr/local/bin/python3"]
        return names.map { URL(fileURLWithPath: $0) }.first { run($0, ["-c", "import PIL.Image"]) == 0 }
    }()

    /// Whether there is one.
    static var isAvailable: Bool { interpreter != nil }

    struct Failure: Error {}

    /// What `script` writes to the file named by its second argument, given `input` in the file named by its first.
    static func run(_ script: String, input: Data) throws -> Data {
        guard let interpreter else { throw Failure() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("in")
        let result = folder.appendingPathComponent("out")
        try input.write(to: source)
        guard run(interpreter, ["-c", script, source.path, result.path]) == 0 else { throw Failure() }
        return try Data(contentsOf: result)
    }

    private static func run(_ executable: URL, _ arguments: [String]) -> Int32 {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }
}
