import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// What files say beside their pixels, with files that Pillow writes.
@Suite("Metadata", .enabled(if: Tool.python != nil))
struct MetadataTests {
    private static let xmp = "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"

    private func pillow(_ code: String) throws -> Data {
        let script = """
            import sys, io, struct; from PIL import Image, PngImagePlugin
            xmp = b"\(Self.xmp)"
            picture = Image.new('RGB', (64, 48), (200, 30, 90)); out = io.BytesIO()
            def jpeg(size, colour):
                b = io.BytesIO(); Image.new('RGB', size, colour).save(b, 'jpeg'); return b.getvalue()
            # TIFF 6.0: a directory with a density of 300/2 and 72/1 pixels a centimetre, and one with a thumbnail.
            def exif(thumbnail, orientation=1):
                def entry(tag, kind, count, value): return struct.pack('<HHII', tag, kind, count, value)
                first = struct.pack('<H', 4) + entry(0x112, 3, 1, orientation) + entry(0x11A, 5, 1, 104) \\
                    + entry(0x11B, 5, 1, 112) + entry(0x128, 3, 1, 3)
                second = struct.pack('<H', 2) + entry(0x201, 4, 1, 120) + entry(0x202, 4, 1, len(thumbnail))
                head = b'II*\\0' + struct.pack('<I', 8) + first + struct.pack('<I', 62)
                block = head + second + struct.pack('<I', 0)
                return b'Exif\\0\\0' + block.ljust(104, b'\\0') + struct.pack('<IIII', 300, 2, 72, 1) + thumbnail
            \(code)
            sys.stdout.buffer.write(out.getvalue())
            """
        return try Tool.run(try #require(Tool.python), "-c", script)
    }

    @Test func jpeg() throws {
        let file = try pillow(
            """
            picture.save(out, 'jpeg', dpi=(300, 150), exif=exif(jpeg((16, 12), (1, 2, 3))), comment=b'made by hand')
            data = out.getvalue(); name = b'http://ns.adobe.com/xap/1.0/\\0'
            iptc = b'\\x1c\\x02\\x78\\0\\x03abc'
            resource = b'8BIM' + struct.pack('>HBB', 0x0404, 0, 0) + struct.pack('>I', len(iptc)) + iptc
            other = b'8BIM' + struct.pack('>HB', 0x03ED, 3) + b'abc' + struct.pack('>I', 3) + b'xyz\\0'
            def segment(marker, body): return bytes([255, marker]) + struct.pack('>H', len(body) + 2) + body
            out = io.BytesIO(data[:2] + segment(0xE1, name + xmp) + segment(0xED, b'Photoshop 3.0\\0' + other + resource)
                + data[2:])
            """
        )
        let metadata = try CodecRegistry.builtIn.metadata(of: file)
        #expect(metadata.density == ImageMetadata.Density(horizontal: 300, vertical: 150))
        #expect(metadata.texts == [ImageMetadata.Text(keyword: "Comment", text: "made by hand")])
        #expect(metadata.xmp == Data(Self.xmp.utf8))
        #expect(metadata.iptc == Data([0x1C, 2, 0x78, 0, 3] + Array("abc".utf8)))
        #expect(metadata.exif?.starts(with: "II*".utf8) == true)
        #expect(metadata.iccProfile == nil)
        let thumbnail = try CodecRegistry.builtIn.decode(try #require(metadata.thumbnail)).image
        #expect(thumbnail.pixelSize == PixelSize(width: 16, height: 12))
    }

    /// As the Ultra HDR format and ISO 21496-1 have it: the base picture says that there is a gain map, a smaller JPEG,
    /// which follows it and is listed by a multi-picture segment (CIPA DC-007). The base is what is shown.
    @Test(arguments: ["xmp", "iso"]) func gainMapIsNoticedAndTheBaseShown(kind: String) throws {
        let file = try pillow(
            """
            base, map = jpeg((64, 48), (200, 30, 90)), jpeg((16, 12), (128, 128, 128))
            def segment(marker, body): return bytes([255, marker]) + struct.pack('>H', len(body) + 2) + body
            packet = (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
                b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
                b'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/></rdf:RDF></x:xmpmeta>')
            said = {'xmp': segment(0xE1, b'http://ns.adobe.com/xap/1.0/\\0' + packet),
                    'iso': segment(0xE2, b'urn:iso:std:iso:ts:21496:-1\\0' + bytes(4))}['\(kind)']
            def entry(tag, kind, count, value): return struct.pack('>HHI', tag, kind, count) + value
            def pictures(first, second, offset):
                table = struct.pack('>IIIHH', 0x030000, first, 0, 0, 0) + struct.pack('>IIIHH', 0, second, offset, 0, 0)
                return b'MPF\\0MM\\0*' + struct.pack('>IH', 8, 3) + entry(0xB000, 7, 4, b'0100') + entry(
                    0xB001, 4, 1, struct.pack('>I', 2)) + entry(0xB002, 7, 32, struct.pack('>I', 50)) + bytes(4) + table
            length = len(base) + len(said) + len(segment(0xE2, pictures(0, 0, 0)))
            # Offsets count from the byte order mark of the segment.
            multi = segment(0xE2, pictures(length, len(map), length - 2 - len(said) - 8))
            out = io.BytesIO(base[:2] + said + multi + base[2:] + map)
            """
        )
        #expect(try CodecRegistry.builtIn.metadata(of: file).hasGainMap)
        let plain = try pillow("out = io.BytesIO(jpeg((64, 48), (200, 30, 90)))")
        #expect(try !CodecRegistry.builtIn.metadata(of: plain).hasGainMap)
        let decoded = try CodecRegistry.builtIn.decode(file)
        #expect(decoded.damage == nil)
        #expect(decoded.info.frameCount == 1)
        let isEqual = Pixels(decoded.image.pixels) == Pixels(try CodecRegistry.builtIn.decode(plain).image.pixels)
        #expect(isEqual)
    }

    @Test func densityOfEXIF() throws {
        let file = try pillow(
            """
            picture.save(out, 'jpeg', exif=exif(b'none'))
            # Without JFIF's own segment, which Pillow always writes.
            data = out.getvalue(); length = struct.unpack('>H', data[4:6])[0]
            out = io.BytesIO(data[:2] + data[4 + length:])
            """
        )
        let metadata = try CodecRegistry.builtIn.metadata(of: file)
        #expect(metadata.density == ImageMetadata.Density(horizontal: 150 * 2.54, vertical: 72 * 2.54))
        #expect(metadata.thumbnail == nil, "it is no JPEG")
    }

    @Test func png() throws {
        let file = try pillow(
            """
            info = PngImagePlugin.PngInfo(); info.add_text('Author', 'J\\u00f6rg'); info.add_text('Long', 'a' * 5000, zip=True)
            info.add_itxt('Title', '\\u753b', 'zh', 'T'); info.add_itxt('XML:com.adobe.xmp', xmp.decode(), zip=True)
            picture.save(out, 'png', pnginfo=info, dpi=(96, 96), exif=exif(jpeg((16, 12), (1, 2, 3))))
            """
        )
        let metadata = try CodecRegistry.builtIn.metadata(of: file)
        #expect(
            metadata.texts == [
                ImageMetadata.Text(keyword: "Author", text: "Jörg"),
                ImageMetadata.Text(keyword: "Long", text: String(repeating: "a", count: 5000)),
                ImageMetadata.Text(keyword: "Title", text: "画"),
            ]
        )
        #expect(metadata.xmp == Data(Self.xmp.utf8))
        #expect(metadata.density.map { ($0.horizontal * 100).rounded() / 100 } == 96.01, "3780 pixels a metre")
        #expect(metadata.thumbnail != nil)
        #expect(metadata.exif != nil)
        // A compressed text that is longer than the limit is passed over; the picture is not refused for it.
        var options = DecodeOptions()
        options.limits.maximumMetadataBytes = 2000
        let few = try CodecRegistry.builtIn.metadata(of: file, options: options)
        #expect(few.texts.map(\.keyword) == ["Author", "Title"])
    }

    @Test(.enabled(if: Tool.hasWebP)) func webp() throws {
        let file = try pillow("picture.save(out, 'webp', exif=exif(jpeg((16, 12), (1, 2, 3)))[6:], xmp=xmp)")
        let metadata = try CodecRegistry.builtIn.metadata(of: file)
        #expect(metadata.xmp == Data(Self.xmp.utf8))
        #expect(metadata.density == ImageMetadata.Density(horizontal: 150 * 2.54, vertical: 72 * 2.54))
        #expect(metadata.thumbnail != nil)
    }

    /// The thumbnail comes first, turned as the picture is and as large; the rows are laid over it.
    @Test(arguments: [1, 6]) func thumbnailIsThePreview(orientation: Int) throws {
        let file = try pillow(
            """
            picture = Image.effect_noise((640, 480), 90).convert('RGB')
            picture.save(out, 'jpeg', exif=exif(jpeg((16, 12), (0, 0, 255)), \(orientation)))
            """
        )
        let decoder = JPEGDecoder(options: DecodeOptions())
        decoder.append(file.prefix(2000), isLast: false)
        guard case .done(let info) = try decoder.readInfo() else { return #expect(Bool(false)) }
        var canvas = try PreviewTests.dirtyCanvas(info.outputLayout)
        guard case .done = try decoder.decodePreview(into: &canvas) else { return #expect(Bool(false), "thumbnail") }
        let first = canvas.withUnsafeBytes { Array($0) }
        #expect(first.count == 640 * 480 * 4)
        #expect(stride(from: 0, to: first.count, by: 4).allSatisfy { first[$0] < 5 && first[$0 + 2] > 250 })

        decoder.append(file.dropFirst(2000).prefix(file.count / 2), isLast: false)
        guard case .done = try decoder.decodePreview(into: &canvas) else { return #expect(Bool(false), "rows") }
        let whole = try Decoding(file).pixels
        let second = Pixels(width: whole.width, height: whole.height, bytes: canvas.withUnsafeBytes { Array($0) })
        let same = (0..<whole.bytes.count / 4).filter { second.bytes[$0 * 4] == whole.bytes[$0 * 4] }.count
        #expect((whole.bytes.count / 12..<whole.bytes.count / 4).contains(same), "a good part, and not all")
        #expect(stride(from: 3, to: second.bytes.count, by: 4).allSatisfy { second.bytes[$0] == 255 })

        decoder.append(file.dropFirst(2000).dropFirst(file.count / 2), isLast: true)
        guard case .done(let frame) = try decoder.decodeFrame(into: &canvas) else { return #expect(Bool(false)) }
        #expect(Pixels(canvas.freeze(alpha: frame.alpha)) == whole)
    }
}
