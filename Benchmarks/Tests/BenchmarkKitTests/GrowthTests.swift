import BenchmarkKit
import Testing

@Suite("Growth")
struct GrowthTests {
    /// Costs of 3n, 5n² and 7, worked out by hand.
    @Test(arguments: [([3.0, 30, 300], 1.0), ([5, 500, 50_000], 2), ([7, 7, 7], 0)])
    func findsTheExponent(_ costs: [Double], _ exponent: Double) throws {
        let growth = try #require(Growth(zip([1.0, 10, 100], costs).map { (size: $0, cost: $1) }))
        #expect(abs(growth.exponent - exponent) < 1e-12)
    }

    /// Costs 1, 4 and 4 at 1, 2 and 4: in units of log 2 the points (0, 0), (1, 2), (2, 2), whose line has slope 1.
    @Test func fitsPointsThatLieOnNoLine() throws {
        let growth = try #require(Growth([(size: 1, cost: 1), (size: 2, cost: 4), (size: 4, cost: 4)]))
        #expect(abs(growth.exponent - 1) < 1e-12)
    }

    @Test func oneSizeSaysNothing() {
        #expect(Growth([(size: 1, cost: 1)]) == nil)
        #expect(Growth([(size: 2, cost: 1), (size: 2, cost: 3)]) == nil)
        #expect(Growth([(size: 0, cost: 1), (size: 2, cost: 3)]) == nil)
    }
}
