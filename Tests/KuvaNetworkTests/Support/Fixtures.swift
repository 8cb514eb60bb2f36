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

    /// Runs a program that reads all of its short input and writes a short output.
    static func run(_ path: String, _ arguments: [String], input: Data = Data()) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    let process = Process()
                    process.executableURL = URL(filePath: path)
                    process.arguments = arguments
                    let (stdin, stdout) = (Pipe(), Pipe())
                    process.standardInput = stdin
                    process.standardOutput = stdout
                    try process.run()
                    try stdin.fileHandleForWriting.write(contentsOf: input)
                    try stdin.fileHandleForWriting.close()
                    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
                    process.waitUntilExit()
                    continuation.resume(returning: output)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }
}
