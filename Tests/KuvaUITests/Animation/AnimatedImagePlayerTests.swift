import KuvaCore
import Testing

@testable import KuvaUI

@Suite("Animated image player")
@MainActor
struct AnimatedImagePlayerTests {
    /// A player, its link and what it has shown.
    @MainActor
    final class Stage {
        let frames: FakeFrames
        let player: AnimatedImagePlayer
        private(set) var link: ManualDisplayLink!
        private(set) var shown: [Int] = []
        private(set) var laps: [Int?] = []
        private var refreshes = 0
        let period: Duration

        init(
            _ timeline: AnimationTimeline,
            mode: AnimationPlayback.Mode = .normal,
            framesPerSecond: Double = 100,
            store: FrameBufferStore? = nil
        ) throws {
            frames = try FakeFrames(timeline)
            period = .seconds(1) / framesPerSecond
            let inline = FrameBufferStore(pool: .shared, clock: .system) { $0() }
            var made: ManualDisplayLink?
            player = AnimatedImagePlayer(try frames.image(), mode: mode, store: store ?? inline) { onTick in
                let link = ManualDisplayLink(framesPerSecond: framesPerSecond, onTick: onTick)
                made = link
                return link
            }
            link = made
            player.frameHandler = { [unowned self] index, pixels in
                #expect(pixels.number == index)
                shown.append(index)
            }
            player.lapHandler = { [unowned self] in laps.append($0) }
        }

        /// Refreshes the screen so many times, each `jitter` away from its place.
        func run(_ count: Int, jitter: () -> Duration = { .zero }) {
            for _ in 0..<count {
                link.refresh(at: .seconds(1) + period * refreshes + jitter())
                refreshes += 1
            }
        }
    }

    private static let timeline = AnimationTimeline(milliseconds: [10, 20, 30], laps: 2)

    @Test func everyFrameThenTheLaps() throws {
        let stage = try Stage(Self.timeline)
        stage.player.play()
        stage.run(13)
        #expect(stage.shown == [1, 2, 0, 1, 2])
        #expect(stage.laps == [1, 0])
        #expect(!stage.player.isPlaying)
        #expect(stage.link.isPaused)
        #expect(stage.player.shownIndex == 2)
        stage.player.play()
        stage.run(2)
        #expect(stage.shown.suffix(2) == [0, 1])
    }

    @Test(arguments: [
        (AnimationPlayback.Mode.reverse, [2, 1, 0, 2, 1, 0]), (.bounce, [1, 2, 1, 0, 1, 2, 1, 0]),
        (.reversedBounce, [2, 1, 0, 1, 2, 1, 0, 1, 2]),
    ])
    func modes(mode: AnimationPlayback.Mode, expected: [Int]) throws {
        let stage = try Stage(Self.timeline, mode: mode)
        stage.player.play()
        stage.run(30)
        #expect(stage.shown == expected)
        #expect(stage.laps == [1, 0])
    }

    /// 10 frames a second on a screen of 60: ten ticks a second and one to start.
    @Test func sleepsBetweenFrames() throws {
        let timeline = AnimationTimeline(milliseconds: [Int](repeating: 100, count: 7))
        let stage = try Stage(timeline, framesPerSecond: 60)
        stage.player.play()
        stage.run(60 * 10 + 1)
        #expect(stage.link.tickCount == 101)
        #expect(stage.shown.count == 100)
        #expect(stage.link.missedRefreshCount == 0)
    }

    /// Ten minutes of uneven frames. The lap is 600 ms, so that 1000 laps have ended at the end, to less than a frame.
    @Test(arguments: [60.0, 90, 120], [0, 4])
    func noDriftInTenMinutes(framesPerSecond: Double, jitterMilliseconds: Int) throws {
        let timeline = AnimationTimeline(milliseconds: [33, 47, 20, 100, 150, 250])
        let stage = try Stage(timeline, framesPerSecond: framesPerSecond)
        stage.player.play()
        var random = SystemSeed(12_345)
        stage.run(Int(600 * framesPerSecond)) {
            .milliseconds(jitterMilliseconds) * (Double(random.next() % 2001) / 1000 - 1)
        }
        // The last refresh comes one period before the end, and the shortest frame takes 20 ms.
        stage.run(1)
        #expect((999...1000).contains(stage.player.completedLaps))
        #expect(stage.player.completedLaps == 1000 || stage.player.index == 5)
        // Each frame of each lap was shown, none twice.
        let expected = (1...stage.shown.count).map { $0 % 6 }
        #expect(stage.shown == expected)
        #expect((5998...6000).contains(stage.shown.count))
    }

