internal import Glibc

extension Double {
    /// The number to a power.
    func power(_ exponent: Double) -> Double { pow(self, exponent) }
}
