import BenchmarkKit
import Foundation
import Glibc

/// A program that is run to its end, with nothing in between that would take time of its own.
enum ChildProcess {
    /// Runs a program, found on the path, with its output thrown away.
    ///
    /// - Throws: ``Failure`` when it cannot be started, or ends with anything but 0.
    static func run(_ command: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, command[0], &actions, nil, &arguments, environ)
        guard error == 0 else { throw Failure("\(command[0]) does not start: \(String(cString: strerror(error)))") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure("\(command[0]) was lost") }
        }
        guard status == 0 else { throw Failure("\(command[0]) ended with the status \(status)") }
    }
}
