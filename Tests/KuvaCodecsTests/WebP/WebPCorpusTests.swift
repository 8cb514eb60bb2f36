import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("WebP corpus", .enabled(if: Corpus.isPresent))
struct WebPCorpusTests {
    /// Opaque pictures have the index's hash. Others are premultiplied here, which loses what the hash is of: for them
    /// Pillow's straight pixels, which must have the hash, are multiplied as the definition says.
    @Test(arguments: Corpus.entries("formats", format: "webp"))
    func firstFrameIsThatOfTheReference(entry: Corpus.Entry) throws {
        let decoded = try CodecRegistry.builtIn.decode(entry.data)
        let orientation = Orientation(rawValue: entry.number("orientation")) ?? .up
        #expect(decoded.damage == nil)
        #expect(decoded.info.orientation == orientation)
        #expect(decoded.info.storedSize == PixelSize(width: entry.number("width"), height: entry.number("height")))
        #expect(decoded.info.frameCount == entry.number("frames"))
        #expect(decoded.info.loopCount == Int(entry["loop"]))
        let stored = Pixels(decoded.image.pixels).stored(as: orientation)
        if decoded.image.pixels.layout.alpha == .opaque {
            #expect(SHA256.hex(stored.bytes) == entry["sha256_frame0"])
            return
        }
        guard let python = Tool.python else { return }
        let straight = try Pixels.pillow(python, entry.data)
        #expect(SHA256.hex(straight.withoutHiddenColour.bytes) == entry["sha256_frame0"])
        #expect(stored == straight.premultiplied)
    }
}

@Suite("Broken WebPs of the corpus", .enabled(if: Corpus.isPresent))
struct WebPBrokenCorpusTests {
    @Test(arguments: Corpus.entries("broken", format: "webp"))
    func endsAsPeersDo(entry: Corpus.Entry) throws {
        let outcome = Result { try CodecRegistry.builtIn.decode(entry.data) }
        switch (entry["expected"].split(separator: " [").first, outcome) {
        case ("decodes", .success(let decoded)):
            #expect(decoded.image.pixelSize == PixelSize(width: entry.number("width"), height: entry.number("height")))
            #expect(decoded.damage == nil)
        case ("decodes", .failure(let error)): Issue.record("all peers decode it: \(error)")
        case ("error", .success): Issue.record("no peer decodes it")
        case (_, .failure(let error)): #expect(error is ImageError)
        default: break
        }
    }

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
