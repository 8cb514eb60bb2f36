import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// All frames of the corpus's APNGs and animated WebPs against Pillow, whose hash is in the index.
@Suite("APNGs and animated WebPs of the corpus", .enabled(if: Corpus.isPresent))
struct AnimationCorpusTests {
    // One file is decoded differently by its two references; see `sixteenBits`.
    static let entries =
        Corpus.entries("formats", format: "apng")
        + Corpus.entries("formats", format: "webp").filter { $0.number("frames") > 1 }
    static let agreed = entries.filter { $0["exact"] == "yes" }

    /// By hand: blue with an alpha of 0x8000 over opaque black (blend operation 1, APNG 1.0) is half blue and opaque.
    /// Pillow pastes colour and alpha alike and gets an alpha of 191.
    @Test func sixteenBits() throws {
        let entry = try #require(Self.entries.first { $0.path.hasSuffix("Pillow__mode_16bit.png") })
        let frames = try AnimationDecoding(entry.data).allFrames()
        #expect(frames.count == 2)
        #expect(frames.last?.pixels[0, 0] == [0, 0, 128, 255])
    }

    /// The index's hash is of straight pixels. Where alpha is 0 or 255 throughout they are ours; otherwise Pillow gives
    /// them, their hash is checked first, and they are multiplied. Blending of translucent pixels is rounded once here
    /// and several times there, which may differ by one for each frame on top of another.
    @Test(arguments: agreed)
    func everyFrameIsThatOfTheReference(entry: Corpus.Entry) throws {
        let data = try entry.data
        let decoding = try AnimationDecoding(data)
        let frames = try decoding.allFrames()
        #expect(frames.count == entry.number("frames"))
        #expect(frames.allSatisfy { $0.frame.damage == nil })
        if let durations = entry.durations, durations.count > 1 {
            #expect(frames.map { $0.frame.duration.milliseconds } == durations)
        }
        let orientation = Orientation(rawValue: entry.number("orientation")) ?? .up
        let bytes = frames.flatMap { $0.pixels.stored(as: orientation).bytes }
        if SHA256.hex(bytes) == entry["sha256_rgba8"] { return }
        let python = try #require(Tool.python)
        let straight = try Pixels.allFrames(python, data)
        let isReference = SHA256.hex(straight.withoutHiddenColour.bytes) == entry["sha256_rgba8"]
        #expect(isReference)
        let expected = straight.premultiplied.bytes
        #expect(expected.count == bytes.count)
        let worst = zip(bytes, expected).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(worst <= 1, "differs by up to \(worst)")
    }

    /// Stored pixels are composed in straight alpha, so that they are the references' own: for WebP libwebp's compositor,
    /// for APNG Pillow and a compositor by the specification. Where those two agree, so must we, byte for byte.
    @Test(arguments: agreed)
    func storedPixelsAreThoseOfTheReference(entry: Corpus.Entry) throws {
        let frames = try AnimationDecoding(entry.data, options: DecodeOptions(pixels: .stored)).allFrames()
        let bytes = frames.flatMap { $0.pixels.withoutHiddenColour.bytes }
        let hash = SHA256.hex(bytes)
        #expect(frames.count == entry.number("frames"))
        #expect(hash == entry["sha256_rgba8"])
    }

    /// Frames asked for backwards, and every third one, are those of playing forward.
    @Test(arguments: entries.filter { $0.number("frames") > 1 && $0.number("bytes") < 100_000 })
    func orderDoesNotMatter(entry: Corpus.Entry) throws { try Corpus.checkOrder(of: entry) }

    /// The first frame is the same whether it is wanted alone, row by row, or as the start of the animation.
    @Test(arguments: entries)
    func firstFrameAloneIsTheSame(entry: Corpus.Entry) throws { try Corpus.checkFirstFrame(of: entry) }
}

extension Duration {
    fileprivate var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}

extension Pixels {
    /// All frames of a file one below the other, as Pillow decodes them, with straight alpha.
    fileprivate static func allFrames(_ python: String, _ file: Data) throws -> Pixels {
        let script = """
            import sys; from PIL import Image, ImageSequence
            i = Image.open(sys.argv[1])
            f = [x.convert('RGBA').tobytes() for x in ImageSequence.Iterator(i)]
            n = (i.width, i.height * len(f))
            sys.stdout.buffer.write(n[0].to_bytes(4, 'big') + n[1].to_bytes(4, 'big') + b''.join(f))
            """
        let data = [UInt8](try Tool.run(python, "-c", script, "@in", input: file))
        func number(_ offset: Int) -> Int { data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        return Pixels(width: number(0), height: number(4), bytes: Array(data[8...]))
    }
}
