/// Times of frames in whole units, rounded so that the sum of any number of them is off by half a unit at most.
struct RoundedTimes {
    private let unitsPerSecond: Int64
    private let longest: Duration
    private var total = Duration.zero
    private var given: Int64 = 0

    /// - Parameters:
    ///   - unitsPerSecond: a divisor of 10^18.
    ///   - most: the most units that a frame can have.
    init(unitsPerSecond: Int64, most: Int64) {
        self.unitsPerSecond = unitsPerSecond
        longest = .seconds(most) / unitsPerSecond
    }

    /// - Parameter least: the fewest units that the frame may have; what that adds is taken from the frames behind it.
    mutating func next(_ duration: Duration, least: Int64 = 0) -> Int64 {
        total += min(longest, duration)
        let (seconds, attoseconds) = total.components
        let unit = 1_000_000_000_000_000_000 / unitsPerSecond
        let units = max(least, seconds * unitsPerSecond + (attoseconds + unit / 2) / unit - given)
        given += units
        return units
    }
}

extension Duration {
    /// The nearest fraction of a second whose parts have 16 bits: the last convergent of the continued fraction that
    /// has. A time that was such a fraction comes back as it was, but for common factors.
    var fraction16: (numerator: UInt16, denominator: UInt16) {
        let (seconds, rest) = components
        guard seconds < Int64(UInt16.max) else { return (.max, 1) }
        var (above, below) = (UInt64(rest), 1_000_000_000_000_000_000 as UInt64)
        var (last, this): ((UInt64, UInt64), (UInt64, UInt64)) = ((1, 0), (UInt64(seconds), 1))
        // What is left below this is the rounding of the time to attoseconds.
        while above > UInt64(UInt16.max) {
            let term = below / above
            let next = (term &* this.0 &+ last.0, term &* this.1 &+ last.1)
            guard term <= UInt64(UInt16.max), next.0 <= UInt64(UInt16.max), next.1 <= UInt64(UInt16.max) else { break }
            (last, this) = (this, next)
            (below, above) = (above, below % above)
        }
        return (UInt16(this.0), UInt16(this.1))
    }
}
