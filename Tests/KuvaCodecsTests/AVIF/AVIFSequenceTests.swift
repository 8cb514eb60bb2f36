import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// Sequences that avifenc makes, and those of the corpus, frame by frame as avifdec decodes them.
@Suite("AVIF sequences", .enabled(if: Tool.isPresent("avifenc") && Tool.isPresent("avifdec") && Tool.python != nil))
struct AVIFSequenceTests {
    /// Six frames of 64 × 48 with alpha, a box that moves; shown for 100, 50, 20, 40, 1000 and 100 thousandths.
    private static func made(_ options: String) throws -> Data {
        let script = """
            import subprocess, sys, tempfile, os; from PIL import Image
            d = tempfile.mkdtemp(); a = []
            for n, t in enumerate((100, 50, 20, 40, 1000, 100)):
                p = bytes(v for y in range(48) for x in range(64) for v in (x * 4, y * 5, 255 if n * 9 <= x < n * 9 + 12 else 40, 255 - x))
                f = os.path.join(d, '%d.png' % n); Image.frombytes('RGBA', (64, 48), p).save(f); a += ['--duration', str(t), f]
            subprocess.run(['avifenc', '-s', '9', '-j', '1', '--timescale', '1000'] + '\(options)'.split() + a + [sys.argv[1]],
                check=True, stdout=subprocess.DEVNULL)
            import shutil; shutil.rmtree(d)
            """
        return try Tool.run(#require(Tool.python), "-c", script, "@out.avif")
    }

    private static func reference(_ file: Data, frame: Int) throws -> [UInt8] {
        let options = [
            "-c", "dav1d", "-j", "1", "-d", "8", "--no-strict", "--index", "\(frame)", "@in.avif", "@out.png",
        ]
        return Reference.premultiplied(try Reference.pillow(try Tool.run("avifdec", options: options, input: file)))
    }

    private static func check(_ file: Data, mostDifference: Int, frameCount: Int) throws {
        let decoding = try AnimationDecoding(file)
        #expect(decoding.info.frameCount == frameCount)
        let frames = try decoding.allFrames().map { $0.pixels.stored(as: decoding.info.orientation) }
        #expect(frames.count == frameCount)
        for (index, frame) in frames.enumerated() {
            let difference = frame.difference(from: try reference(file, frame: index))
            #expect(try #require(difference) <= mostDifference, "frame \(index)")
        }
        for index in Array((0..<frameCount).reversed()) + [frameCount / 2, 0, frameCount - 1] {
            let isEqual = try decoding.frame(index).stored(as: decoding.info.orientation) == frames[index]
            #expect(isEqual, "frame \(index) out of order")
        }
    }

    @Test(arguments: ["-y 444", "-y 420 --keyframe 2", "-y 420 -d 10"])
    func everyFrameIsAvifdecs(options: String) throws {
        let file = try Self.made(options)
        try Self.check(file, mostDifference: options.hasSuffix("10") ? 2 : 0, frameCount: 6)
        let image = try #require(try AnimatedImage.decode(file, decoders: CodecRegistry.builtIn))
        #expect(image.timeline.durations == [100, 50, 20, 40, 1000, 100].map { .milliseconds($0) })
        #expect(image.timeline.isComplete)
        #expect(image.lapCount == nil)
    }

    @Test(
        .enabled(if: Corpus.isPresent),
        arguments: (Corpus.entries("formats", format: "avif") + Corpus.entries("formats", format: "avif-anim")).filter {
            $0.number("frames") > 1
        }
    )
    func corpus(entry: Corpus.Entry) throws {
        let isDeep = entry.path.contains("0bpc") || entry.path.contains("2bpc")
        try Self.check(try entry.data, mostDifference: isDeep ? 4 : 0, frameCount: entry.number("frames"))
        if let durations = entry.durations, durations.count == entry.number("frames") {
            let found = try AnimationDecoding(entry.data).allFrames().map { $0.frame.duration / .milliseconds(1) }
            #expect(zip(found, durations).allSatisfy { abs($0 - Double($1)) <= 0.5 })
        }
    }

    /// A frame is there as soon as its bytes are; of a file that is cut off, those that came whole.
    @Test func growsAndEndsEarly() throws {
        let file = try Self.made("-y 444")
        var growing = GrowingAnimation(decoders: CodecRegistry.builtIn)
        var counts: [Int] = []
        for start in stride(from: 0, to: file.count, by: 64) {
            try growing.append(file.dropFirst(start).prefix(64), isLast: start + 64 >= file.count)
            if let count = growing.image?.frameCount, counts.last != count { counts.append(count) }
        }
        #expect(counts.first == 1)
        #expect(counts.last == 6)
        #expect(counts.count >= 4)
        #expect(growing.image?.timeline.isComplete == true)
        let whole = try AnimationDecoding(file).allFrames().map(\.pixels)
        let part = try AnimationDecoding(file.dropLast(file.count / 20)).allFrames()
        #expect((1..<6).contains(part.count))
        for (index, frame) in part.enumerated() {
            let isEqual = frame.pixels == whole[index]
            #expect(isEqual, "frame \(index)")
            #expect(frame.frame.damage == nil)
        }
    }
}
