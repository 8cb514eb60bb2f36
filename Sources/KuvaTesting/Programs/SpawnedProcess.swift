internal import CKuvaSpawn
internal import FoundationEssentials
internal import Glibc

/// A program started by the system's own call.
///
/// Not by Foundation's `Process`: that lists the descriptors of the whole program and overruns its list when other
/// threads, of which tests have many, open some meanwhile.
package struct SpawnedProcess: Sendable {
    /// Why a program did not start: an `errno`.
    package struct Failed: Error {
        package let path: String
        package let code: Int32
    }

    /// The number of the process.
    package let identifier: Int32

    /// Starts a program in a process group of its own. It has the standard descriptors and no others.
    ///
    /// - Parameters:
    ///   - environment: all variables that it gets; those of this program by default.
    ///   - folder: where it stands; here by default.
    ///   - input: the path of a file that it reads.
    ///   - output: the path of a file that it overwrites; so for `errors`.
    package init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String]? = nil,
        folder: String? = nil,
        input: String = "/dev/null",
        output: String = "/dev/null",
        errors: String = "/dev/null"
    ) throws(Failed) {
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables =
            (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0.key)=\($0.value)") } + [nil]
        let places = [folder, input, output, errors].map { $0.flatMap { strdup($0) } }
        defer { for text in words + variables + places { free(text) } }
        var place = kuva_spawn_place(
            folder: UnsafePointer(places[0]),
            input: UnsafePointer(places[1]),
            output: UnsafePointer(places[2]),
            errors: UnsafePointer(places[3])
        )
        var identifier: pid_t = 0
        let code = kuva_spawn(&identifier, path, words, variables, &place)
        guard code == 0 else { throw Failed(path: path, code: code) }
        self.identifier = identifier
    }

    /// Blocks until it has ended; to be called once.
    ///
    /// - Returns: the exit status; that of a shell, 128 and the signal's number, where a signal ended it.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}
