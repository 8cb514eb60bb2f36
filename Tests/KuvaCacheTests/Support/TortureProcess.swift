import Foundation
import Testing

/// The helper process that the tests kill.
final class TortureProcess {
    private let identifier: pid_t
    private var status: Int32?

    init(_ arguments: [String]) throws {
        let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: here).deletingLastPathComponent().appending(path: "KuvaCacheTorture").path()
        let texts = ([program] + arguments).map { strdup($0) }
        defer { texts.forEach { free($0) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var identifier: pid_t = 0
        let number = posix_spawn(&identifier, program, &actions, nil, texts + [nil], environ)
        guard number == 0 else { throw POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO) }
        self.identifier = identifier
    }

    var isRunning: Bool {
        if status == nil {
            var status: Int32 = 0
            if waitpid(identifier, &status, WNOHANG) == identifier { self.status = status }
        }
        return status == nil
    }

    func kill() { if isRunning { Foundation.kill(identifier, SIGKILL) } }

    /// Waits for the end; the exit status, or `nil` if a signal ended it.
    func wait() -> Int32? {
        if status == nil {
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            self.status = status
        }
        return status.flatMap { $0 & 0x7F == 0 ? $0 >> 8 & 0xFF : nil }
    }
}
