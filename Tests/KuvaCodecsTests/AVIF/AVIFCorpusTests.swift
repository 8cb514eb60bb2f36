import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("AVIF corpus", .enabled(if: Corpus.isPresent))
struct AVIFCorpusTests {
    static let entries = Corpus.entries("formats", format: "avif") + Corpus.entries("formats", format: "avif-anim")

    @Test(arguments: entries)
    func isAsTheReference(entry: Corpus.Entry) throws {
        let decoded = try Corpus.check(valid: entry)
        // Pillow reads an orientation from XMP too, which AVIF gives no say.
        let isInXMP = entry.path.hasSuffix("/Pillow__xmp_tags_orientation.avif")
        if let orientation = Orientation(rawValue: entry.number("orientation")), !isInXMP {
            #expect(decoded.info.orientation == orientation)
        }
        #expect((decoded.info.iccProfileByteCount > 0) == (entry["icc"] != ""))
    }

    /// avifdec does not turn pictures either, and its alpha is straight. Of grey it writes the limited range as it is, so
    /// there the corpus's reference has to do; more than 8 bits it converts in its own way.
    @Test(
        .enabled(if: Tool.isPresent("avifdec") && Tool.python != nil),
        arguments: entries.filter { $0.number("width") < 2100 && $0["mode"] != "L" }
    )
    func isAsAvifdecDecodesIt(entry: Corpus.Entry) throws {
        let decoded = try Decoding(try entry.data)
        let options = ["-c", "dav1d", "-j", "1", "-d", "8", "--no-strict", "@in.avif", "@out.png"]
        let png = try Tool.run("avifdec", options: options, input: entry.data)
        let reference = Reference.premultiplied(try Reference.pillow(png))
        let difference = try Decoding.unconverted(entry.data).difference(from: reference)
        #expect(try #require(difference) <= (decoded.info.bitsPerChannel > 8 ? 4 : 0))
    }

    /// Scaled pictures are converted in strips, which must not show: converting whole gives the same.
    @Test(arguments: entries.filter { $0.number("width") < 1300 })
    func stripsDoNotShow(entry: Corpus.Entry) throws {
        let whole = try Decoding(try entry.data)
        let size = PixelSize(width: whole.pixels.width, height: whole.pixels.height)
        guard size.height > 64, whole.info.outputLayout.alpha == .opaque else { return }
        let target = PixelSize(width: size.width, height: size.height / 3)
        let options = DecodeOptions(targetSize: TargetSize(target, mode: .exact))
        let scaled = try Decoding(try entry.data, options: options)
        let stored = whole.pixels.stored(as: whole.info.orientation)
        let reference = try stored.scaled(to: target, orientation: whole.info.orientation)
        #expect(scaled.pixels.difference(from: reference) == 0)
    }

    @Test(arguments: Corpus.entries("broken", format: "avif"))
    func brokenIsAsOthersTakeIt(entry: Corpus.Entry) throws { try Corpus.check(broken: entry) }

    @Test(arguments: entries.filter { $0.number("bytes") < 20_000 })
    func damaged(entry: Corpus.Entry) throws { HostileBytes.damage(try entry.data, seed: 3) }

    @Test(arguments: entries.filter { $0.number("frames") > 1 })
    func sequencesComeInPieces(entry: Corpus.Entry) throws {
        let data = try entry.data
        let part = try Decoding(data, pieceSize: 512)
        #expect(part.pixels.difference(from: try Decoding(data).pixels) == 0)
        #expect(part.waits > 0)
    }
}
