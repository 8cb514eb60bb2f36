import Foundation
import KuvaCore
import Testing

/// Files that cjpeg or Pillow makes, held against djpeg's pixels or Pillow's conversion.
@Suite("JPEG fixtures", .enabled(if: Tool.hasJPEG))
struct JPEGFixtureTests {
    static func jpeg(_ pixels: Pixels, _ options: String...) throws -> Data {
        try Tool.run("cjpeg", options: options + ["-outfile", "@out", "@in"], input: pixels.ppm)
    }

    static func reference(_ jpeg: Data, _ options: String...) throws -> Pixels? {
        Pixels(pnm: try Tool.run("djpeg", options: options + ["-pnm", "-outfile", "@out", "@in"], input: jpeg))
    }

    static let samplings = [
        "1x1": "4:4:4", "2x1": "4:2:2", "2x2": "4:2:0", "1x2": "4:4:0", "4x1": "4:1:1", "4x2": "4:1:0",
    ]

    @Test(
        arguments: samplings,
        [[], ["-progressive"], ["-restart", "1"], ["-arithmetic"], ["-progressive", "-arithmetic"]]
    )
    func samplingsAndProcesses(sampling: (key: String, value: String), process: [String]) throws {
        let options = ["-quality", "85", "-sample", sampling.key] + process
        let file = try Tool.run(
            "cjpeg",
            options: options + ["-outfile", "@out", "@in"],
            input: Pixels.sample(width: 67, height: 45).ppm
        )
        let decoded = try Decoding(file)
        #expect(decoded.pixels == (try Self.reference(file)))
        #expect(decoded.frame.damage == nil)
        let process = process.contains("-progressive") ? ", progressive" : ""
        #expect(decoded.info.pixelDescription == "YCbCr \(sampling.value)\(process)")
    }

    @Test func greyBecomesThreeEqualChannels() throws {
        let file = try Self.jpeg(.sample(width: 50, height: 33, isGrey: true), "-grayscale")
        let decoded = try Decoding(file)
        #expect(decoded.pixels == (try Self.reference(file)))
        #expect(decoded.info.pixelDescription == "grey")
    }

    @Test func rgbIsNotTakenForYCbCr() throws {
        let file = try Self.jpeg(.sample(width: 50, height: 33), "-rgb")
        let decoded = try Decoding(file)
        #expect(decoded.pixels == (try Self.reference(file)))
        #expect(decoded.info.pixelDescription == "RGB")
    }

    @Test(.enabled(if: Tool.python != nil)) func cmykIsInvertedOnlyWithAdobesMarker() throws {
        let script = """
            import sys; from PIL import Image
            i = Image.frombytes('CMYK', (16, 8), bytes((x * 7 + c * 40) % 256 for x in range(128) for c in range(4)))
            i.save(sys.argv[1], 'JPEG', quality=100, subsampling=0)
            """
        let file = try Tool.run(Tool.python!, "-c", script, "@out")
        let convert = """
            import sys; from PIL import Image
            sys.stdout.buffer.write(Image.open(sys.argv[1]).convert('RGBA').tobytes())
            """
        let reference = try Tool.run(Tool.python!, "-c", convert, "@in", input: file)
        #expect(try Decoding(file).pixels.bytes == Array(reference))

        // Without the marker the same samples mean the opposite amount of ink.
        let samples = """
            import sys; from PIL import Image
            i = Image.open(sys.argv[1]); i.load()
            sys.stdout.buffer.write(bytes(255 - b for b in i.tobytes()))
            """
        let inverted = try Tool.run(Tool.python!, "-c", samples, "@in", input: file)
        let marker = try #require(file.range(of: Data([0xFF, 0xEE, 0x00, 0x0E] + Array("Adobe".utf8))))
        var plain = file
        plain.removeSubrange(marker.lowerBound..<marker.lowerBound + 16)
        let decoded = try Decoding(plain)
        #expect(decoded.info.pixelDescription == "CMYK")
        for pixel in 0..<128 {
            let black = 255 - Int(inverted[pixel * 4 + 3])
            let expected = (0..<3).map { (c: Int) -> UInt8 in
                UInt8((Double((255 - Int(inverted[pixel * 4 + c])) * black) / 255).rounded())
            }
            #expect(Array(decoded.pixels.bytes[pixel * 4..<pixel * 4 + 3]) == expected)
        }
    }

    @Test(arguments: 1...8) func orientationIsBakedIn(value: Int) throws {
        let orientation = try #require(Orientation(rawValue: value))
        let upright = Pixels.sample(width: 40, height: 24)
        var file = try Self.jpeg(upright.stored(as: orientation), "-quality", "95", "-sample", "1x1")
        let block: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(value), 0, 0, 0]
        let segment = [0xFF, 0xE1, 0, UInt8(block.count + 8)] + Array("Exif\0\0".utf8) + block
        // After JFIF's own segment, where cameras and editors put it: both are there, and it is turned once.
        file.insert(contentsOf: segment, at: 20)
        let decoded = try Decoding(file)
        #expect(decoded.info.orientation == orientation)
        #expect((decoded.pixels.width, decoded.pixels.height) == (40, 24))
        #expect(decoded.pixels.stored(as: orientation) == (try Self.reference(file)))
        let errors = zip(decoded.pixels.bytes, upright.bytes).map { abs(Int($0) - Int($1)) }
        #expect(errors.reduce(0, +) < errors.count * 8, "it looks like the picture it was made from")
    }

    @Test(arguments: [(2, "1/2"), (4, "1/4"), (8, "1/8")], [[], ["-progressive"]])
    func targetSizeDecodesLess(scale: (Int, String), process: [String]) throws {
        let file = try Tool.run(
            "cjpeg",
            options: process + ["-outfile", "@out", "@in"],
            input: Pixels.sample(width: 203, height: 101).ppm
        )
        let size = PixelSize(width: (203 + scale.0 - 1) / scale.0, height: (101 + scale.0 - 1) / scale.0)
        let options = DecodeOptions(targetSize: TargetSize(size, mode: .exact))
        #expect(try Decoding(file, options: options).pixels == (try Self.reference(file, "-scale", scale.1)))
    }
}
