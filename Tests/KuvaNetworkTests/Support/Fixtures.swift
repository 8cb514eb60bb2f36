import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting

/// Bytes that are easy to tell from one another.
func pattern(_ count: Int, seed: Int = 0) -> Data {
    Data(
        [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: (index &+ seed) &* 167 &+ index >> 8) }
            initialized = count
        }
    )
}

/// A downloader that no proxy of the environment can come between, and that tries once unless told otherwise.
func makeDownloader(
    time: TimeSource = .system,
    _ change: (inout Downloader.Configuration) -> Void = { _ in }
) throws -> Downloader {
    var configuration = Downloader.Configuration()
    configuration.usesProxyFromEnvironment = false
    configuration.retry = .never
    change(&configuration)
    return try Downloader(configuration: configuration, time: time)
}

/// A generator whose numbers follow from its seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A program of the system, as a source of bytes that are not our own.
enum Tool {
    static func isInstalled(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs a program and returns what it wrote; fails if it does.
    ///
    /// Input and output are files: a pipe would stay open as long as any program that was started meanwhile runs.
    static func run(_ path: String, _ arguments: [String], input: Data = Data()) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try runHere(path, arguments, input: input) })
            }
        }
    }

    private static func runHere(_ path: String, _ arguments: [String], input: Data) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, result) = (folder.appending(path: "in"), folder.appending(path: "out"))
        try input.write(to: source)
        try Data().write(to: result)
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput = try FileHandle(forWritingTo: result)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
        return try Data(contentsOf: result)
    }

    struct Failed: Error {
        let status: Int32
    }
}
