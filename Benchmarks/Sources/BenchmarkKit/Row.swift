/// One line of a suite's results: a case, a metric and a rival.
package struct Row {
    package let suite: String
    package let name: String
    package let metric: String
    package let unit: String
    package let ours: Double
    package let rival: String
    package let theirs: Double
    /// How many times better ours is, whichever way the metric runs.
    package let ratio: Double
    /// The ratio that we have set ourselves, if any.
    package let goal: Double?
    package let runs: Int
    /// The slowest over the fastest of our runs.
    package let spread: Double

    package init(
        suite: String,
        contest: Contest,
        rival: String,
        ours: Double,
        theirs: Double,
        runs: Int,
        spread: Double
    ) {
        self.suite = suite
        name = contest.name
        metric = contest.metric
        unit = contest.unit
        self.ours = ours
        self.rival = rival
        self.theirs = theirs
        let (better, worse) = contest.largerIsBetter ? (ours, theirs) : (theirs, ours)
        ratio = Self.finite(better, over: worse)
        goal = contest.goals[rival]
        self.runs = runs
        self.spread = spread
    }

    /// A quotient that is always a finite number: nothing over nothing is a draw, and a cost of zero counts as the
    /// smallest that can be told from it.
    private static func finite(_ numerator: Double, over denominator: Double) -> Double {
        if numerator == denominator { return 1 }
        return numerator / max(denominator, 1e-9)
    }

    /// One JSON object without line breaks.
    package var json: String {
        func quoted(_ text: String) -> String {
            var result = "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"", "\\": result += "\\\(scalar)"
                case let control where control.value < 0x20:
                    let digits = String(control.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                default: result.unicodeScalars.append(scalar)
                }
            }
            return result + "\""
        }
        return "{\"suite\":\(quoted(suite)),\"case\":\(quoted(name)),\"metric\":\(quoted(metric)),"
            + "\"unit\":\(quoted(unit)),\"ours\":\(rounded(ours)),\"rival\":\(quoted(rival)),"
            + "\"theirs\":\(rounded(theirs)),\"ratio\":\(rounded(ratio)),\"runs\":\(runs),"
            + "\"spread\":\(rounded(spread))\(goal.map { ",\"goal\":\($0)" } ?? "")}"
    }
}

/// A number with four significant digits, written without an exponent where it is neither tiny nor huge.
package func rounded(_ value: Double) -> Double {
    guard value != 0, value.isFinite else { return 0 }
    var scale = 1.0
    while abs(value) * scale < 1000 { scale *= 10 }
    return scale == 1 ? value.rounded() : (value * scale).rounded() / scale
}
