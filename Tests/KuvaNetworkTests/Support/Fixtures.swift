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

/// A downloader that no proxy of the environment can come between, and that tries once unless told otherwise. By the
/// system's clock it waits for an hour, so that no test depends on how busy the machine is.
func makeDownloader(
    time: TimeSource? = nil,
    _ change: (inout Downloader.Configuration) -> Void = { _ in }
) throws -> Downloader {
    var configuration = Downloader.Configuration()
    configuration.usesProxyFromEnvironment = false
    configuration.retry = .never
    if time == nil {
        configuration.connectTimeout = .seconds(3600)
        configuration.firstByteTimeout = .seconds(3600)
        configuration.idleTimeout = .seconds(3600)
        configuration.minimumSpeed = nil
    }
    change(&configuration)
    return try Downloader(configuration: configuration, time: time ?? .system)
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
        let status = try SpawnedProcess(path, arguments, input: source.path(), output: result.path()).wait()
        guard status == 0 else { throw Failed(status: status) }
        return try Data(contentsOf: result)
    }

    struct Failed: Error {
        let status: Int32
    }
}
