import Foundation
import KuvaTesting
import Testing

/// The built `kuva` with folders of its own, which go when the test ends.
final class KuvaRun {
    let root: URL
    private let program = ExternalProgram(built: "kuva")

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// The environment in which every run says the same.
    var environment: [String: String] {
        [
            "XDG_CACHE_HOME": root.appendingPathComponent("cache").path, "LC_ALL": "C.UTF-8", "TERM": "xterm",
            "http_proxy": "", "https_proxy": "", "all_proxy": "", "no_proxy": "",
        ]
    }

    func callAsFunction(_ arguments: String..., input: Data = Data()) async throws -> ExternalProgram.Outcome {
        try await self(arguments, input: input)
    }

    func callAsFunction(_ arguments: [String], input: Data = Data()) async throws -> ExternalProgram.Outcome {
        try await program.run(arguments, input: input, environment: environment, folder: root)
    }

    /// Starts it and returns at once.
    func start(_ arguments: String...) throws -> RunningProgram {
        try program.start(arguments, environment: environment, folder: root)
    }

    /// Runs it on a terminal of 80 columns and 24 rows; what it writes there is in the output.
    func onTerminal(_ arguments: String...) async throws -> ExternalProgram.Outcome {
        let script = try #require(ExternalProgram(named: "script"))
        let words = ([program.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let command = "stty cols 80 rows 24 -onlcr; \(words)"
        return try await script.run(
            ["--quiet", "--return", "--command", command, "/dev/null"],
            environment: environment,
            folder: root
        )
    }

    func files(_ folder: String = ".") throws -> [String] {
        let path = root.appendingPathComponent(folder).path
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "cache" }.sorted()
    }

    func bytes(_ file: String) throws -> Data { try Data(contentsOf: root.appendingPathComponent(file)) }

    func write(_ bytes: Data, to file: String) throws { try bytes.write(to: root.appendingPathComponent(file)) }
}

/// Pictures made by other programs.
enum Fixture {
    /// A JPEG that `cjpeg` makes from a grey slope.
    static func jpeg(width: Int, height: Int) async throws -> Data {
        let cjpeg = try #require(ExternalProgram(named: "cjpeg"))
        var pnm = Data("P5 \(width) \(height) 255\n".utf8)
        for y in 0..<height { pnm.append(contentsOf: (0..<width).map { UInt8(($0 * 3 + y * 2) % 256) }) }
        return try await cjpeg.run(["-quality", "90", "-grayscale"], input: pnm).output
    }
}
