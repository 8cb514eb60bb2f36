import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// What the animation encoders write, read back by Pillow.
@Suite("Animation encoders", .enabled(if: Tool.python != nil))
struct AnimationEncoderTests {
    private typealias Shown = (pixels: Pixels, duration: Duration)

    private static func write(
        _ frames: [Shown],
        with encoder: any AnimationEncoder,
        laps: Int?,
        options: EncodeOptions = EncodeOptions()
    ) throws -> Data {
        let size = PixelSize(width: frames[0].pixels.width, height: frames[0].pixels.height)
        let writer = try encoder.makeWriter(size: size, lapCount: laps, options: options)
        for frame in frames { try writer.append(frame.pixels.buffer(), duration: frame.duration) }
        return try writer.finish()
    }

    /// Opaque, moved, the same again, with a hole, with another hole, nearly empty, full again.
    private static let story: [Pixels] = {
        func colour(_ x: Int, _ y: Int) -> [UInt8] { [UInt8(x / 4 * 20), UInt8(y / 4 * 24), 90, 255] }
        func scene(_ box: Int, hole: Range<Int>) -> Pixels {
            var pixels = Pixels(width: 48, height: 40, bytes: [UInt8](repeating: 0, count: 48 * 40 * 4))
            for y in 0..<40 {
                for x in 0..<48 where !(hole.contains(x) && hole.contains(y)) {
                    let isInBox = (box..<box + 8).contains(x) && (10..<20).contains(y)
                    pixels[x, y] = isInBox ? [255, 0, UInt8(x * 5), 255] : colour(x, y)
                }
            }
            return pixels
        }
        var nearlyEmpty = Pixels(width: 48, height: 40, bytes: [UInt8](repeating: 0, count: 48 * 40 * 4))
        nearlyEmpty[47, 39] = [1, 2, 3, 255]
        let moved = scene(9, hole: 0..<0)
        return [
            scene(2, hole: 0..<0), moved, moved, scene(9, hole: 15..<30), scene(20, hole: 20..<25), nearlyEmpty,
            scene(30, hole: 0..<0),
        ]
    }()

    /// Frames, times and laps come back as they were; GIF stores repeats, one less than laps.
    @Test(arguments: [(Int?.none, 0), (1, -1), (2, 1), (7, 6)])
    func gifIsExact(laps: Int?, stored: Int) throws {
        let times = [100, 20, 30, 40, 0, 10, 655_350].map { Duration.milliseconds($0) }
        // Pillow has no alpha in any frame if the first one has none.
        var frames = Self.story
        frames[0][40, 3] = [0, 0, 0, 0]
        let file = try Self.write(Array(zip(frames, times)), with: GIFAnimationEncoder(), laps: laps)
        let found = try PillowAnimation(file)
        #expect(found.loop == stored)
        #expect(found.milliseconds == [100, 20, 30, 40, 0, 10, 655_350])
        for (index, (theirs, ours)) in zip(found.frames, frames).enumerated() {
            let isEqual = theirs.withoutHiddenColour == ours
            #expect(isEqual, "frame \(index)")
        }
        try Self.check(file, against: frames, times: times, laps: laps)
        let opaqueFirst = try Self.write(Array(zip(Self.story, times)), with: GIFAnimationEncoder(), laps: laps)
        try Self.check(opaqueFirst, against: Self.story, times: times, laps: laps)
    }

    /// Our decoder shows the same, whose frames others have vouched for.
    private static func check(_ file: Data, against frames: [Pixels], times: [Duration], laps: Int?) throws {
        let decoding = try AnimationDecoding(file)
        let found = try decoding.allFrames()
        #expect(found.map(\.frame.duration) == times)
        #expect(decoding.info.format.lapCount(forStored: decoding.info.loopCount) == laps)
        for (index, (theirs, ours)) in zip(found, frames).enumerated() {
            let isEqual = theirs.pixels == ours
            #expect(isEqual, "frame \(index)")
        }
    }

