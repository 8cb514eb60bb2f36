import BenchmarkKit
internal import CCallgrind
import Foundation

/// The program behind `script/budgets`: does each work so often, and says what it cost.
@main
struct Main {
    static func main() {
        do {
            switch CommandLine.arguments.dropFirst().first {
            case "allocations": try countAllocations()
            case "instructions": try countInstructions()
            default: throw Failure("usage: kuva-budgets allocations|instructions")
            }
        } catch {
            Report.say("kuva-budgets: \(error)")
            exit(1)
        }
    }

    /// A line for each: its name, how often it was done, and the blocks that were allocated.
    private static func countAllocations() throws {
        for budget in try Budgets.all() {
            try budget.warmUp()
            let blocks = try Allocations.count { try budget.work(budget.count) }
            print(budget.name, budget.count, blocks, separator: "\t")
        }
    }

    /// To be run under callgrind, which writes a file for each.
    private static func countInstructions() throws {
        guard bench_callgrind_counts() != 0 else { throw Failure("not under callgrind, or built without its header") }
        for budget in try Budgets.all() {
            try budget.warmUp()
            bench_callgrind_start()
            try budget.work(budget.count)
            bench_callgrind_stop(budget.name)
        }
    }
}
