import BenchmarkKit
import Testing

@Suite("Contest")
struct ContestTests {
    /// A contender whose costs are written down; it tells the order in which everyone ran.
    final class Script {
        var order: [String] = []

        func contender(_ name: String, _ costs: [Double]) -> Contest.Contender {
            var rest = costs[...]
            return Contest.Contender(name) {
                self.order.append(name)
                return rest.popFirst() ?? -1
            }
        }
    }

    @Test func contendersTakeTurnsAndTheFirstRunDoesNotCount() throws {
        let script = Script()
        let contest = Contest(
            "jpeg-full",
            metric: "cpu",
            unit: "ms",
            ours: script.contender("kuva", [99, 12, 11, 10, 13, 20]),
            rivals: [script.contender("bare-c", [99, 6, 5, 4, 30, 5.5])]
        )
        let row = try #require(try contest.rows(suite: "decode", runs: 5).first)
        #expect(script.order == Array(repeating: ["kuva", "bare-c"], count: 6).flatMap { $0 })
        #expect(row.ours == 12)
        #expect(row.theirs == 5.5)
        #expect(row.ratio == 5.5 / 12)
        #expect(row.spread == 2)
    }

    @Test func neverFewerThanFiveRuns() throws {
        let script = Script()
        let contest = Contest(
            "x",
            metric: "cpu",
            unit: "ms",
            ours: script.contender("kuva", [1, 1, 1, 1, 1, 1]),
            rivals: [script.contender("r", [1, 1, 1, 1, 1, 1])]
        )
        #expect(try contest.rows(suite: "s", runs: 1).first?.runs == 5)
    }

    @Test func ratioIsHowManyTimesBetterWhicheverWayTheMetricRuns() throws {
        func ratio(largerIsBetter: Bool, ours: Double, theirs: Double) throws -> Double? {
            let script = Script()
            let contest = Contest(
                "x",
                metric: "rate",
                unit: "files/s",
                largerIsBetter: largerIsBetter,
                ours: script.contender("kuva", Array(repeating: ours, count: 6)),
                rivals: [script.contender("r", Array(repeating: theirs, count: 6))]
            )
            return try contest.rows(suite: "s", runs: 5).first?.ratio
        }
        #expect(try ratio(largerIsBetter: true, ours: 300, theirs: 100) == 3)
        #expect(try ratio(largerIsBetter: false, ours: 300, theirs: 150) == 0.5)
        #expect(try ratio(largerIsBetter: false, ours: 0, theirs: 0) == 1)
        #expect(try #require(try ratio(largerIsBetter: false, ours: 0, theirs: 5)).isFinite)
    }

    @Test func rowIsOneJSONObjectWithTheFieldsOfTheFormat() throws {
        let script = Script()
        let contest = Contest(
            "jpeg-full",
            metric: "cpu",
            unit: "ms",
            ours: script.contender("kuva", [0, 11.6, 11.6, 11.6, 11.6, 11.948]),
            rivals: [script.contender("a\"b\\c\n", Array(repeating: 11.4, count: 6))]
        )
        let row = try #require(try contest.rows(suite: "decode", runs: 5).first)
        #expect(
            row.json == #"{"suite":"decode","case":"jpeg-full","metric":"cpu","unit":"ms","ours":11.6,"#
                + #""rival":"a\"b\\c\u000a","theirs":11.4,"ratio":0.9828,"runs":5,"spread":1.03}"#
        )
    }

    @Test func medianOfAnEvenCountLiesBetween() {
        #expect(median([4, 1, 3, 2]) == 2.5)
        #expect(median([]) == 0)
    }

    @Test func numbersKeepFourDigits() {
        #expect(rounded(0.000123456) == 0.0001235)
        #expect(rounded(12.34567) == 12.35)
        #expect(rounded(123456.7) == 123457)
        #expect(rounded(.infinity) == 0)
    }

    @Test func columnsAlign() {
        var table = Table(header: ["case", "ms"])
        table.append(["jpeg-full", "7"])
        #expect(table.text == "case       ms\n---------  --\njpeg-full   7\n")
    }
}