    /// A frame that uses all 256 colours beside pixels that stay has none to spare for those.
    @Test func gifKeepsAllColours() throws {
        var first = Pixels(width: 20, height: 20, bytes: [UInt8](repeating: 255, count: 1600))
        for place in 0..<256 { first[place % 20, place / 20] = [UInt8(place), 7, 9, 255] }
        var second = first
        for place in 0..<256 { second[place % 20, place / 20] = [9, UInt8(place), 7, 255] }
        second[19, 19] = [255, 255, 255, 255]
        first[19, 19] = second[0, 0]
        for place in 256..<400 { second[place % 20, place / 20] = second[place % 7, 3] }
        for place in 300..<310 { first[place % 20, place / 20] = second[place % 20, place / 20] }
        let frames = [first, second]
        let file = try Self.write(frames.map { ($0, .milliseconds(50)) }, with: GIFAnimationEncoder(), laps: nil)
        let isEqual = try PillowAnimation(file).frames[1] == second
        #expect(isEqual)
    }

    /// 30 frames a second is 3.33 hundredths: 3, 4, 3, … with no drift. What viewers would show for a tenth of a second
    /// is not written for what they would not.
    @Test func gifTimesDoNotDrift() throws {
        func times(_ duration: Duration, _ count: Int) throws -> [Int] {
            let frames = (0..<count).map { index in
                (Pixels(width: 1, height: 1, bytes: [UInt8(index), 0, 0, 255]), duration)
            }
            return try PillowAnimation(try Self.write(frames, with: GIFAnimationEncoder(), laps: nil)).milliseconds
        }
        #expect(try times(.seconds(1) / 30, 6) == [30, 40, 30, 30, 40, 30])
        #expect(try times(.seconds(1) / 60, 3) == [20, 20, 20])
        #expect(try times(.milliseconds(10), 3) == [10, 10, 10])
    }

    /// Exact fractions of a second, translucent pixels, and the chunks that PNG has rules for.
    @Test(arguments: [(Int?.none, 0), (1, 1), (3, 3)])
    func apngIsExact(laps: Int?, stored: Int) throws {
        var glass = Self.story[3]
        for x in 0..<48 { glass[x, 5] = [UInt8(x), 0, UInt8(2 * x), 128] }
        let frames = Self.story + [glass, Self.story[0]]
        let times: [Duration] = [
            .seconds(1) / 30, .milliseconds(33), .zero, .seconds(65_535), .seconds(1001) / 30_000, .seconds(1) / 60,
            .milliseconds(100), .microseconds(16_667), .milliseconds(1500),
        ]
        let file = try Self.write(Array(zip(frames, times)), with: APNGEncoder(), laps: laps)
        let found = try PillowAnimation(file)
        #expect(found.loop == stored)
        for (index, (theirs, ours)) in zip(found.frames, frames).enumerated() {
            let isEqual = theirs.premultiplied == ours
            #expect(isEqual, "frame \(index)")
        }
        #expect(found.frames.count == frames.count)
        for (theirs, ours) in zip(found.milliseconds, times) {
            #expect(abs(Double(theirs) - ours / .milliseconds(1)) <= 0.5)
        }
        // 16,667 millionths need more bits than there are for the denominator.
        let nearest = try AnimationDecoding(file).decoder.frame(at: 7).duration ?? .zero
        #expect(abs((nearest - times[7]) / .nanoseconds(1)) < 1)
        var expected = times
        expected[7] = nearest
        try Self.check(file, against: frames, times: expected, laps: laps)
    }

    @Test(arguments: [(Int?.none, 0), (1, 1), (3, 3)])
    func losslessWebPIsExact(laps: Int?, stored: Int) throws {
        var options = EncodeOptions()
        options.isLossless = true
        let times = [100, 20, 30, 40, 1, 10, 70_000].map { Duration.milliseconds($0) }
        let file = try Self.write(
            Array(zip(Self.story, times)),
            with: WebPAnimationEncoder(),
            laps: laps,
            options: options
        )
        let found = try PillowAnimation(file)
        #expect(found.loop == stored)
        // The third frame is the second, shown longer.
        #expect(found.milliseconds == [100, 50, 40, 1, 10, 70_000])
        let frames = Self.story[..<2] + Self.story[3...]
        for (index, (theirs, ours)) in zip(found.frames, frames).enumerated() {
            let isEqual = theirs.withoutHiddenColour == ours
            #expect(isEqual, "frame \(index)")
        }
        #expect(found.frames.count == frames.count)
    }

