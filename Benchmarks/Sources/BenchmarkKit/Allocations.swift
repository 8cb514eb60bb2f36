internal import CBenchmarkKit

/// Counts the allocations of the whole process.
package enum Allocations {
    /// How many blocks all threads allocate while `work` runs.
    package static func count(_ work: () throws -> Void) rethrows -> Int {
        bench_allocations_start()
        defer { bench_allocations_stop() }
        try work()
        return bench_allocations_stop()
    }
}
