import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("PNG corpus", .enabled(if: Corpus.isPresent))
struct PNGCorpusTests {
    /// The hashes are of straight pixels that no profile or gamma was applied to. Where nothing asks for that, what is
    /// shown is the same, multiplied and turned.
    @Test(arguments: Corpus.entries("formats", format: "png") + Corpus.entries("formats", format: "apng"))
    func everyByteIsThatOfTheReference(entry: Corpus.Entry) throws {
        let file = try entry.data
        let decoded = try CodecRegistry.builtIn.decode(file)
        let pixels = Pixels(decoded.image.pixels)
        #expect(decoded.damage == nil)
        #expect(decoded.info.storedSize == PixelSize(width: entry.number("width"), height: entry.number("height")))
        #expect(decoded.info.orientation.rawValue == Int(entry["orientation"]) ?? 1)
        let isAnimated = entry["format"] == "apng"
        #expect(decoded.info.format == (isAnimated ? .apng : .png))
        if isAnimated { try checkAnimation(entry, decoded.info) }

        let raw = try CodecRegistry.builtIn.decode(file, options: DecodeOptions(pixels: .stored)).image.pixels
        let straight = Pixels(raw).withoutHiddenColour
        #expect(SHA256.hex(straight.bytes) == entry["sha256_frame0"])
        if raw.layout.colorSpace == .sRGB {
            #expect(pixels.stored(as: decoded.info.orientation) == straight.premultiplied)
        }
        #expect(decoded.image.pixels.layout.alpha == (pixels.isOpaque ? .opaque : .premultiplied))
    }

    private func checkAnimation(_ entry: Corpus.Entry, _ info: ImageInfo) throws {
        #expect(info.frameCount == entry.number("frames"))
        if !entry["loop"].isEmpty { #expect(info.loopCount == entry.number("loop")) }
    }

    /// The index has `bd8 ct6 interlaced`: bit depth, colour type.
    @Test(arguments: Corpus.entries("formats", format: "png"))
    func infoSaysWhatTheFileSays(entry: Corpus.Entry) throws {
        let info = try CodecRegistry.builtIn.info(of: entry.data)
        let words = entry["mode"].split(separator: " ")
        let depth = words[0].dropFirst(2)
        let names = [
            "ct0": "grey", "ct2": "RGB", "ct3": "palette, \(depth)-bit indices", "ct4": "grey and alpha", "ct6": "RGBA",
        ]
        let name = try #require(names[String(words[1])])
        #expect(info.pixelDescription == (words.count > 2 ? "\(name), interlaced" : name))
        #expect(info.bitsPerChannel == (words[1] == "ct3" ? 8 : Int(depth)))
        #expect((info.iccProfileByteCount > 0) == !entry["icc"].isEmpty)
    }
}

extension Pixels {
    var isOpaque: Bool { stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 } }

    var hasPartialAlpha: Bool { stride(from: 3, to: bytes.count, by: 4).contains { ![0, 255].contains(bytes[$0]) } }
}
