import KuvaCore
import Testing

@Suite("Transformers: animations")
struct AnimationTransformTests {
    /// Three frames of two pixels: the frame's number, and 200.
    private final class Frames: AnimatedImageProvider {
        let format = ImageFormat.gif
        let layout: PixelLayout
        let timeline: AnimationTimeline
        let encodedByteCount = 0
        private let decoded = Lock(0)

        var decodedCount: Int { decoded.withLock { $0 } }

        init() throws {
            layout = try PixelLayout(size: PixelSize(width: 2, height: 1))
            timeline = AnimationTimeline(durations: Array(repeating: .milliseconds(100), count: 3))
        }

        func frame(at index: Int, pool: PixelBufferPool) throws(ImageError) -> PixelBuffer {
            decoded.withLock { $0 += 1 }
            var canvas = try pool.canvas(layout)
            let bytes: [UInt8] = [UInt8(index), 0, 0, 255, 200, 0, 0, 255]
            canvas.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
            return canvas.freeze(alpha: .opaque)
        }
    }

    @Test func everyFrameIsChangedWhenItIsShown() throws {
        let frames = try Frames()
        let animation = try AnimatedImage(firstOf: frames)
        let pool = PixelBufferPool()
        let changed = try animation.applying(.chain([.flipHorizontally, .invert]), pool: pool)
        #expect(changed.frameCount == 3)
        #expect(changed.timeline.durations == animation.timeline.durations)
        #expect(frames.decodedCount == 1)
        for index in 0..<3 {
            let bytes = try changed.provider.frame(at: index, pool: pool).withUnsafeBytes { Array($0) }
            #expect(bytes == [55, 255, 255, 255, 255 - UInt8(index), 255, 255, 255])
        }
        #expect(changed.poster.color(x: 1, y: 0)?.red == 255)
        #expect(frames.decodedCount == 4)
    }

    @Test func theSameChangeIsTheSameAnimationWhileSomeoneHoldsIt() throws {
        let animation = try AnimatedImage(firstOf: try Frames())
        let pool = PixelBufferPool()
        let first = try animation.applying(.invert, pool: pool)
        #expect(try animation.applying(.invert, pool: pool) === first)
        #expect(try animation.applying(.flipVertically, pool: pool) !== first)
    }

    /// Sizes may change, too.
    @Test func framesAreCut() throws {
        let animation = try AnimatedImage(firstOf: try Frames())
        let changed = try animation.applying(.crop(PixelSize(width: 1, height: 1), at: .left), pool: PixelBufferPool())
        #expect(changed.pixelSize == PixelSize(width: 1, height: 1))
        let frame = try changed.provider.frame(at: 2, pool: PixelBufferPool())
        #expect(frame.withUnsafeBytes { Array($0) } == [2, 0, 0, 255])
        #expect(changed.provider.layout.size == PixelSize(width: 1, height: 1))
    }
}
