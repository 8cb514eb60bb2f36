import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// ``DecodeLimits/maximumDuration``, by a clock that goes on by a step each time it is looked at.
@Suite("Time limit of decoding", .enabled(if: Tool.hasJPEG && Tool.hasWebP && Tool.python != nil))
struct DecodeTimeTests {
    private final class SteppingClock: Sendable {
        let now = Lock(Duration.zero)
        let reads = Lock(0)
        private let step: Duration

        init(step: Duration) { self.step = step }

        var source: TimeSource {
            TimeSource(
                monotonic: {
                    self.reads.withLock { $0 += 1 }
                    return self.now.withLock { now in
                        now += self.step
                        return now
                    }
                },
                wall: { Date(timeIntervalSince1970: 0) }
            )
        }
    }

    static let formats = ["PNG", "GIF", "JPEG", "progressive JPEG", "WebP", "BMP", "TIFF"]

    /// A file of 700 × 600 noisy pixels.
    private func file(_ format: String) throws -> Data {
        let picture = Pixels.sample(width: 700, height: 600)
        switch format {
        case "JPEG": return try Tool.run("cjpeg", "-outfile", "@out", "@in", input: picture.ppm)
        case "progressive JPEG":
            return try Tool.run("cjpeg", "-progressive", "-outfile", "@out", "@in", input: picture.ppm)
        case "WebP": return try Tool.run("cwebp", "-lossless", "@in", "-o", "@out", input: picture.ppm)
        default:
            let script = "import sys; from PIL import Image; Image.open(sys.argv[1]).save(sys.argv[2], '\(format)')"
            return try Tool.run(#require(Tool.python), "-c", script, "@in", "@out", input: picture.ppm)
        }
    }

    private func options(_ clock: SteppingClock, limit: Duration) -> DecodeOptions {
        var options = DecodeOptions(timeSource: clock.source)
        options.limits.maximumDuration = limit
        return options
    }

    /// One look after the start is within the limit, the next is past it: nothing waits for the end.
    @Test(arguments: formats) func tooLongIsBrokenOff(format: String) throws {
        let file = try file(format)
        let clock = SteppingClock(step: .seconds(1))
        let error = #expect(throws: ImageError.self) {
            try CodecRegistry.builtIn.decode(file, options: options(clock, limit: .milliseconds(1500)))
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("1.5 seconds") == true)
        #expect(error?.advice.contains("DecodeLimits.maximumDuration") == true)
        // In, two looks and out again.
        #expect(clock.reads.withLock { $0 } == 4)
    }

    /// Looks cost next to nothing: a look at the system's clock takes some 30 nanoseconds.
    @Test(arguments: formats) func clockIsReadSeldom(format: String) throws {
        let file = try file(format)
        let clock = SteppingClock(step: .seconds(1))
        let decoded = try CodecRegistry.builtIn.decode(file, options: options(clock, limit: .seconds(10_000)))
        #expect(decoded.damage == nil)
        let reads = clock.reads.withLock { $0 }
        // The scans of a progressive JPEG are ten passes, looked at every 16 rows.
        #expect((4...(format == "progressive JPEG" ? 500 : 60)).contains(reads), "\(reads)")
    }

    #if JPEGXL
        /// Between the pieces in which the library gets the file.
        @Test(.enabled(if: Tool.isPresent("cjxl"))) func jpegXLIsBrokenOffInside() throws {
            let picture = Pixels.sample(width: 700, height: 600)
            let file = try Tool.run("cjxl", "-d", "1", "@in.ppm", "@out.jxl", input: picture.ppm)
            let clock = SteppingClock(step: .seconds(1))
            let whole = try CodecRegistry.builtIn.decode(file, options: options(clock, limit: .seconds(10_000)))
            #expect(whole.damage == nil)
            let reads = clock.reads.withLock { $0 }
            #expect((6...60).contains(reads), "\(reads)")
            // In the middle of them all.
            let error = #expect(throws: ImageError.self) {
                try CodecRegistry.builtIn.decode(file, options: options(clock, limit: .seconds(reads / 2)))
            }
            #expect(error?.code == .limitExceeded)
            #expect(clock.reads.withLock { $0 } - reads < reads)
        }
    #endif

    /// An hour between two pieces is the network's.
    @Test(arguments: formats) func waitingDoesNotCount(format: String) throws {
        let file = try file(format)
        let clock = SteppingClock(step: .zero)
        let decoder = try #require(
            CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: options(clock, limit: .seconds(1)))
        )
        var canvas: PixelCanvas?
        for start in stride(from: 0, to: file.count, by: max(1, file.count / 20)) {
            let end = min(file.count, start + max(1, file.count / 20))
            decoder.append(file[start..<end], isLast: end == file.count)
            clock.now.withLock { $0 += .seconds(3600) }
            guard case .done(let info) = try decoder.readInfo() else { continue }
            var room = try canvas.take() ?? PixelBufferPool.shared.canvas(info.outputLayout)
            if case .done = try decoder.decodeFrame(into: &room) { return }
            canvas = consume room
        }
        Issue.record("the picture did not come")
    }

    /// Time in calls that end without a frame adds up.
    @Test func callsAddUp() throws {
        let file = try file("PNG")
        let clock = SteppingClock(step: .milliseconds(100))
        let decoder = try #require(
            CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: options(clock, limit: .seconds(2)))
        )
        decoder.append(file.prefix(2000), isLast: false)
        guard case .done(let info) = try decoder.readInfo() else { return #expect(Bool(false)) }
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        var calls = 0
        var failure: ImageError?
        while failure == nil, calls < 100 {
            calls += 1
            do throws(ImageError) {
                _ = try decoder.decodeFrame(into: &canvas)
            } catch {
                failure = error
            }
        }
        #expect(failure?.code == .limitExceeded)
        // A call takes two or three steps of a tenth of a second.
        #expect((5...20).contains(calls), "\(calls)")
    }

    /// An animation may play for ever; each frame has its own time.
    @Test func framesHaveTheirOwnTime() throws {
        let script = """
            import sys; from PIL import Image
            f = [Image.new('RGB', (64, 64), (9 * n, 0, 0)) for n in range(20)]
            f[0].save(sys.argv[1], 'GIF', save_all=True, append_images=f[1:], duration=100)
            """
        let file = try Tool.run(#require(Tool.python), "-c", script, "@out")
        let clock = SteppingClock(step: .seconds(1))
        let decoding = try AnimationDecoding(file, options: options(clock, limit: .seconds(5)))
        #expect(try decoding.allFrames().count == 20)
        #expect(clock.now.withLock { $0 } > .seconds(40))
    }
}
