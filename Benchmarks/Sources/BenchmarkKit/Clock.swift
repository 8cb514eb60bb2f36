internal import CBenchmarkKit
internal import Glibc

/// Reads of the system's clocks, in seconds.
package enum Clock {
    /// CPU time that all threads of this process have used.
    package static var cpu: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// Time since some fixed moment.
    package static var wall: Double { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Binds the process, and the threads that it starts from now on, to the last core that it may use.
    ///
    /// - Returns: whether the system did so.
    package static func stayOnOneCore() -> Bool { bench_stay_on_one_core() == 0 }

    /// Binds the calling thread to the core of this number, counted from 0 among those that it may use.
    ///
    /// - Returns: whether the system did so.
    @discardableResult
    package static func stay(onCore number: Int) -> Bool { bench_stay_on_core(Int32(number)) == 0 }
}
