import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("JPEG corpus", .enabled(if: Corpus.isPresent))
struct JPEGCorpusTests {
    /// The references are Pillow's (libjpeg-turbo 3.2): for all but CMYK, libjpeg-turbo 2.1.5 agrees on every byte.
    @Test(arguments: Corpus.entries("photos") + Corpus.entries("formats", format: "jpeg"))
    func everyByteIsThatOfTheReference(entry: Corpus.Entry) throws {
        let decoded = try CodecRegistry.builtIn.decode(entry.data)
        let orientation = Orientation(rawValue: entry.number("orientation")) ?? .up
        #expect(decoded.damage == nil)
        #expect(decoded.info.orientation == orientation)
        #expect(decoded.info.storedSize == PixelSize(width: entry.number("width"), height: entry.number("height")))
        #expect(decoded.image.pixels.layout.alpha == .opaque)
        let raw = try CodecRegistry.builtIn.decode(entry.data, options: DecodeOptions(pixels: .stored)).image.pixels
        let stored = Pixels(raw)
        #expect(SHA256.hex(stored.bytes) == entry["sha256_rgba8"])
        // Without a profile, what is shown is that, turned.
        if entry["icc"].isEmpty { #expect(Pixels(decoded.image.pixels).stored(as: orientation) == stored) }
    }
}
