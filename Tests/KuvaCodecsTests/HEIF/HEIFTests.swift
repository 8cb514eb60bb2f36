#if HEIF
    import Foundation
    import KuvaCodecs
    import KuvaCore
    import Testing

    @Suite("HEIF corpus", .enabled(if: Corpus.isPresent))
    struct HEIFCorpusTests {
        static let entries = Corpus.entries("formats", format: "heic")

        @Test(arguments: entries) func isAsTheReference(entry: Corpus.Entry) throws {
            let decoded = try Corpus.check(valid: entry)
            // The index's hash is of pixels that libheif has turned.
            #expect(decoded.info.orientation == .up)
            #expect((decoded.info.iccProfileByteCount > 0) == (entry["icc"] != ""))
        }

        @Test(
            .enabled(if: Tool.isPresent("heif-convert") && Tool.python != nil),
            // Bursts and sequences make it write several files of other names.
            arguments: entries.filter { !$0.path.contains("burst") && !$0.path.contains("Animated") }
        )
        func isAsHeifConvertDecodesIt(entry: Corpus.Entry) throws {
            let decoded = try Decoding(try entry.data)
            let png = try Tool.run("heif-convert", "@in.heic", "@out.png", input: entry.data)
            // Of a file with several pictures it makes several files of other names.
            guard !png.isEmpty else { return }
            let reference = Reference.premultiplied(try Reference.pillow(png))
            let difference = try Decoding.unconverted(entry.data).difference(from: reference)
            #expect(try #require(difference) <= (decoded.info.bitsPerChannel > 8 ? 4 : 0))
        }

        @Test(arguments: Corpus.entries("broken", format: "heic"))
        func brokenIsAsOthersTakeIt(entry: Corpus.Entry) throws { try Corpus.check(broken: entry) }

        @Test(arguments: entries.filter { $0.number("bytes") < 8_000 })
        func damaged(entry: Corpus.Entry) throws { HostileBytes.damage(try entry.data, seed: 9) }
    }

    @Suite("HEIF decoder", .enabled(if: Tool.isPresent("heif-enc")))
    struct HEIFDecoderTests {
        private static let file = try? Tool.run(
            "heif-enc",
            options: ["-q", "90", "-o", "@out.heic", "@in.png"],
            input: Tool.run("convert", "ppm:@in", "png:@out", input: Pixels.sample(width: 96, height: 64).ppm)
        )

        @Test func describesItself() throws {
            let info = try CodecRegistry.builtIn.info(of: try #require(Self.file))
            #expect(info.format == .heic)
            #expect(info.storedSize == PixelSize(width: 96, height: 64))
            #expect(!info.hasAlpha)
            #expect(info.frameCount == 1)
        }

        @Test func waitsForTheWholeFile() throws {
            let file = try #require(Self.file)
            let whole = try Decoding(file)
            let part = try Decoding(file, pieceSize: 500)
            #expect(part.pixels.difference(from: whole.pixels) == 0)
            #expect(part.waits == (file.count + 499) / 500 - 1)
        }

        @Test func sizeIsRefusedBeforeItIsDecoded() throws {
            var options = DecodeOptions()
            options.limits.maximumOutputPixels = 96 * 64 - 1
            let file = try #require(Self.file)
            #expect { _ = try Decoding(file, options: options) } throws: { ($0 as? ImageError)?.code == .limitExceeded }
        }

        @Test func targetSizeIsMet() throws {
            let options = DecodeOptions(targetSize: TargetSize(PixelSize(width: 48, height: 48)))
            let scaled = try Decoding(try #require(Self.file), options: options)
            #expect((scaled.pixels.width, scaled.pixels.height) == (48, 32))
        }
    }
#endif
