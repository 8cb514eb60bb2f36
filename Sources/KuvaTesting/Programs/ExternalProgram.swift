public import Foundation

/// A program that a test runs: the one that it tests, or another encoder or decoder that vouches for a value.
public struct ExternalProgram: Sendable {
    /// How a run ended.
    public struct Outcome: Sendable {
        /// The exit status; that of a shell, 128 and the signal's number, for a program that a signal ended.
        public var status: Int32
        /// What it wrote to standard output.
        public var output: Data
        /// What it wrote to standard error.
        public var errors: Data

        /// Standard output as text.
        public var outputText: String { String(decoding: output, as: UTF8.self) }
        /// Standard error as text.
        public var errorText: String { String(decoding: errors, as: UTF8.self) }
    }

    /// The file of the program.
    public let path: String

    /// A program by its path.
    public init(path: String) { self.path = path }

    /// A program by its name, looked for as a shell does; `nil` if it is not installed, so that a test can be skipped.
    public init?(named name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { return nil }
        path = found
    }

    /// A program that this package builds, from the folder of the running tests.
    public init(built name: String) {
        let tests = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
        path = tests.deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// Runs the program to its end without blocking a thread of Swift's pool.
    ///
    /// - Parameters:
    ///   - environment: added to that of the tests; an empty value removes a variable.
    ///   - folder: where the program stands; that of the tests by default.
    /// - Throws: an error that names the program if it cannot be started.
    public func run(
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        folder: URL? = nil
    ) async throws -> Outcome {
        try await start(arguments, input: input, environment: environment, folder: folder).outcome
    }

    /// Starts the program and returns at once; see ``run(_:input:environment:folder:)``.
    public func start(
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        folder: URL? = nil
    ) throws -> RunningProgram {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.filter { !$1.isEmpty }
        return try RunningProgram(path: path, arguments, input: input, environment: variables, folder: folder)
    }
}
