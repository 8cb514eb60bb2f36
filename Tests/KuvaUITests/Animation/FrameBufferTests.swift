import KuvaCore
import KuvaTesting
import Testing

@testable import KuvaUI

@Suite("Frame buffer")
struct FrameBufferTests {
    private static let hundred = AnimationTimeline(milliseconds: [Int](repeating: 40, count: 100))

    /// A buffer of an animation whose frames take one page each, and a player's place in it.
    private struct Fixture {
        let frames: FakeFrames
        let buffer: FrameBuffer
        let client: UInt64
        let time = ManualTime()

        init(_ timeline: AnimationTimeline, frameBudget: Int?) throws {
            frames = try FakeFrames(timeline)
            buffer = FrameBuffer(for: try frames.image(), pool: PixelBufferPool(), clock: time.source) { $0() }
            client = buffer.addClient {}
            let bytes = try frames.image().bytesPerFrame
            buffer.setMaximumByteCount(frameBudget.map { $0 * bytes }, of: client)
        }

        var held: [Int] { (1..<frames.timeline.frameCount).filter { buffer.frame(at: $0) != nil } }
    }

    @Test func smallAnimationsAreKeptWhole() throws {
        let fixture = try Fixture(Self.hundred, frameBudget: nil)
        fixture.buffer.want([0, 1], by: fixture.client)
        #expect(fixture.buffer.holdsAllFrames)
        #expect(fixture.frames.decoded.count == 100 + 1)
        fixture.buffer.want([50, 51], by: fixture.client)
        #expect(fixture.frames.decoded.count == 100 + 1)
    }

    @Test func largeOnesKeepAWindowAhead() throws {
        let fixture = try Fixture(Self.hundred, frameBudget: 2)
        for index in 0..<99 {
            fixture.buffer.want([index, index + 1], by: fixture.client)
            #expect(Set(fixture.held) == Set([index, index + 1].filter { $0 > 0 }))
        }
        // Each frame once: nothing that was shown is decoded again before the next lap.
        #expect(fixture.frames.decoded.dropFirst(2).allSatisfy { $0 > 0 })
        #expect(Set(fixture.frames.decoded).count == 100)
        #expect(fixture.frames.decoded.filter { $0 > 0 }.count == 99)
    }

    /// What a memory cache counts: the frames beside the poster, and nothing once no player is left.
    @Test func theAnimationKnowsWhatIsHeld() throws {
        var fixture: Fixture? = try Fixture(Self.hundred, frameBudget: 2)
        let image = try #require(fixture).buffer.image
        fixture?.buffer.want([4, 5], by: try #require(fixture).client)
        #expect(image.frameBytes.count == 2 * image.bytesPerFrame)
        fixture?.buffer.removeAllFrames()
        #expect(image.frameBytes.count == 0)
        fixture?.buffer.want([4, 5], by: try #require(fixture).client)
        #expect(image.frameBytes.count == 2 * image.bytesPerFrame)
        fixture = nil
        #expect(image.frameBytes.count == 0)
    }

    @Test func oneByteHoldsTheFrameThatIsShown() throws {
        let fixture = try Fixture(Self.hundred, frameBudget: 0)
        fixture.buffer.want([7, 8, 9], by: fixture.client)
        #expect(fixture.held == [7])
    }

    /// Frames are 40 ms long; decoding takes 100 ms, so that 2 + 2 × 100 / 40 frames are wanted.
    @Test func slowDecodingWidensTheWindow() {
        var state = FrameBufferState(bytesPerFrame: 1)
        let client = state.addClient {}
        state.setMaximumByteCount(50, of: client)
        #expect(state.windowLength(Self.hundred, at: .zero) == 2)
        state.want([1, 2], by: client, along: Self.hundred, at: .zero)
        let step1 = state.startDecoding(Self.hundred, at: .zero)
        #expect(step1 == 1)
        let step2 = state.startDecoding(Self.hundred, at: .zero)
        #expect(step2 == nil)
        state.finish(1, nil, took: .milliseconds(100), along: Self.hundred, at: .zero)
        #expect(state.windowLength(Self.hundred, at: .zero) == 2)
        let step3 = state.startDecoding(Self.hundred, at: .zero)
        #expect(step3 == 2)
    }

    /// Memory is short at 0 s, again at 10 s and at 20 s: one frame, two after two seconds, all after five; at last one.
    @Test func memoryPressureShrinksAndGrowsBack() {
        var limit = MemoryPressureLimit()
        #expect(limit.frameLimit(at: .zero) == nil)
        for start in [0, 10] {
            limit.shrink(at: .seconds(start))
            let limits = (0..<7).map { limit.frameLimit(at: .seconds(start + $0)) }
            #expect(limits == [1, 1, 2, 2, 2, nil, nil])
        }
        limit.shrink(at: .seconds(20))
        #expect([20, 22, 25, 10_000].allSatisfy { limit.frameLimit(at: .seconds($0)) == 1 })
    }

    @Test func pressureDropsFramesAtOnce() throws {
        let fixture = try Fixture(Self.hundred, frameBudget: nil)
        fixture.buffer.want([3, 4], by: fixture.client)
        #expect(fixture.held.count == 99)
        fixture.buffer.shrink()
        #expect(fixture.held == [3])
        fixture.time.advance(by: .seconds(2))
        fixture.buffer.want([4, 5], by: fixture.client)
        #expect(fixture.held == [4, 5])
        fixture.time.advance(by: .seconds(3))
        fixture.buffer.want([5, 6], by: fixture.client)
        #expect(fixture.held.count == 99)
    }

    @Test func preloadAndUnload() throws {
        let fixture = try Fixture(AnimationTimeline(milliseconds: [10, 10, 10, 10, 10]), frameBudget: 1)
        fixture.buffer.preloadAllFrames()
        #expect(fixture.buffer.holdsAllFrames)
        #expect(fixture.buffer.frame(at: 0)?.number == 0)
        fixture.buffer.removeAllFrames()
        #expect(fixture.buffer.frameCount == 0)
        #expect(fixture.buffer.frame(at: 0) != nil)
    }

    /// Backwards a frame costs all before it, so that runs are decoded from their earliest frame.
    @Test func goingBackDecodesRunsForward() {
        var state = FrameBufferState(bytesPerFrame: 1)
        let client = state.addClient {}
        state.setMaximumByteCount(4, of: client)
        state.pressure = MemoryPressureLimit()
        var timeline = Self.hundred
        timeline.lapCount = nil
        // Two frames are held while decoding is quick.
        state.want([50, 49, 48], by: client, along: timeline, at: .zero)
        let step4 = state.startDecoding(timeline, at: .zero)
        #expect(step4 == 49)
    }
}
