/// One case of a suite: the same work done by us and by rivals, in turns.
package struct Contest {
    /// Someone who does the work.
    package struct Contender {
        /// The name in the results; ours is not printed.
        package let name: String
        /// Does the whole work once and returns its cost in the contest's unit.
        package let run: () throws -> Double

        package init(_ name: String, run: @escaping () throws -> Double) {
            self.name = name
            self.run = run
        }

        /// A contender whose cost is the CPU time of `work`, in milliseconds.
        package static func cpuMilliseconds(_ name: String, _ work: @escaping () throws -> Void) -> Contender {
            Contender(name) {
                let start = Clock.cpu
                try work()
                return (Clock.cpu - start) * 1000
            }
        }

        /// A contender whose cost is the CPU time of `work`, in nanoseconds for each of its steps.
        package static func nanoseconds(
            _ name: String,
            each count: Int,
            _ work: @escaping () throws -> Void
        ) -> Contender {
            Contender(name) {
                let start = Clock.cpu
                try work()
                return (Clock.cpu - start) * 1e9 / Double(count)
            }
        }

        /// A contender that is measured by how many of its steps it does in a second.
        package static func rate(_ name: String, of count: Int, _ work: @escaping () throws -> Void) -> Contender {
            Contender(name) {
                let start = Clock.wall
                try work()
                return Double(count) / (Clock.wall - start)
            }
        }
    }

    package let name: String
    package let metric: String
    package let unit: String
    /// Whether a larger number is better, as for a rate.
    package let largerIsBetter: Bool
    package let ours: Contender
    package let rivals: [Contender]
    /// How many times better than a rival ours is to be, by the rival's name, where we have set ourselves that.
    package let goals: [String: Double]

    package init(
        _ name: String,
        metric: String,
        unit: String,
        largerIsBetter: Bool = false,
        ours: Contender,
        rivals: [Contender],
        goals: [String: Double] = [:]
    ) {
        self.name = name
        self.metric = metric
        self.unit = unit
        self.largerIsBetter = largerIsBetter
        self.ours = ours
        self.rivals = rivals
        self.goals = goals
    }

    /// Runs everyone once unmeasured, then in turns, and compares medians.
    ///
    /// - Parameter runs: measured runs of each, at least 5.
    package func rows(suite: String, runs: Int) throws -> [Row] {
        let contenders = [ours] + rivals
        let runs = max(5, runs)
        var costs = [[Double]](repeating: [], count: contenders.count)
        for contender in contenders { _ = try contender.run() }
        for _ in 0..<runs {
            for (index, contender) in contenders.enumerated() { costs[index].append(try contender.run()) }
        }
        let ourCosts = costs[0]
        return zip(rivals, costs.dropFirst()).map { rival, theirCosts in
            Row(
                suite: suite,
                contest: self,
                rival: rival.name,
                ours: median(ourCosts),
                theirs: median(theirCosts),
                runs: runs,
                spread: spread(ourCosts)
            )
        }
    }
}

/// The middle value; the mean of the two middle ones for an even count; 0 for none.
package func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// The largest over the smallest value, 1 where that says nothing.
package func spread(_ values: [Double]) -> Double {
    guard let least = values.min(), let most = values.max(), least > 0 else { return 1 }
    return most / least
}
