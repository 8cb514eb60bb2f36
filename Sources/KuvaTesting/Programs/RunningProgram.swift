internal import Foundation
internal import Glibc
internal import KuvaCore

/// A program that a test has started. Any thread may call every method.
public final class RunningProgram: Sendable {
    private enum State: Sendable {
        case running([CheckedContinuation<Int32, Never>])
        case ended(status: Int32)
    }

    /// The number of its process.
    public let processIdentifier: Int32

    private let files: URL
    private let state: Lock<State>

    /// - Throws: an error of Foundation's about its files, or ``SpawnedProcess/Failed``.
    init(path: String, _ arguments: [String], input: Data, environment: [String: String], folder: URL?) throws {
        files = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try input.write(to: files.appendingPathComponent("in"))
        let process = try SpawnedProcess(
            path,
            arguments,
            environment: environment,
            folder: folder?.path,
            input: files.appendingPathComponent("in").path,
            output: files.appendingPathComponent("out").path,
            errors: files.appendingPathComponent("err").path
        )
        processIdentifier = process.identifier
        let state = Lock(State.running([]))
        self.state = state
        let end: @Sendable () -> Void = {
            let status = process.wait()
            let waiters = state.withLock { state -> [CheckedContinuation<Int32, Never>] in
                defer { state = .ended(status: status) }
                if case .running(let waiters) = state { return waiters }
                return []
            }
            for waiter in waiters { waiter.resume(returning: status) }
        }
        if !OwnThread.start(name: "wait", end) { end() }
    }

    deinit { try? FileManager.default.removeItem(at: files) }

    /// Sends the signal that no program can catch.
    public func kill() { _ = Glibc.kill(processIdentifier, SIGKILL) }

    /// Whether it has not ended yet.
    public var isRunning: Bool {
        state.withLock { state in
            if case .running = state { return true }
            return false
        }
    }

    /// How it ended, once it has.
    public var outcome: ExternalProgram.Outcome {
        get async throws {
            let status = await withCheckedContinuation { continuation in
                let ended = state.withLock { state -> Int32? in
                    switch state {
                    case .ended(let status): return status
                    case .running(let waiters):
                        state = .running(waiters + [continuation])
                        return nil
                    }
                }
                if let ended { continuation.resume(returning: ended) }
            }
            return ExternalProgram.Outcome(
                status: status,
                output: try Data(contentsOf: files.appendingPathComponent("out")),
                errors: try Data(contentsOf: files.appendingPathComponent("err"))
            )
        }
    }
}
