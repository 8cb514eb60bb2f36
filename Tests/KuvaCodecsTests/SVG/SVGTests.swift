#if SVG
    import Foundation
    import KuvaCore
    import Testing

    @testable import KuvaCodecs

    @Suite("SVG corpus", .enabled(if: Corpus.isPresent))
    struct SVGCorpusTests {
        static let entries = Corpus.entries("formats", format: "svg")

        /// These have neither a size that counts nor a view box. Programs take what they like; CSS says 300 by 150.
        static let withoutSize = ["formats/svg/small__svg.svg", "formats/svg/resvg__structure-svg-negative-size.svg"]

        @Test(.enabled(if: Tool.isPresent("rsvg-convert") && Tool.python != nil), arguments: entries)
        func isAsRsvgConvertDrawsIt(entry: Corpus.Entry) throws {
            let decoded = try Decoding(try entry.data)
            guard !Self.withoutSize.contains(entry.path) else {
                #expect(decoded.info.storedSize == PixelSize(width: 300, height: 150))
                return
            }
            #expect(decoded.info.storedSize == PixelSize(width: entry.number("width"), height: entry.number("height")))
            let size = decoded.info.storedSize
            let png = try Tool.run(
                "rsvg-convert",
                "-w",
                "\(size.width)",
                "-h",
                "\(size.height)",
                "-o",
                "@out",
                "@in.svg",
                input: entry.data
            )
            let reference = Reference.premultiplied(try Reference.pillow(png))
            #expect(try #require(decoded.pixels.difference(from: reference)) <= 1)
        }

        @Test(.timeLimit(.minutes(10)), arguments: Corpus.entries("broken", format: "svg"))
        func brokenIsAsOthersTakeIt(entry: Corpus.Entry) throws { try Corpus.check(broken: entry) }

        @Test(arguments: entries.filter { $0.number("bytes") < 1_000 && $0.number("bytes") % 5 == 0 })
        func damaged(entry: Corpus.Entry) throws { HostileBytes.damage(try entry.data, seed: 17) }
    }

    @Suite("SVG decoder")
    struct SVGDecoderTests {
        private func svg(_ attributes: String, _ content: String = "", prolog: String = "") -> Data {
            Data(
                "\(prolog)<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(attributes)>\(content)</svg>"
                    .utf8
            )
        }

        private func size(_ data: Data, _ target: TargetSize? = nil) throws -> PixelSize {
            try CodecRegistry.builtIn.info(of: data, options: DecodeOptions(targetSize: target)).outputLayout.size
        }

        @Test func sizeOfTheDocument() throws {
            #expect(try size(svg("width='30' height='20'")) == PixelSize(width: 30, height: 20))
            #expect(try size(svg("width='1in' height='2.54cm'")) == PixelSize(width: 96, height: 96))
            #expect(try size(svg("viewBox='0 0 40 10'")) == PixelSize(width: 40, height: 10))
            #expect(try size(svg("width='100%' height='100%' viewBox='5 5 64 32'")) == PixelSize(width: 64, height: 32))
            #expect(try size(svg("")) == PixelSize(width: 300, height: 150))
        }

        @Test func targetSizesMayBeLarger() throws {
            let icon = svg("width='24' height='12'")
            #expect(
                try size(icon, TargetSize(PixelSize(width: 200, height: 200))) == PixelSize(width: 200, height: 100)
            )
            let exact = TargetSize(PixelSize(width: 50, height: 70), mode: .exact)
            #expect(try size(icon, exact) == PixelSize(width: 50, height: 70))
            let fill = TargetSize(PixelSize(width: 10, height: 12), mode: .aspectFill)
            #expect(try size(icon, fill) == PixelSize(width: 24, height: 12))
        }

        /// The left half red, drawn 50 times as large: the edge is where it is, without a blur.
        @Test func crispAtTheSizeAskedFor() throws {
            let file = svg("width='10' height='4'", "<rect width='5' height='4' fill='#f00'/>")
            let options = DecodeOptions(targetSize: TargetSize(PixelSize(width: 500, height: 200)))
            let pixels = try Decoding(file, options: options).pixels
            #expect(pixels[249, 100] == [255, 0, 0, 255])
            #expect(pixels[250, 100] == [0, 0, 0, 0])
        }

        @Test func coloursAreMultipliedAndInOrder() throws {
            let file = svg("width='2' height='1'", "<rect width='1' height='1' fill='#0a141e'/>")
            #expect(try Decoding(file).pixels.bytes == [10, 20, 30, 255, 0, 0, 0, 0])
            let half = svg("width='1' height='1'", "<rect width='1' height='1' fill='#f00' fill-opacity='0.5'/>")
            let pixel = try Decoding(half).pixels[0, 0]
            #expect((127...128).contains(pixel[0]) && pixel[0] == pixel[3])
        }

        @Test(.enabled(if: Tool.isPresent("convert"))) func onlyPicturesInTheDocumentAreLoaded() throws {
            let png = try Tool.run("convert", "-size", "4x4", "xc:#00ff00", "PNG32:@out")
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-\(UUID().uuidString).png")
            try png.write(to: path)
            defer { try? FileManager.default.removeItem(at: path) }
            func pixel(_ address: String) throws -> [UInt8] {
                let image = "<image width='4' height='4' xlink:href='\(address)'/>"
                return try Decoding(svg("width='4' height='4'", image)).pixels[1, 1]
            }
            #expect(try pixel("data:image/png;base64,\(png.base64EncodedString())") == [0, 255, 0, 255])
            for address in [path.absoluteString, path.path, path.lastPathComponent, "http://127.0.0.1:9/a.png"] {
                #expect(try pixel(address) == [0, 0, 0, 0])
            }
        }

        @Test func hugeDocumentsAreRefused() throws {
            func code(_ attributes: String) -> ImageError.Code? {
                do throws(ImageError) {
                    _ = try CodecRegistry.builtIn.info(of: svg(attributes))
                    return nil
                } catch {
                    return error.code
                }
            }
            #expect(code("width='40000' height='10'") == .limitExceeded)
            #expect(code("width='20000' height='20000'") == .limitExceeded)
            #expect(code("width='1e30' height='1e30'") == .limitExceeded)
        }

        @Test func entitiesAreCountedBeforeTheyGrow() throws {
            func count(_ prolog: String, _ content: String = "") -> Int? {
                Array(svg("", content, prolog: prolog)).withUnsafeBytes { XMLEntities.expandedByteCount(in: $0) }
            }
            #expect(count("") == 0)
            #expect(count("<!DOCTYPE svg [<!ENTITY a 'abc'>]>", "&a;&a; &amp;") == 6)
            // b is ten bytes of its own and twice a.
            #expect(count("<!DOCTYPE svg [<!ENTITY a 'abc'><!ENTITY b \"x&a;yz&a;w\">]>", "&b;") == 16)
            #expect(count("<!DOCTYPE svg [<!ENTITY a '&b;'><!ENTITY b '&a;'>]>", "&a;") == nil)
            #expect(count("<!DOCTYPE svg [<!ENTITY % a 'x'>]>") == nil)
            #expect(count("<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/hostname'>]>", "&a;") == 0)
            let open = Array("<!DOCTYPE svg [<!ENTITY a 'abc".utf8)
            #expect(open.withUnsafeBytes { XMLEntities.expandedByteCount(in: $0) } == nil)
        }
    }
#endif
