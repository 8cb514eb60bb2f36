import KuvaCore
import Testing

@Suite("BMP corpus", .enabled(if: Corpus.isPresent))
struct BMPCorpusTests {
    /// Bits of red, green and blue of files with channels narrower than 5 bits. ImageMagick and gdk-pixbuf, the only two
    /// that read these, leave the bits below at zero, so that white is dark; they widen 5 and 6 bits to full white, as
    /// all programs do. So for these the stored bits must be theirs, and full must be full.
    static let narrow = [
        "image__V3_X4_R4_G4_B4.bmp": [4, 4, 4], "Pillow__rgb16-231.bmp": [2, 3, 1], "me__rgb16-3103.bmp": [3, 8, 3],
    ]

    @Test(arguments: Corpus.entries("formats", format: "bmp"))
    func isAsTheReference(entry: Corpus.Entry) throws {
        let name = String(entry.path.split(separator: "/").last ?? "")
        if let bits = Self.narrow[name] {
            guard Tool.isPresent("convert") else { return }
            let (mine, theirs) = (
                try Decoding(try entry.data).pixels.bytes, try Reference.imageMagick(entry.data, "bmp")
            )
            try #require(mine.count == theirs.count)
            for index in mine.indices where index % 4 < 3 {
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits[index % 4])
                // Of 10 bits, ours are the high 8 and theirs rounded.
                #expect(abs(Int(mine[index] & mask) - Int(theirs[index] & mask)) <= 1)
                if bits[index % 4] < 8 { #expect((mine[index] == 255) == (theirs[index] & mask == mask)) }
            }
            return
        }
        let decoded = try Corpus.check(valid: entry)
        let pixels = Pixels(decoded.image.pixels)
        if entry["exact"] == "yes", !pixels.hasOnlyFullAlpha, Tool.isPresent("convert") {
            #expect(pixels.difference(from: try Reference.anyProgram(entry.data, "bmp")) == 0)
        }
    }

    @Test(arguments: Corpus.entries("broken", format: "bmp"))
    func brokenIsAsOthersTakeIt(entry: Corpus.Entry) throws { try Corpus.check(broken: entry) }

    @Test(arguments: Corpus.entries("formats", format: "bmp").enumerated().filter { $0.offset % 6 == 0 }.map(\.element))
    func damaged(entry: Corpus.Entry) throws {
        let data = try entry.data
        if data.count < 40_000 { HostileBytes.damage(data, seed: UInt64(data.count)) }
    }
}
