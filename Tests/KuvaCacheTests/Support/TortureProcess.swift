import Foundation
import Testing

/// The helper process that the tests kill.
final class TortureProcess {
    private let process = Process()

    init(_ arguments: [String]) throws {
        let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: here).deletingLastPathComponent().appending(path: "KuvaCacheTorture")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for the end; the exit status, or `nil` if a signal ended it.
    func wait() -> Int32? {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
