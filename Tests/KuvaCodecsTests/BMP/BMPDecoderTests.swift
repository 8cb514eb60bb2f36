import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("BMP decoder")
struct BMPDecoderTests {
    /// Greys whose number is their value, so that a pixel's red says its index.
    private let greys = (0..<256).map { [UInt8($0), UInt8($0), UInt8($0)] }

    private func indices(_ data: Data) throws -> [[UInt8]] {
        let pixels = try Decoding(data).pixels
        return (0..<pixels.height).map { y in (0..<pixels.width).map { pixels[$0, y][0] } }
    }

    /// The example of run-length compression with 8 bits in Microsoft's "Bitmap Compression".
    @Test func runLengthsOf8Bits() throws {
        let data: [UInt8] = [
            0x03, 0x04, 0x05, 0x06, 0x00, 0x03, 0x45, 0x56, 0x67, 0x00, 0x02, 0x78, 0x00, 0x02, 0x05, 0x01, 0x02, 0x78,
            0x00, 0x00, 0x09, 0x1E, 0x00, 0x01,
        ]
        let file = BMPBytes.file(width: 20, height: 3, bits: 8, compression: 1, palette: greys, data: data)
        // The first row in the file is the bottom one. The step of 5 right and 1 up goes on from column 13.
        let first: [UInt8] = [4, 4, 4, 6, 6, 6, 6, 6, 0x45, 0x56, 0x67, 0x78, 0x78] + [UInt8](repeating: 0, count: 7)
        let second = [UInt8](repeating: 0, count: 18) + [0x78, 0x78]
        let third = [UInt8](repeating: 0x1E, count: 9) + [UInt8](repeating: 0, count: 11)
        #expect(try indices(file) == [third, second, first])
    }

    /// The example with 4 bits of the same page.
    @Test func runLengthsOf4Bits() throws {
        let data: [UInt8] = [
            0x03, 0x04, 0x05, 0x06, 0x00, 0x06, 0x45, 0x56, 0x67, 0x00, 0x04, 0x78, 0x00, 0x02, 0x05, 0x01, 0x04, 0x78,
            0x00, 0x00, 0x09, 0x1E, 0x00, 0x01,
        ]
        let palette = Array(greys.prefix(16))
        let file = BMPBytes.file(width: 27, height: 3, bits: 4, compression: 2, palette: palette, data: data)
        let first: [UInt8] = [0, 4, 0, 0, 6, 0, 6, 0, 4, 5, 5, 6, 6, 7, 7, 8, 7, 8] + [UInt8](repeating: 0, count: 9)
        let second = [UInt8](repeating: 0, count: 23) + [7, 8, 7, 8]
        let third: [UInt8] = [1, 14, 1, 14, 1, 14, 1, 14, 1] + [UInt8](repeating: 0, count: 18)
        #expect(try indices(file) == [third, second, first])
    }

