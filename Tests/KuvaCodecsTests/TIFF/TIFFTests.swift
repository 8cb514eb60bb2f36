#if TIFF
    import Foundation
    import KuvaCodecs
    import KuvaCore
    import Testing

    @Suite("TIFF corpus", .enabled(if: Corpus.isPresent))
    struct TIFFCorpusTests {
        static let entries = Corpus.entries("formats", format: "tiff")

        /// Floating point, which one program each reads, and each makes something else of.
        static let floating = ["formats/tiff/Pillow__10ct_32bit_128.tiff", "formats/tiff/image__rgb32f_bw.tiff"]

        @Test(arguments: entries.filter { !floating.contains($0.path) })
        func isAsTheReference(entry: Corpus.Entry) throws {
            // Pillow turns by a quarter, and only then.
            let isTurned = entry.number("orientation") >= 5
            let decoded = try Corpus.check(valid: entry, hasOtherFrames: true, isTurned: isTurned)
            if let orientation = Orientation(rawValue: entry.number("orientation")) {
                #expect(decoded.info.orientation == orientation)
            }
            #expect((decoded.info.iccProfileByteCount > 0) == (entry["icc"] != ""))
        }

        @Test(arguments: Corpus.entries("broken", format: "tiff"))
        func brokenIsAsOthersTakeIt(entry: Corpus.Entry) throws { try Corpus.check(broken: entry) }

        @Test(arguments: entries.filter { $0.number("bytes") < 12_000 })
        func damaged(entry: Corpus.Entry) throws { HostileBytes.damage(try entry.data, seed: 5) }
    }

    @Suite("TIFF decoder", .enabled(if: Tool.python != nil))
    struct TIFFDecoderTests {
        /// What Pillow writes of a picture of 75 × 40 with some structure.
        private static func tiff(mode: String, _ options: String = "") throws -> Data {
            let script = """
                import sys; from PIL import Image
                m = '\(mode)'; n = {'1': 1, 'L': 1, 'P': 1, 'LA': 2, 'RGB': 3, 'RGBA': 4, 'CMYK': 4}[m]
                p = bytes((x * (c + 2) + y * 3 + (x * y) // 7) % 256 for y in range(40) for x in range(75) for c in range(n))
                i = Image.frombytes('L' if m == '1' else m, (75, 40), p)
                if m == '1': i = i.convert('1')
                if m == 'P': i.putpalette(bytes((k * j) % 256 for k in range(256) for j in (1, 3, 7)))
                i.save(sys.argv[1], 'TIFF', \(options))
                """
            return try Tool.run(Tool.python!, "-c", script, "@out")
        }

        private func check(_ file: Data, comment: Comment? = nil) throws {
            let decoded = try Decoding(file)
            let reference = Reference.premultiplied(try Reference.pillow(file))
            #expect(decoded.frame.damage == nil, comment)
            #expect(decoded.pixels.difference(from: reference) == 0, comment)
        }

        @Test(
            arguments: ["1", "L", "P", "LA", "RGB", "RGBA", "CMYK"],
            ["raw", "tiff_lzw", "tiff_adobe_deflate", "packbits"]
        )
        func modesAndCompressions(mode: String, compression: String) throws {
            try check(try Self.tiff(mode: mode, "compression='\(compression)'"))
        }

        @Test(arguments: ["group3", "group4", "tiff_ccitt"]) func fax(compression: String) throws {
            try check(try Self.tiff(mode: "1", "compression='\(compression)'"))
        }

        @Test(.enabled(if: Tool.isPresent("tiffcp")), arguments: ["L", "RGB", "RGBA", "P"])
        func layouts(mode: String) throws {
            let file = try Self.tiff(mode: mode, "compression='tiff_lzw'")
            let whole = try Decoding(file).pixels
            for options in [
                ["-t", "-w", "32", "-l", "16"], ["-p", "separate"], ["-B"], ["-L"], ["-8"], ["-r", "7"],
                ["-t", "-w", "16", "-l", "32", "-p", "separate", "-c", "zip"], ["-r", "1", "-B", "-c", "none"],
            ] {
                let copy = try Tool.run("tiffcp", options: options + ["@in", "@out"], input: file)
                #expect(try Decoding(copy).pixels.difference(from: whole) == 0, "\(options)")
            }
        }

        @Test func pagesAreCounted() throws {
            let script = """
                import sys; from PIL import Image
                i = [Image.new('L', (8, 5), v) for v in (10, 20, 30)]
                i[0].save(sys.argv[1], 'TIFF', save_all=True, append_images=i[1:])
                """
            let decoded = try Decoding(try Tool.run(Tool.python!, "-c", script, "@out"))
            #expect(decoded.info.frameCount == 3)
            #expect(decoded.info.loopCount == nil)
            #expect(decoded.pixels[0, 0] == [10, 10, 10, 255])
        }

        @Test func rowsThatCameAreShown() throws {
            let file = try Self.tiff(mode: "RGB", "compression='raw'")
            guard Tool.isPresent("tiffcp") else { return }
            let strips = try Tool.run("tiffcp", "-r", "4", "-c", "none", "@in", "@out", input: file)
            // The directory with the addresses of the strips comes last; the tenth strip's is sent past the end.
            let whole = try Decoding(strips).pixels
            let row = Data((0..<75).flatMap { whole[$0, 36][0..<3] })
            let address = UInt32(try #require(strips.range(of: row)).lowerBound)
            var broken = strips
            let place = try #require(strips.range(of: withUnsafeBytes(of: address.littleEndian) { Data($0) }))
            broken.replaceSubrange(place, with: [0xFF, 0xFF, 0xFF, 0x7F])
            let part = try Decoding(broken)
            #expect(part.frame.damage?.code == .corruptImage)
            #expect(part.pixels.leadingOpaqueRows == 36)
            #expect(part.pixels.isClear(from: 36))
        }

        @Test func aStripThatIsTooLargeToHoldIsRefused() throws {
            let file = try Self.tiff(mode: "RGB", "compression='raw'")
            var options = DecodeOptions()
            options.limits.maximumSourcePixels = 75 * 40 - 1
            #expect { _ = try Decoding(file, options: options) } throws: { ($0 as? ImageError)?.code == .limitExceeded }
            options.limits.maximumSourcePixels += 1
            options.limits.maximumOutputPixels = 75 * 40 / 2
            options.targetSize = TargetSize(PixelSize(width: 20, height: 20))
            // Rows of strips are read one by one, tiles row by row.
            #expect(try Decoding(file, options: options).pixels.width == 20)
            guard Tool.isPresent("tiffcp") else { return }
            let tiled = try Tool.run("tiffcp", "-t", "-w", "80", "-l", "48", "@in", "@out", input: file)
            #expect { _ = try Decoding(tiled, options: options) } throws: {
                ($0 as? ImageError)?.code == .limitExceeded
            }
        }
    }

#endif
