import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("WebP corpus", .enabled(if: Corpus.isPresent))
struct WebPCorpusTests {
    /// The hash is of straight pixels; what is shown is the same, multiplied and turned.
    @Test(arguments: Corpus.entries("formats", format: "webp"))
    func firstFrameIsThatOfTheReference(entry: Corpus.Entry) throws {
        let decoded = try CodecRegistry.builtIn.decode(entry.data)
        let orientation = Orientation(rawValue: entry.number("orientation")) ?? .up
        #expect(decoded.damage == nil)
        #expect(decoded.info.orientation == orientation)
        #expect(decoded.info.storedSize == PixelSize(width: entry.number("width"), height: entry.number("height")))
        #expect(decoded.info.frameCount == entry.number("frames"))
        #expect(decoded.info.loopCount == Int(entry["loop"]))
        let raw = try CodecRegistry.builtIn.decode(entry.data, options: DecodeOptions(pixels: .stored)).image.pixels
        let straight = Pixels(raw).withoutHiddenColour
        #expect(SHA256.hex(straight.bytes) == entry["sha256_frame0"])
        #expect(Pixels(decoded.image.pixels).stored(as: orientation) == straight.premultiplied)
    }
}

@Suite("Broken WebPs of the corpus", .enabled(if: Corpus.isPresent))
struct WebPBrokenCorpusTests {
    @Test(arguments: Corpus.entries("broken", format: "webp"))
    func endsAsPeersDo(entry: Corpus.Entry) throws { try Corpus.check(brokenWithSize: entry) }

    /// The index says how many leading rows of gdk-pixbuf's output for a cut-off file equal those of the whole file.
    @Test(arguments: Corpus.entries("broken", format: "webp").filter { $0["rows"].contains("first") })
    func rowsThatCameAreThoseOfTheReference(entry: Corpus.Entry) throws {
        let good = entry["rows"].split(separator: " ").compactMap { Int($0) }[0]
        guard good > 0 else {
            let error = #expect(throws: ImageError.self) { try CodecRegistry.builtIn.decode(entry.data) }
            #expect(error?.code == .truncatedImage)
            return
        }
        let decoded = try CodecRegistry.builtIn.decode(entry.data)
        #expect(decoded.damage?.code == .truncatedImage)
        let pixels = Pixels(decoded.image.pixels)
        #expect(pixels.isClear(from: good) && !pixels.isClear(from: good - 1))
    }
}