    /// Lossy pixels are near, the more so the better the quality; a third of a tenth rounds without drift.
    @Test func lossyWebPIsNear() throws {
        let frames = (0..<6).map { shift in
            var pixels = Pixels.sample(width: 64, height: 48)
            for y in 8..<24 { for x in shift..<shift + 16 { pixels[x, y] = [200, 20, 20, 255] } }
            return pixels
        }
        func file(_ quality: Double) throws -> Data {
            var options = EncodeOptions()
            options.quality = quality
            let shown = frames.map { ($0, Duration.seconds(1) / 30) }
            return try Self.write(shown, with: WebPAnimationEncoder(), laps: nil, options: options)
        }
        func difference(_ file: Data) throws -> Double {
            let found = try PillowAnimation(file)
            #expect(found.milliseconds == [33, 34, 33, 33, 34, 33])
            let pairs = zip(found.frames, frames).flatMap { zip($0.bytes, $1.bytes) }
            return Double(pairs.reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(pairs.count)
        }
        let (good, poor) = (try file(0.95), try file(0.2))
        #expect(try difference(good) < difference(poor))
        #expect(try difference(good) < 6)
        #expect(good.count > poor.count)
    }

    /// Photographs have too many colours for a GIF; what does not change is not written again, and stays as it was.
    @Test func gifDithersOnlyWhatChanges() throws {
        let first = Pixels.sample(width: 64, height: 64)
        var second = first
        for y in 20..<28 { for x in 30..<40 { second[x, y] = [255, 255, UInt8(x), 255] } }
        let shown = [first, second].map { ($0, Duration.milliseconds(100)) }
        let file = try Self.write(shown, with: GIFAnimationEncoder(), laps: nil)
        let found = try PillowAnimation(file).frames
        for y in 0..<64 {
            for x in 0..<64 {
                let expected = (20..<28).contains(y) && (30..<40).contains(x) ? second[x, y] : found[0][x, y]
                guard found[1][x, y] != expected else { continue }
                Issue.record("pixel \(x), \(y)")
                return
            }
        }
        let still = try Self.write([shown[0]], with: GIFAnimationEncoder(), laps: nil)
        #expect(file.count < still.count + 600)
    }

    /// The box moves from column 2 to 9 over rows 10 to 19, so that columns 2 to 16 change; then nothing does, but a hole
    /// opens behind the frame in the next, which is cleared with it.
    @Test func onlyWhatChangesIsWritten() throws {
        let shown = Self.story.prefix(4).map { ($0, Duration.milliseconds(100)) }
        func frames(_ encoder: any AnimationEncoder) throws -> [AnimationFrame] {
            let decoder = try AnimationDecoding(try Self.write(shown, with: encoder, laps: nil)).decoder
            return (0..<decoder.frameCount).map { decoder.frame(at: $0) }
        }
        let whole = PixelRect(x: 0, y: 0, width: 48, height: 40)
        let box = PixelRect(x: 2, y: 10, width: 15, height: 10)
        let (dot, hole) = (PixelRect(x: 0, y: 0, width: 1, height: 1), PixelRect(x: 15, y: 15, width: 15, height: 15))
        let png = try frames(APNGEncoder())
        #expect(png.map(\.rect) == [whole, box, dot, hole])
        #expect(png.allSatisfy { $0.disposal == .keep })
        let gif = try frames(GIFAnimationEncoder())
        #expect(gif.map(\.rect) == [whole, box, hole, dot])
        #expect(gif.map(\.disposal) == [.keep, .keep, .clear, .keep])
    }
}
