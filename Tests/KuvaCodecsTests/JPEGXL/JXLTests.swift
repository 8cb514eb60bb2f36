#if JPEGXL
    import Foundation
    import KuvaCodecs
    import KuvaCore
    import Testing

    @Suite("JPEG XL corpus", .enabled(if: Corpus.isPresent))
    struct JXLCorpusTests {
        static let entries = Corpus.entries("formats", format: "jxl")

        /// libjxl 0.7.0 finds the file unfinished; 0.11 reads it.
        static let newer = "formats/jxl/jxltest__square-extended-size-container.jxl"

        @Test(arguments: entries.filter { $0.path != newer }) func isAsTheReference(entry: Corpus.Entry) throws {
            // The programs of the index turn it.
            let decoded = try Corpus.check(valid: entry, isTurned: true)
            if entry["icc"] == "sRGB" { #expect(decoded.info.outputLayout.colorSpace == .sRGB) }
            if entry["icc"].hasPrefix("U.S.") { #expect(decoded.info.outputLayout.colorSpace == .unconverted) }
        }

        /// What is coded in XYB libjxl makes sRGB itself, as djxl does when it is told to.
        @Test(.enabled(if: Tool.isPresent("djxl") && Tool.python != nil))
        func coloursOfXYBAreSRGB() throws {
            let entry = try #require(Self.entries.first { $0.path.hasSuffix("jxlconf__patches.jxl") })
            let decoded = try Decoding(entry.data)
            #expect(decoded.info.outputLayout.colorSpace == .sRGB)
            let space = "--color_space=RGB_D65_SRG_Rel_SRG"
            let png = try Tool.run("djxl", space, "@in.jxl", "@out.png", input: entry.data)
            let theirs = try Pixels.pillow(#require(Tool.python), png).premultiplied
            let difference = decoded.pixels.maximumDifference(from: theirs)
            #expect(difference <= 2, "\(difference)")
        }

        /// Others have colours of their own, which Little CMS converts for Pillow too.
        @Test(
            .enabled(if: Tool.isPresent("djxl") && Tool.python != nil),
            arguments: ["patches_lossless", "grayscale_jpeg", "lz77_flower"]
        )
        func profilesAreApplied(name: String) throws {
            let entry = try #require(Self.entries.first { $0.path.hasSuffix("jxlconf__\(name).jxl") })
            let decoded = try Decoding(entry.data)
            #expect(decoded.info.outputLayout.colorSpace == .sRGB)
            let png = try Tool.run("djxl", "@in.jxl", "@out.png", input: entry.data)
            let theirs = try ColourCorpusTests.converted(png).premultiplied
            let difference = decoded.pixels.maximumDifference(from: theirs)
            #expect(difference <= 3, "\(difference)")
        }

        @Test(arguments: Corpus.entries("broken", format: "jxl"))
        func brokenIsAsOthersTakeIt(entry: Corpus.Entry) throws { try Corpus.check(broken: entry) }

        @Test(arguments: entries.filter { $0.number("bytes") < 8_000 })
        func damaged(entry: Corpus.Entry) throws { HostileBytes.damage(try entry.data, seed: 13) }
    }

    @Suite("JPEG XL decoder", .enabled(if: Tool.isPresent("cjxl") && Tool.isPresent("djxl") && Tool.python != nil))
    struct JXLDecoderTests {
        private static func made(_ script: String) throws -> Data {
            let script = """
                import sys; from PIL import Image
                p = bytes((x * (c + 2) + y * 3 + (x * y) // 7) % 256 for y in range(50) for x in range(70) for c in range(4))
                i = Image.frombytes('RGBA', (70, 50), p)
                \(script)
                """
            return try Tool.run(Tool.python!, "-c", script, "@out")
        }

        @Test(arguments: ["RGBA", "RGB", "L", "LA"]) func losslessIsTheSource(mode: String) throws {
            let png = try Self.made("i.convert('\(mode)').save(sys.argv[1], 'PNG')")
            let decoded = try Decoding(try Tool.run("cjxl", "-d", "0", "-e", "1", "@in.png", "@out.jxl", input: png))
            let reference = Reference.premultiplied(try Reference.pillow(png))
            #expect(decoded.pixels.difference(from: reference) == 0)
            #expect(decoded.info.hasAlpha == mode.hasSuffix("A"))
            #expect(decoded.info.outputLayout.colorSpace == .sRGB)
        }

        /// cjxl takes the orientation of a JPEG over, djxl turns the picture by it.
        @Test(arguments: 1...8) func turnedOnce(value: Int) throws {
            let jpeg = try Self.made(
                """
                e = Image.Exif(); e[0x0112] = \(value)
                i.convert('RGB').save(sys.argv[1], 'JPEG', quality=95, exif=e)
                """
            )
            let file = try Tool.run("cjxl", "-j", "0", "-d", "1", "@in.jpg", "@out.jxl", input: jpeg)
            let png = try Tool.run("djxl", "@in.jxl", "@out.png", input: file)
            let decoded = try Decoding(file)
            #expect(decoded.info.orientation.rawValue == value)
            #expect((decoded.pixels.width, decoded.pixels.height) == (value < 5 ? (70, 50) : (50, 70)))
            #expect(decoded.pixels.difference(from: try Reference.pillow(png)) == 0)
        }

        @Test func framesAreCounted() throws {
            let png = try Self.made(
                """
                f = [i.rotate(r) for r in (0, 90, 180)]
                f[0].save(sys.argv[1], 'PNG', save_all=True, append_images=f[1:], duration=100, loop=0)
                """
            )
            let decoded = try Decoding(try Tool.run("cjxl", "-d", "0", "-e", "1", "@in.png", "@out.jxl", input: png))
            #expect(decoded.info.frameCount == 3)
            #expect(decoded.info.loopCount == 0)
            #expect(decoded.pixels.difference(from: Reference.premultiplied(try Reference.pillow(png))) == 0)
        }

        @Test func cutOffIsAnErrorOrAPartialPicture() throws {
            let png = try Self.made("i.convert('RGB').resize((700, 500)).save(sys.argv[1], 'PNG')")
            let file = try Tool.run("cjxl", "-d", "1", "-p", "@in.png", "@out.jxl", input: png)
            var partial = 0
            for part in 1..<16 {
                do {
                    let decoded = try Decoding(file.prefix(file.count * part / 16))
                    #expect(decoded.frame.damage?.code == .truncatedImage)
                    partial += 1
                } catch let error as ImageError {
                    #expect(error.code == .truncatedImage)
                }
            }
            #expect(partial > 0)
        }

        @Test func sizeIsRefusedBeforeItIsDecoded() throws {
            let png = try Self.made("i.save(sys.argv[1], 'PNG')")
            let file = try Tool.run("cjxl", "-d", "0", "-e", "1", "@in.png", "@out.jxl", input: png)
            var options = DecodeOptions()
            options.limits.maximumOutputPixels = 70 * 50 - 1
            #expect { _ = try Decoding(file, options: options) } throws: { ($0 as? ImageError)?.code == .limitExceeded }
        }
    }
#endif
