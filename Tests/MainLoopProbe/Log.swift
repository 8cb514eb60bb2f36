import CGLib
import Glibc

/// What has happened so far.
@MainActor
final class Log {
    static let shared = Log()

    private let mainThread = pthread_self()
    private(set) var entries: [String] = []
    private(set) var strayCount = 0
    var isDone = false

    /// Notes an event, and whether it happened on another thread than the first.
    ///
    /// Never inlined: glibc declares `pthread_self` constant, so that an optimiser would call it once before a hop and
    /// use the answer after it.
    @inline(never)
    func note(_ entry: String) {
        entries.append(entry)
        if pthread_equal(mainThread, pthread_self()) == 0 { strayCount += 1 }
    }

    /// Runs the default main context, sleeping between events, until ``isDone``.
    func iterateUntilDone() {
        while !isDone { g_main_context_iteration(nil, 1) }
    }

    /// Runs whatever is ready in the default main context, without sleeping.
    func iterateWhatIsReady() {
        for _ in 0..<100 { g_main_context_iteration(nil, 0) }
    }
}

/// Writes one result as `key=value`.
func report(_ key: String, _ value: some CustomStringConvertible) {
    let line = Array("\(key)=\(value)\n".utf8)
    _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}
