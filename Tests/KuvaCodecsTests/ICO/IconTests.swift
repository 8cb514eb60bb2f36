import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("Icons")
struct IconTests {
    /// An entry of one colour with a mask whose bits are all `mask`.
    private func bitmap(_ side: Int, _ pixel: [UInt8], bits: Int = 32, mask: UInt8 = 0) -> [UInt8] {
        var row = (0..<side).flatMap { _ in pixel }
        row += [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
        var result = LittleEndian.longs(40, side, side * 2) + LittleEndian.words(1, bits)
        result += [UInt8](repeating: 0, count: 24)
        for _ in 0..<side { result += row }
        return result + [UInt8](repeating: mask, count: (side + 31) / 32 * 4 * side)
    }

    private func icon(_ entries: [(side: Int, bits: Int, body: [UInt8])]) -> Data {
        var directory = LittleEndian.words(0, 1, entries.count)
        var offset = 6 + entries.count * 16
        for entry in entries {
            directory += [UInt8(entry.side % 256), UInt8(entry.side % 256), 0, 0]
            directory += LittleEndian.words(1, entry.bits)
            directory += LittleEndian.longs(entry.body.count, offset)
            offset += entry.body.count
        }
        return Data(directory + entries.flatMap { entry -> [UInt8] in entry.body })
    }

    private var threeSizes: Data {
        icon([
            (16, 32, bitmap(16, [1, 0, 0, 255])), (64, 32, bitmap(64, [3, 0, 0, 255])),
            (32, 24, bitmap(32, [9, 0, 0], bits: 24)), (32, 32, bitmap(32, [2, 0, 0, 255])),
        ])
    }

    @Test(arguments: [
        (nil, 64, 3), (200, 64, 3), (64, 64, 3), (33, 33, 3), (32, 32, 2), (17, 17, 2), (16, 16, 1), (5, 5, 1),
    ])
    func bestEntryForTheSize(side: Int?, outputSide: Int, blue: UInt8) throws {
        let target = side.map { TargetSize(PixelSize(width: $0, height: $0)) }
        let decoded = try Decoding(threeSizes, options: DecodeOptions(targetSize: target))
        #expect(decoded.pixels.width == outputSide)
        #expect(decoded.pixels[0, 0] == [0, 0, blue, 255])
        var up = target
        up?.allowsUpscaling = true
        #expect(try Decoding(threeSizes, options: DecodeOptions(targetSize: up)).pixels[0, 0] == [0, 0, blue, 255])
    }

    @Test func setMaskBitsAreTransparent() throws {
        var body = bitmap(8, [10, 20, 30], bits: 24)
        // The last row in the file is the top one.
        body[body.count - 4] = 0b1010_0000
        let pixels = try Decoding(icon([(8, 24, body)])).pixels
        #expect(pixels[0, 0] == [0, 0, 0, 0])
        #expect(pixels[1, 0] == [30, 20, 10, 255])
        #expect(pixels[2, 0] == [0, 0, 0, 0])
        #expect(pixels[0, 1] == [30, 20, 10, 255])
    }

    @Test func maskCountsOnlyWhereAllAlphaIsZero() throws {
        let own = try Decoding(icon([(8, 32, bitmap(8, [0, 0, 200, 128], mask: 0xFF))])).pixels
        #expect(own[3, 3] == [100, 0, 0, 128])
        let masked = try Decoding(icon([(8, 32, bitmap(8, [0, 0, 200, 0], mask: 0))])).pixels
        #expect(masked[3, 3] == [200, 0, 0, 255])
    }

    @Test func aBrokenEntryIsPassedOver() throws {
        let file = icon([(16, 32, bitmap(16, [1, 0, 0, 255])), (64, 32, [1, 2, 3])])
        #expect(try Decoding(file).pixels.width == 16)
        #expect { _ = try Decoding(icon([(64, 32, [1, 2, 3])])) } throws: { $0 is ImageError }
    }

    @Test func infoNamesTheEntry() throws {
        let info = try CodecRegistry.builtIn.info(of: threeSizes)
        #expect(info.format == .ico)
        #expect(info.storedSize == PixelSize(width: 64, height: 64))
        #expect(info.frameCount == 1)
        #expect(info.hasAlpha)
    }

    @Test func damaged() { HostileBytes.damage(threeSizes, seed: 7) }

    @Test(.enabled(if: Tool.isPresent("icotool") && Tool.python != nil)) func asIcotoolWritesIt() throws {
        let script = """
            import sys; from PIL import Image
            Image.frombytes('RGBA', (24, 24), bytes((i * 53 + i // 7) % 256 for i in range(2304))).save(sys.argv[1], 'PNG')
            """
        let png = try Tool.run(Tool.python!, "-c", script, "@out")
        let file = try Tool.run("icotool", "-c", "-o", "@out.ico", "@in.png", input: png)
        let straight = (0..<2304).map { (i: Int) -> UInt8 in UInt8(truncatingIfNeeded: i * 53 + i / 7) }
        #expect(try Decoding(file).pixels.difference(from: Reference.premultiplied(straight)) == 0)
    }
}

@Suite("Icon corpus", .enabled(if: Corpus.isPresent))
struct IconCorpusTests {
    /// It has an ICC profile where others look for the mask; without a mask it is opaque, as the bitmap it came from.
    static let withoutMask = "formats/ico/image__bmp_v5_with_icc.ico"

    @Test(arguments: Corpus.entries("formats", format: "ico"))
    func isAsTheReference(entry: Corpus.Entry) throws {
        if entry.path == Self.withoutMask {
            let bitmap = try #require(Corpus.entries("formats").first { $0.path.hasSuffix("/Pillow__rgb24.bmp") })
            #expect(try Decoding(try entry.data).pixels.difference(from: try Decoding(try bitmap.data).pixels) == 0)
            return
        }
        let decoded = try Corpus.check(valid: entry)
        let pixels = Pixels(decoded.image.pixels)
        if entry["exact"] == "yes", !pixels.hasOnlyFullAlpha, Tool.isPresent("convert") {
            #expect(pixels.difference(from: try Reference.anyProgram(entry.data, "ico")) == 0)
        }
    }

    @Test(arguments: Corpus.entries("broken", format: "ico"))
    func brokenIsAsOthersTakeIt(entry: Corpus.Entry) throws { try Corpus.check(broken: entry) }
}
