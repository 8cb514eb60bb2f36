import KuvaCore
import Testing

@testable import KuvaUI

@Suite("Animation playback")
struct AnimationPlaybackTests {
    static let timeline = AnimationTimeline(milliseconds: [10, 20, 30], laps: 2)

    /// What is due at each tick, drawn: a digit is the frame, `|` in front of it the end of a lap, `.` the end.
    private func drawn(
        _ playback: AnimationPlayback,
        _ timeline: AnimationTimeline = timeline,
        every step: Int = 10,
        ticks: Int
    ) -> String {
        var (playback, text) = (playback, "")
        playback.play(at: .seconds(5), along: timeline)
        for tick in 0..<ticks {
            let result = playback.advance(to: .seconds(5) + .milliseconds(tick * step), along: timeline)
            text += String(repeating: "|", count: result.endedLaps)
            text += playback.status == .finished ? "." : "\(playback.index)"
        }
        return text
    }

    // Frames of 10, 20 and 30 ms, looked at each 10 ms, for two laps.
    @Test(arguments: [
        (AnimationPlayback.Mode.normal, "011222|011222|..", 2),
        (.reverse, "222110|222110|..", 0),
        (.bounce, "011222110|11222110|..", 0),
        (.reversedBounce, "22211011222|11011222|..", 2),
    ])
    func everyModeForTwoLaps(mode: AnimationPlayback.Mode, picture: String, last: Int) {
        let ticks = picture.count { $0 != "|" }
        #expect(drawn(AnimationPlayback(mode: mode), ticks: ticks) == picture)
        var playback = AnimationPlayback(mode: mode)
        playback.play(at: .zero, along: Self.timeline)
        _ = playback.advance(to: .seconds(1), along: Self.timeline)
        #expect(playback.index == last)
        #expect(playback.completedLaps == 2)
        #expect(playback.remainingLaps(of: Self.timeline) == 0)
    }

    @Test(arguments: [
        (AnimationPlayback.Mode.normal, "01|01|01|01|0"), (.reverse, "10|10|10|10|1"), (.bounce, "010|10|10|10|"),
        (.reversedBounce, "101|01|01|01|"),
    ])
    func twoFramesForEver(mode: AnimationPlayback.Mode, picture: String) {
        let timeline = AnimationTimeline(milliseconds: [10, 10])
        let text = drawn(AnimationPlayback(mode: mode), timeline, ticks: 10)
        #expect(text.hasPrefix(picture))
    }

    @Test(arguments: [AnimationPlayback.Mode.normal, .reverse, .bounce, .reversedBounce])
    func oneFrameEndsALapEachTime(mode: AnimationPlayback.Mode) {
        let timeline = AnimationTimeline(milliseconds: [10], laps: 3)
        #expect(drawn(AnimationPlayback(mode: mode), timeline, ticks: 5) == "0|0|0|..")
    }

    @Test func repeatCountTakesThePlaceOfTheFiles() {
        #expect(drawn(AnimationPlayback(repeatCount: 1), ticks: 8) == "011222|..")
        #expect(drawn(AnimationPlayback(repeatCount: 3), ticks: 20) == "011222|011222|011222|..")
        #expect(drawn(AnimationPlayback(repeatCount: 0), ticks: 20).hasSuffix("|011222|01"))
        #expect(AnimationPlayback(repeatCount: 0).remainingLaps(of: Self.timeline) == nil)
    }

    /// Looks each 40 ms skip the frames whose time has passed and keep the lap's length of 60 ms.
    @Test func lateLooksSkip() {
        let timeline = AnimationTimeline(milliseconds: [10, 20, 30])
        #expect(drawn(AnimationPlayback(), timeline, every: 40, ticks: 7) == "02|1|02|1|0")
    }

    @Test func anHourAwayCostsOneStep() {
        let timeline = AnimationTimeline(milliseconds: [10, 20, 30])
        for mode in [AnimationPlayback.Mode.normal, .reverse, .bounce, .reversedBounce] {
            var near = AnimationPlayback(mode: mode)
            var far = AnimationPlayback(mode: mode)
            near.play(at: .zero, along: timeline)
            far.play(at: .zero, along: timeline)
            let step = far.advance(to: .seconds(3600) + .milliseconds(25), along: timeline)
            #expect(step.frames.count < 12)
            for millisecond in stride(from: 0, through: 3_600_025, by: 5) {
                _ = near.advance(to: .milliseconds(millisecond), along: timeline)
            }
            #expect(near == far)
        }
        var limited = AnimationPlayback(repeatCount: 1000)
        limited.play(at: .zero, along: timeline)
        let step1 = limited.advance(to: .seconds(3600), along: timeline)
        #expect(step1.endedLaps == 1000)
        #expect(limited.status == .finished)
    }

    @Test func pauseKeepsThePartThatWasShown() {
        var playback = AnimationPlayback()
        playback.play(at: .zero, along: Self.timeline)
        _ = playback.advance(to: .milliseconds(25), along: Self.timeline)
        playback.pause(at: .milliseconds(25))
        let nothing = playback.advance(to: .seconds(9), along: Self.timeline)
        #expect(nothing == AnimationPlayback.Step())
        #expect(playback.nextDue(along: Self.timeline) == nil)
        playback.play(at: .seconds(10), along: Self.timeline)
        // 15 of 20 ms have been shown.
        #expect(playback.nextDue(along: Self.timeline) == .seconds(10) + .milliseconds(5))
    }

