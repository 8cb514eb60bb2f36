import KuvaUI
import Testing

@Suite("Circular progress")
struct CircularProgressTests {
    private func starts(_ ring: inout CircularProgress) -> Bool { ring.start() }
    private func ticks(_ ring: inout CircularProgress) -> Bool { ring.tick() }

    @Test func growsByOnePercentAndThreePointSixDegrees() {
        var ring = CircularProgress(rate: 25)
        #expect((ring.label, ring.endAngle) == ("0%", -90))
        let did1 = starts(&ring)
        #expect(did1)
        for percent in 1...25 {
            let did2 = ticks(&ring)
            #expect(did2)
            #expect(ring.label == "\(percent)%")
            #expect(abs(ring.endAngle - (-90 + 3.6 * Double(percent))) < 1e-9)
        }
        // A quarter of the way round, at three o'clock, it pauses.
        #expect(abs(ring.endAngle) < 1e-9)
        let did3 = ticks(&ring)
        #expect(!did3)
        #expect(!ring.isRunning)
        #expect(ring.percent == 25)
    }

    @Test func startDoesNothingWhileItRunsAndThenStartsAgain() {
        var ring = CircularProgress(rate: 3)
        _ = ring.start()
        _ = ring.tick()
        let did4 = starts(&ring)
        #expect(!did4)
        #expect(ring.percent == 1)
        while ring.tick() {}
        #expect(ring.percent == 3)
        let did5 = starts(&ring)
        #expect(did5)
        #expect((ring.percent, ring.endAngle) == (0, -90))
    }

    @Test func rateIsCut() {
        var ring = CircularProgress(rate: -5)
        #expect(ring.rate == 0)
        let did6 = starts(&ring)
        #expect(did6)
        let did7 = ticks(&ring)
        #expect(!did7)
        #expect(ring.label == "0%")
        ring.rate = 101
        #expect(ring.rate == 100)
        _ = ring.start()
        while ring.tick() {}
        #expect((ring.label, ring.endAngle) == ("100%", 270))
    }

    @Test func loweringTheRateBelowTheCountStopsAtTheNextTick() {
        var ring = CircularProgress(rate: 50)
        _ = ring.start()
        for _ in 0..<10 { _ = ring.tick() }
        ring.rate = 4
        let did8 = ticks(&ring)
        #expect(!did8)
        #expect((ring.percent, ring.isRunning) == (10, false))
    }

    @Test func downloads() {
        var ring = CircularProgress()
        ring.show(fraction: nil)
        #expect((ring.amount, ring.label) == (.indeterminate, ""))
        for (fraction, label) in [(0.0, "0%"), (0.4267, "42%"), (0.999, "99%"), (1, "100%"), (7, "100%"), (-1, "0%")] {
            ring.show(fraction: fraction)
            #expect(ring.label == label)
        }
        ring.show(fraction: .nan)
        #expect(ring.amount == .indeterminate)
    }

    /// A line of 4 in a box of 100 × 60: from 2 to 58 lies its middle.
    @Test func nothingIsClipped() {
        #expect(CircularProgress.radius(width: 100, height: 60, lineWidth: 4) == 28)
        #expect(CircularProgress.radius(width: 3, height: 9, lineWidth: 4) == 0)
    }
}
