import KuvaCore
import Testing

@Suite("Delays and laps of animations")
struct AnimationRulesTests {
    private func durations(_ stored: [Int?], _ rule: FrameDelayRule) -> [Int] {
        var result: [Duration] = []
        for value in stored {
            result.append(rule.duration(stored: value.map { .milliseconds($0) }, after: result.last))
        }
        return result.map { Int($0 / .milliseconds(1)) }
    }

    @Test func browsersReplaceTenMillisecondsAndLess() {
        #expect(durations([0, 10, 11, 20, 100, nil], .browsers) == [100, 100, 11, 20, 100, 100])
    }

    @Test func flAnimatedImageReplacesLessThanTwentyAndRepeats() {
        #expect(
            durations([nil, 0, 10, 19, 20, nil, 50, nil], .flAnimatedImage) == [100, 100, 100, 100, 20, 20, 50, 50]
        )
    }

    @Test func lapsOfEachFormat() {
        #expect(ImageFormat.gif.lapCount(forStored: nil) == 1)
        #expect(ImageFormat.gif.lapCount(forStored: 0) == nil)
        #expect(ImageFormat.gif.lapCount(forStored: 1) == 2)
        #expect(ImageFormat.gif.lapCount(forStored: 65_535) == 65_536)
        for format in [ImageFormat.apng, .webp] {
            #expect(format.lapCount(forStored: 0) == nil)
            #expect(format.lapCount(forStored: 3) == 3)
        }
    }

    @Test func timelineReplacesTimesThatCannotBe() {
        var timeline = AnimationTimeline(durations: [.zero, .milliseconds(-5)], lapCount: 0)
        timeline.append(.milliseconds(30))
        #expect(timeline.durations == [.milliseconds(100), .milliseconds(100), .milliseconds(30)])
        #expect(timeline.lapDuration == .milliseconds(230))
        #expect(timeline.lapCount == 1)
    }

    @Test func rectanglesAreCutAtTheEdges() {
        let screen = PixelSize(width: 10, height: 8)
        func cut(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> String {
            PixelRect(x: x, y: y, size: PixelSize(width: width, height: height)).clamped(to: screen).description
        }
        #expect(cut(2, 3, 4, 5) == "4x5+2+3")
        #expect(cut(-2, -3, 4, 5) == "2x2+0+0")
        #expect(cut(8, 7, 4, 5) == "2x1+8+7")
        #expect(cut(11, 2, 4, 5) == "0x0+10+2")
        #expect(cut(5, 5, .max, .max) == "5x3+5+5")
    }
}