    @Test func pausedInReverseAtTheFirstFrameGoesOnThere() {
        var playback = AnimationPlayback(mode: .reverse)
        playback.play(at: .zero, along: Self.timeline)
        _ = playback.advance(to: .milliseconds(50), along: Self.timeline)
        #expect(playback.index == 0)
        playback.pause(at: .milliseconds(52))
        playback.play(at: .milliseconds(100), along: Self.timeline)
        #expect(playback.index == 0)
        #expect(playback.nextDue(along: Self.timeline) == .milliseconds(108))
    }

    @Test func rateDividesTimesFromNowOn() {
        var playback = AnimationPlayback()
        playback.play(at: .zero, along: Self.timeline)
        playback.setRate(2, at: .zero)
        #expect(playback.nextDue(along: Self.timeline) == .milliseconds(5))
        _ = playback.advance(to: .milliseconds(5), along: Self.timeline)
        // Half of the 20 ms are shown after 5 ms at twice the rate; the other half takes 20 ms at half the rate.
        playback.setRate(0.5, at: .milliseconds(10))
        #expect(playback.nextDue(along: Self.timeline) == .milliseconds(30))
        for stopping in [0, -1, .nan, .infinity] {
            var stopped = playback
            stopped.setRate(stopping, at: .milliseconds(11))
            #expect(stopped.status == .stopped)
            #expect(stopped.index == 0)
        }
    }

    @Test func stopGoesBackToTheStart() {
        var playback = AnimationPlayback()
        playback.play(at: .zero, along: Self.timeline)
        _ = playback.advance(to: .milliseconds(80), along: Self.timeline)
        #expect((playback.index, playback.completedLaps) == (1, 1))
        playback.stop()
        #expect((playback.index, playback.completedLaps) == (0, 0))
        #expect(playback.status == .stopped)
    }

    @Test func seekShowsAFrameWithItsWholeTime() {
        var playback = AnimationPlayback()
        playback.play(at: .zero, along: Self.timeline)
        playback.seek(to: 2, lap: 1, at: .milliseconds(3), along: Self.timeline)
        #expect(playback.index == 2)
        #expect(playback.nextDue(along: Self.timeline) == .milliseconds(33))
        _ = playback.advance(to: .milliseconds(33), along: Self.timeline)
        #expect(playback.status == .finished)
        for index in [-1, 3] {
            let isThere = playback.seek(to: index, at: .zero, along: Self.timeline)
            #expect(!isThere)
        }
        var stopped = AnimationPlayback()
        stopped.seek(to: 1, at: .zero, along: Self.timeline)
        #expect(stopped.status == .paused)
        stopped.play(at: .seconds(1), along: Self.timeline)
        #expect(stopped.index == 1)
    }

    /// The file grows from two frames to three and then ends; the index never goes back.
    @Test func waitsAtTheLastFrameKnown() {
        var timeline = AnimationTimeline(milliseconds: [10, 20], laps: 1, isComplete: false)
        var playback = AnimationPlayback()
        playback.play(at: .zero, along: timeline)
        _ = playback.advance(to: .milliseconds(50), along: timeline)
        #expect((playback.index, playback.status) == (1, .waiting))
        #expect(playback.nextDue(along: timeline) == nil)
        timeline.append(.milliseconds(30))
        // The frame is due when it comes, not when it would have been.
        let step2 = playback.advance(to: .milliseconds(70), along: timeline)
        #expect(step2.frames == [2])
        #expect(playback.nextDue(along: timeline) == .milliseconds(100))
        _ = playback.advance(to: .milliseconds(100), along: timeline)
        #expect((playback.index, playback.status) == (2, .waiting))
        timeline.isComplete = true
        let step3 = playback.advance(to: .milliseconds(120), along: timeline)
        #expect(step3.endedLaps == 1)
        #expect((playback.index, playback.status) == (2, .finished))
    }

    @Test(arguments: [AnimationPlayback.Mode.reverse, .reversedBounce])
    func reverseWaitsForTheEndOfTheFile(mode: AnimationPlayback.Mode) {
        var timeline = AnimationTimeline(milliseconds: [10, 20], isComplete: false)
        var playback = AnimationPlayback(mode: mode)
        playback.play(at: .zero, along: timeline)
        _ = playback.advance(to: .milliseconds(50), along: timeline)
        #expect((playback.index, playback.status) == (0, .waiting))
        timeline.append(.milliseconds(30))
        timeline.isComplete = true
        let step4 = playback.advance(to: .milliseconds(60), along: timeline)
        #expect(step4.frames == [2])
        #expect(playback.nextDue(along: timeline) == .milliseconds(90))
    }

    @Test func upcomingIsTheOrderOfPlaying() {
        let timeline = AnimationTimeline(milliseconds: [10, 10, 10, 10])
        #expect(AnimationPlayback().upcoming(3, along: timeline) == [0, 1, 2])
        #expect(AnimationPlayback().upcoming(9, along: timeline) == [0, 1, 2, 3])
        var reverse = AnimationPlayback(mode: .reverse)
        reverse.play(at: .zero, along: timeline)
        #expect(reverse.upcoming(3, along: timeline) == [3, 2, 1])
        var bounce = AnimationPlayback(mode: .bounce)
        bounce.play(at: .zero, along: timeline)
        _ = bounce.advance(to: .milliseconds(20), along: timeline)
        #expect(bounce.upcoming(4, along: timeline) == [2, 3, 1, 0])
        #expect(AnimationPlayback().upcoming(3, along: AnimationTimeline()) == [])
    }
}
