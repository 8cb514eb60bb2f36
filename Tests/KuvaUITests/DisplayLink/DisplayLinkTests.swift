import KuvaCore
import KuvaTesting
import KuvaUI
import Testing

@Suite("Display links")
@MainActor
struct DisplayLinkTests {
    private static let period = Duration.milliseconds(10)

    private func gate() -> RefreshGate { RefreshGate(period: Self.period) }

    private func ticks(_ gate: inout RefreshGate, at times: [Int]) -> [Int] {
        times.filter { time in gate.refresh(at: .milliseconds(time)) }
    }

    @Test func everyRefreshByDefault() {
        var gate = gate()
        let seen1 = ticks(&gate, at: [0, 10, 20, 30])
        #expect(seen1 == [0, 10, 20, 30])
        #expect(gate.timestamp == .milliseconds(30))
        #expect(gate.targetTimestamp == .milliseconds(40))
        #expect(gate.missedRefreshCount == 0)
    }

    /// The nominal period stays what it is, as the seed says of `duration`.
    @Test func intervalOfTwoTicksOnEverySecond() throws {
        var gate = gate()
        try gate.setFrameInterval(2)
        let seen2 = ticks(&gate, at: [0, 10, 20, 30, 40])
        #expect(seen2 == [0, 20, 40])
        #expect(gate.period == Self.period)
        #expect(gate.targetTimestamp == .milliseconds(60))
        for wrong in [0, -1] {
            do throws(ImageError) {
                try gate.setFrameInterval(wrong)
                Issue.record("an interval of \(wrong) is taken")
            } catch {
                #expect(error.code == .invalidConfiguration)
            }
        }
        #expect(gate.frameInterval == 2)
    }

    @Test func missedRefreshesAreCountedAndNotReplayed() throws {
        var gate = gate()
        let seen3 = ticks(&gate, at: [0, 50, 60])
        #expect(seen3 == [0, 50, 60])
        #expect(gate.missedRefreshCount == 4)
        try gate.setFrameInterval(2)
        // Late by one and a half ticks: one is missed.
        let seen4 = ticks(&gate, at: [110, 120, 130])
        #expect(seen4 == [110, 130])
        #expect(gate.missedRefreshCount == 5)
    }

    @Test func sleepIsNotMissed() {
        var gate = gate()
        let seen5 = ticks(&gate, at: [0])
        #expect(seen5 == [0])
        gate.sleep(until: .milliseconds(35))
        let seen6 = ticks(&gate, at: [10, 20, 30, 40, 50])
        #expect(seen6 == [40, 50])
        #expect(gate.missedRefreshCount == 0)
    }

    @Test func preferredRateIsARateAtMost() {
        var gate = RefreshGate(period: .seconds(1) / 60)
        gate.preferredFramesPerSecond = 20
        #expect(gate.effectiveInterval == 3)
        gate.preferredFramesPerSecond = 1000
        #expect(gate.effectiveInterval == 1)
    }

    @Test func manualLinkPausesAndEnds() {
        var times: [Duration] = []
        let link = ManualDisplayLink(framesPerSecond: 100) { times.append($0.timestamp) }
        link.refresh(at: .milliseconds(10))
        link.isPaused = true
        link.refresh(at: .milliseconds(20))
        link.isPaused = false
        link.refresh(at: .milliseconds(90))
        #expect(times == [.milliseconds(10), .milliseconds(90)])
        #expect(link.missedRefreshCount == 0)
        link.invalidate()
        link.refresh(at: .milliseconds(100))
        #expect(times.count == 2)
        #expect(link.isInvalidated)
    }

    @Test func targetIsHeldWeakly() {
        final class Target { var count = 0 }
        var target: Target? = Target()
        weak let gone = target
        let link = ManualDisplayLink(onTick: weakly(target!) { target, _ in target.count += 1 })
        link.refresh(at: .milliseconds(1))
        #expect(target?.count == 1)
        target = nil
        #expect(gone == nil)
        link.refresh(at: .milliseconds(20))
        #expect(link.isInvalidated)
    }

    /// A timer whose waiting is done by hand.
    @MainActor
    final class HandTimer {
        let time = ManualTime()
        private(set) var waiting: (due: Duration, tolerance: Duration, work: @MainActor () -> Void)?

        var schedule: TimerDisplayLink.Scheduler {
            { delay, tolerance, work in
                self.waiting = (self.time.source.monotonic + delay, tolerance, work)
                return { self.waiting = nil }
            }
        }

        /// Lets the timer fire, so much later than it should.
        func fire(late: Duration = .zero) {
            guard let (due, _, work) = waiting else { return }
            waiting = nil
            time.advance(by: due + late - time.source.monotonic)
            work()
        }
    }

    @Test func lateTimerFiresOnceAndGoesOnOnItsGrid() throws {
        let timer = HandTimer()
        var times: [Duration] = []
        let link = TimerDisplayLink(
            framesPerSecond: 100,
            tolerance: .milliseconds(2),
            clock: timer.time.source,
            schedule: timer.schedule
        ) { times.append($0.timestamp) }
        timer.fire()
        #expect(timer.waiting?.tolerance == .milliseconds(2))
        timer.fire(late: .milliseconds(2))
        timer.fire(late: .milliseconds(37))
        timer.fire()
        #expect(times == [10, 20, 60, 70].map { .milliseconds($0) })
        #expect(link.missedRefreshCount == 3)
        link.sleep(until: .milliseconds(123))
        #expect(timer.waiting?.due == .milliseconds(130))
        link.isPaused = true
        #expect(timer.waiting == nil)
        link.isPaused = false
        link.invalidate()
        #expect(timer.waiting == nil)
    }
}