    /// Frames of exactly two refreshes of a screen of 60 Hz are shown on every second refresh, none missed.
    @Test func thirtyFramesASecondOnSixtyHertz() throws {
        let timeline = AnimationTimeline(durations: [Duration](repeating: .seconds(1) / 30, count: 10))
        let stage = try Stage(timeline, framesPerSecond: 60)
        stage.player.play()
        var random = SystemSeed(7)
        stage.run(60 * 30 + 1) { .microseconds(Int(random.next() % 6001) - 3000) }
        #expect(stage.shown.count == 900)
        #expect(stage.link.tickCount == 901)
    }

    @Test func pauseHoldsAndStopGoesBack() throws {
        let stage = try Stage(Self.timeline)
        stage.player.play()
        stage.run(3)
        stage.player.pause()
        stage.run(50)
        #expect(stage.shown == [1])
        #expect((stage.player.index, stage.player.isPlaying, stage.link.isPaused) == (1, false, true))
        stage.player.play()
        stage.run(2)
        #expect(stage.shown == [1, 2])
        stage.player.stop()
        stage.run(50)
        #expect((stage.player.index, stage.player.shownIndex) == (0, 2))
        stage.player.rate = 0
        #expect(!stage.player.isPlaying)
    }

    @Test func seekShowsEachFrameAtOnce() throws {
        let stage = try Stage(AnimationTimeline(milliseconds: [Int](repeating: 30, count: 101)))
        for index in 0..<101 { #expect(stage.player.seek(to: index)) }
        #expect(stage.shown == Array(0..<101))
        #expect(!stage.player.seek(to: 101))
        #expect(!stage.player.isPlaying)
    }

    @Test func rateAndRepeatCount() throws {
        let stage = try Stage(AnimationTimeline(milliseconds: [20, 20]))
        stage.player.rate = 2
        stage.player.repeatCount = 3
        stage.player.play()
        stage.run(20)
        #expect(stage.shown == [1, 0, 1, 0, 1])
        #expect(stage.laps == [2, 1, 0])
    }

    @Test func waitsForTheFileToGrow() throws {
        let stage = try Stage(AnimationTimeline(milliseconds: [10, 10], laps: 1, isComplete: false))
        stage.player.play()
        stage.run(10)
        #expect(stage.shown == [1])
        #expect(stage.link.isPaused)
        stage.frames.grow { $0.append(.milliseconds(10)) }
        stage.player.timelineHasGrown()
        stage.run(5)
        #expect(stage.shown == [1, 2])
        stage.frames.grow { $0.isComplete = true }
        stage.player.timelineHasGrown()
        stage.run(5)
        #expect(stage.shown == [1, 2])
        #expect(stage.laps == [0])
    }

    /// The frame that is not there in time is not shown; the one that is due by the clock is, once it comes.
    @Test func lateFramesAreSkippedByTheClock() async throws {
        let work = HeldWork()
        let store = FrameBufferStore(pool: .shared, clock: .system, submit: work.submit)
        let stage = try Stage(AnimationTimeline(milliseconds: [10, 10, 10, 10, 10, 500]), store: store)
        stage.player.play()
        stage.run(4)
        #expect(stage.shown == [])
        #expect(stage.player.index == 3)
        work.runAll()
        await mainQueueRuns()
        stage.run(1)
        #expect(stage.shown == [4])
        stage.run(1)
        #expect(stage.shown == [4, 5])
        #expect(stage.player.completedLaps == 0)
    }

    @Test func playersOfOnePictureDecodeOnce() throws {
        let store = FrameBufferStore(pool: .shared, clock: .system) { $0() }
        let frames = try FakeFrames(AnimationTimeline(milliseconds: [10, 10, 10, 10]))
        let image = try frames.image()
        var links: [ManualDisplayLink] = []
        let players = (0..<20).map { _ in
            AnimatedImagePlayer(image, store: store) { onTick in
                let link = ManualDisplayLink(framesPerSecond: 100, onTick: onTick)
                links.append(link)
                return link
            }
        }
        for player in players { player.play() }
        for refresh in 0..<40 { for link in links { link.refresh(at: .milliseconds(refresh * 10)) } }
        #expect(players.allSatisfy { $0.completedLaps == 9 })
        // The poster, and each of the others once.
        #expect(frames.decoded.sorted() == [0, 1, 2, 3])
        #expect(players.allSatisfy { $0.buffer === players[0].buffer })
    }

    @Test func endsWithItsLastReference() throws {
        let frames = try FakeFrames(Self.timeline)
        var link: ManualDisplayLink?
        weak var buffer: FrameBuffer?
        do {
            let store = FrameBufferStore(pool: .shared, clock: .system) { $0() }
            let player = AnimatedImagePlayer(try frames.image(), store: store) { onTick in
                let made = ManualDisplayLink(onTick: onTick)
                link = made
                return made
            }
            player.play()
            buffer = player.buffer
            #expect(buffer != nil)
        }
        #expect(link?.isInvalidated == true)
        #expect(buffer == nil)
    }
}

/// A generator with a seed, so that each run is the same.
struct SystemSeed: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