    /// 5-6-5 masks by hand: full, empty and middle values widened by repeating their bits.
    @Test func masks() throws {
        let pixels: [UInt16] = [0xFFFF, 0, 0b10000_000000_00001, 0b00000_100000_00000]
        let data = pixels.flatMap { LittleEndian.words(Int($0)) }
        let file = BMPBytes.file(
            width: 4,
            height: -1,
            bits: 16,
            compression: 3,
            masks: [0xF800, 0x7E0, 0x1F],
            data: data
        )
        let decoded = try Decoding(file)
        #expect(
            decoded.pixels.bytes == [255, 255, 255, 255, 0, 0, 0, 255, 132, 0, 8, 255, 0, 130, 0, 255]
        )
        #expect(!decoded.info.hasAlpha)
    }

    /// Rows of 24 bits are padded to 4 bytes and start at the bottom unless the height is negative.
    @Test(arguments: [false, true]) func rowOrderAndPadding(isTopDown: Bool) throws {
        let red: [UInt8] = [0, 0, 255, 0]
        let blue: [UInt8] = [255, 0, 0, 0]
        let file = BMPBytes.file(width: 1, height: isTopDown ? -2 : 2, bits: 24, data: red + blue)
        let bytes = try Decoding(file).pixels.bytes
        let (first, second): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 0, 255, 255])
        #expect(bytes == (isTopDown ? first + second : second + first))
    }

    @Test func indexBeyondThePaletteIsBlack() throws {
        let file = BMPBytes.file(width: 2, height: 1, bits: 8, palette: [[9, 8, 7]], data: [0, 200, 0, 0])
        #expect(try Decoding(file).pixels.bytes == [9, 8, 7, 255, 0, 0, 0, 255])
    }

    @Test func cutOffGivesTheRowsThatCame() throws {
        let rows = (0..<4).flatMap { row in [UInt8](repeating: UInt8(row + 1), count: 12) }
        let file = BMPBytes.file(width: 4, height: 4, bits: 24, data: rows)
        let decoded = try Decoding(file.prefix(file.count - 13))
        // The two rows that came are the lowest.
        #expect(decoded.frame.damage?.code == .truncatedImage)
        #expect(decoded.pixels.rows(0..<2).allSatisfy { $0 == 0 })
        #expect(decoded.pixels[0, 2] == [2, 2, 2, 255])
        #expect(decoded.pixels[0, 3] == [1, 1, 1, 255])
        #expect { _ = try Decoding(file.prefix(60)) } throws: { ($0 as? ImageError)?.code == .truncatedImage }
    }

    @Test func piecesGiveTheSame() throws {
        let data: [UInt8] = [3, 4, 0, 3, 1, 2, 3, 0, 0, 0, 5, 9, 0, 2, 1, 1, 1, 7, 0, 1]
        let file = BMPBytes.file(width: 8, height: 5, bits: 8, compression: 1, palette: greys, data: data)
        let whole = try Decoding(file)
        for size in [1, 3, 50] {
            let part = try Decoding(file, pieceSize: size)
            #expect(part.pixels.difference(from: whole.pixels) == 0)
            #expect(part.waits > 0)
        }
    }

    @Test func sizesAreCheckedBeforeMemoryIsTaken() throws {
        func code(_ width: Int, _ height: Int) -> ImageError.Code? {
            let file = BMPBytes.file(width: width, height: height, bits: 32, data: [])
            do throws(ImageError) {
                _ = try CodecRegistry.builtIn.info(of: file)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(60_000, 60_000) == .limitExceeded)
        #expect(code(65_536, 1) == .limitExceeded)
        #expect(code(1, Int(Int32.min)) == .limitExceeded)
        #expect(code(0, 5) == .corruptImage)
        #expect(code(-3, 5) == .corruptImage)
        #expect(code(100, 100) == nil, "the header is enough")
    }

    @Test(.enabled(if: Tool.isPresent("convert") && Tool.python != nil), arguments: ["BMP2", "BMP3", "BMP"])
    func asImageMagickWritesIt(version: String) throws {
        for options in [
            ["-type", "TrueColor"], ["-type", "Palette", "-colors", "200"], ["-type", "Palette", "-colors", "13"],
            ["-type", "Bilevel"], ["-type", "Grayscale"], ["-type", "Palette", "-colors", "40", "-compress", "RLE"],
            ["-define", "bmp:subtype=RGB555"], ["-define", "bmp:subtype=RGB565"],
        ] {
            let ppm = Pixels.sample(width: 53, height: 20).ppm
            let file = try Tool.run("convert", options: ["ppm:@in"] + options + ["\(version):@out"], input: ppm)
            let reference = try Reference.imageMagick(file, "bmp")
            #expect(try Decoding(file).pixels.difference(from: reference) == 0, "\(options)")
        }
    }

    @Test func alphaOfAMaskIsMultiplied() throws {
        // Blue, green, red and alpha of half and of full cover: 200 × 128 / 255 = 100.4.
        let file = BMPBytes.file(
            width: 3,
            height: -1,
            bits: 32,
            compression: 3,
            masks: [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000],
            data: [10, 100, 200, 128, 10, 100, 200, 255, 10, 100, 200, 0]
        )
        let decoded = try Decoding(file)
        #expect(decoded.pixels.bytes == [100, 50, 5, 128, 200, 100, 10, 255, 0, 0, 0, 0])
        #expect(decoded.frame.alpha == .premultiplied)
        #expect(decoded.info.hasAlpha)
    }
}
