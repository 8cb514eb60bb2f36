import Foundation
import KuvaCore
import Testing

@Suite("BlurHash")
struct BlurHashTests {
    /// Published by its authors, as the example of their README.
    static let published = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    private static let python = Python(running: "import blurhash; blurhash.encode; blurhash.decode")

    /// Smooth enough to be a picture, and opaque.
    private func picture(_ width: Int, _ height: Int) -> Picture {
        Picture(width, height) { x, y in
            let (red, green): (Int, Int) = (x * 255 / width, y * y * 255 / (height * height))
            let tile: Int = x * 7 / width + y * 5 / height
            return [UInt8(red), UInt8(green), UInt8(tile % 4 * 60), 255]
        }
    }

    /// Columns, rows, width and height, and RGBA. Answers with the text.
    private static let encodeScript = """
        import struct, sys, blurhash
        data = open(sys.argv[1], "rb").read()
        columns, rows, w, h = struct.unpack_from("<4I", data)
        at = lambda x, y: list(data[16 + (y * w + x) * 4:][:3])
        text = blurhash.encode([[at(x, y) for x in range(w)] for y in range(h)], columns, rows)
        open(sys.argv[2], "w").write(text)
        """

    @Test(
        .enabled(if: python != nil),
        arguments: [(4, 3, 32, 20), (1, 1, 5, 5), (9, 9, 30, 30), (2, 7, 1, 1), (9, 1, 17, 3), (4, 4, 100, 60)]
    )
    func encodesAsTheReferencePort(_ columns: Int, _ rows: Int, _ width: Int, _ height: Int) throws {
        let picture = picture(width, height)
        var input = Data()
        for number in [columns, rows, width, height] {
            withUnsafeBytes(of: UInt32(number).littleEndian) { input.append(contentsOf: $0) }
        }
        input.append(contentsOf: picture.bytes)
        let oracle = try #require(try Self.python?.run(Self.encodeScript, input: input))
        let text = try BlurHash.encode(picture.image(), columns: columns, rows: rows)
        #expect(text == String(decoding: oracle, as: UTF8.self))
    }

    /// Width, height, punch in thousandths, and the text. Answers with RGB.
    private static let decodeScript = """
        import struct, sys, blurhash
        data = open(sys.argv[1], "rb").read()
        w, h, punch = struct.unpack_from("<3I", data)
        picture = blurhash.decode(data[12:].decode(), w, h, punch / 1000)
        open(sys.argv[2], "wb").write(bytes(c for row in picture for pixel in row for c in pixel))
        """

    @Test(.enabled(if: python != nil), arguments: [(32, 32, 1000), (1, 1, 1000), (7, 50, 1500), (20, 3, 300)])
    func decodesAsTheReferencePort(_ width: Int, _ height: Int, _ punch: Int) throws {
        for text in [Self.published, "LGF5]+Yk^6#M@-5c,1J5@[or[Q6.", "00OgfU", "L6Pj0^jE.AyE_3t7t7R**0o#DgR4"] {
            var input = Data()
            for number in [width, height, punch] {
                withUnsafeBytes(of: UInt32(number).littleEndian) { input.append(contentsOf: $0) }
            }
            input.append(contentsOf: text.utf8)
            let oracle = try #require(try Self.python?.run(Self.decodeScript, input: input))
            let size = PixelSize(width: width, height: height)
            let image = try BlurHash.decode(text, size: size, punch: Double(punch) / 1000)
            let colours = image.colors(in: PixelRect(x: 0, y: 0, width: width, height: height))
            #expect(colours.flatMap { [$0.red, $0.green, $0.blue] } == Array(oracle))
            #expect(image.pixels.layout.alpha == .opaque)
        }
    }

    @Test func oneColourIsItsAverage() throws {
        // One coefficient: a size of 0, a maximum of 0, and four digits of colour.
        for color in [Color(rgb: 0xFF_FFFF), Color(rgb: 0), Color(rgb: 0x12_AB_F0)] {
            let picture = Picture(4, 4, of: [color.red, color.green, color.blue, 255])
            let text = try BlurHash.encode(picture.image(), columns: 1, rows: 1)
            #expect(text.utf8.count == 6 && text.hasPrefix("00"))
            #expect(try BlurHash.averageColor(of: text) == color)
            #expect(try Picture(BlurHash.decode(text, size: picture.size)) == picture)
        }
    }

    @Test func transparentPartsAreOverWhite() throws {
        let clear = try BlurHash.encode(Picture(4, 4, of: [0, 0, 0, 0]).image())
        #expect(try clear == BlurHash.encode(Picture(4, 4, of: [255, 255, 255, 255]).image()))
    }

    @Test func aLargePictureIsNearItsSmallOne() throws {
        let (large, small) = (try picture(400, 300).image(), try picture(100, 75).image())
        let size = PixelSize(width: 16, height: 12)
        let decoded = try [large, small].map { try Picture(BlurHash.decode(BlurHash.encode($0), size: size)) }
        #expect(decoded[0].distance(to: decoded[1]) <= 24)
    }

    @Test func malformedTextsThrow() throws {
        func expectError(_ code: ImageError.Code, _ text: String) {
            #expect {
                try BlurHash.decode(text, size: PixelSize(width: 4, height: 4))
            } throws: { ($0 as? ImageError)?.code == code }
        }
        for length in 0..<Self.published.utf8.count {
            expectError(.truncatedImage, String(Self.published.prefix(length)))
        }
        expectError(.corruptImage, Self.published + "0")
        expectError(.corruptImage, "LEHV6nWB2yk8pyo0adR*.7kCMdn\"")
        expectError(.corruptImage, "LEHV6nWB2yk8pyo0adR*.7kCMdné")
        // Ten rows; an average above 0xFFFFFF; a coefficient above 18 · 361 + 18 · 19 + 18.
        expectError(.corruptImage, "~0" + String(repeating: "0", count: 300))
        expectError(.corruptImage, "00~~~~")
        expectError(.corruptImage, "100000~~")
        for size in [PixelSize(width: 0, height: 4), PixelSize(width: .max, height: .max)] {
            #expect {
                try BlurHash.decode(Self.published, size: size)
            } throws: { ($0 as? ImageError)?.code == .limitExceeded }
        }
        for punch in [Double.nan, .infinity, 1e300, -1e300] {
            _ = try BlurHash.decode(Self.published, size: PixelSize(width: 4, height: 4), punch: punch)
        }
    }
}
