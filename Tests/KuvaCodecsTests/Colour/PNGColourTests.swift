import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// What the chunks of a PNG say about its colours, with files of one pixel a colour, made by Pillow.
@Suite("PNG colour", .enabled(if: Tool.python != nil))
struct PNGColourTests {
    /// The colours of the samples, in one row.
    private static let colours: [[UInt8]] = [
        [0, 0, 0], [255, 255, 255], [128, 128, 128], [255, 0, 0], [30, 200, 90],
    ]

    /// A file of those with chunks between its header and its data.
    private func file(_ chunks: [(String, [UInt8])]) throws -> Data {
        let script = """
            import sys, zlib, struct, json
            def chunk(t, b): return struct.pack('>I', len(b)) + t + b + struct.pack('>I', zlib.crc32(t + b))
            out = b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 5, 1, 8, 2, 0, 0, 0))
            for t, b in json.loads(sys.argv[1]): out += chunk(t.encode(), bytes(b))
            row = bytes(json.loads(sys.argv[2]))
            sys.stdout.buffer.write(out + chunk(b'IDAT', zlib.compress(b'\\0' + row)) + chunk(b'IEND', b''))
            """
        let list = chunks.map { "[\"\($0.0)\",\($0.1)]" }.joined(separator: ",")
        return try Tool.run(
            try #require(Tool.python),
            "-c",
            script,
            "[\(list)]",
            "\(Self.colours.flatMap { $0 })"
        )
    }

    private func decode(_ chunks: (String, [UInt8])...) throws -> (colours: [[UInt8]], space: ColorSpace) {
        let pixels = try CodecRegistry.builtIn.decode(file(chunks)).image.pixels
        let picture = Pixels(pixels)
        return ((0..<5).map { Array(picture[$0, 0].prefix(3)) }, pixels.layout.colorSpace)
    }

    private func big(_ values: UInt32...) -> [UInt8] {
        values.flatMap { [UInt8($0 >> 24), UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
    }

    private func isNear(_ a: [[UInt8]], _ b: [[UInt8]]) -> Bool {
        zip(a.joined(), b.joined()).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
    }

    /// sRGB's curve from light to a level, IEC 61966-2-1.
    private func level(_ light: Double) -> UInt8 {
        let light = min(1, max(0, light))
        return UInt8((255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)).rounded())
    }

    @Test func whatMeansSRGBChangesNothing() throws {
        let usual = big(31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
        for chunks in [
            [], [("sRGB", [0])], [("gAMA", big(45455))], [("gAMA", big(45455)), ("cHRM", usual)], [("cHRM", usual)],
            [("cICP", [1, 13, 0, 1])], [("cICP", [1, 1, 0, 1])], [("cICP", [1, 13, 0, 1]), ("gAMA", big(100_000))],
            [("sRGB", [0]), ("gAMA", big(100_000))],
            // What breaks the rules is as good as nothing.
            [("gAMA", big(0))], [("cHRM", big(0, 0, 0, 0, 0, 0, 0, 0))], [("gAMA", [1])],
        ] {
            let pixels = try CodecRegistry.builtIn.decode(file(chunks)).image.pixels
            #expect(
                Array(Pixels(pixels).bytes.enumerated().filter { $0.offset % 4 < 3 }.map(\.element))
                    == Self.colours.flatMap { $0 },
                "\(chunks)"
            )
            #expect(pixels.layout.colorSpace == .sRGB)
        }
    }

    /// A gamma of 1 says that the numbers are light itself.
    @Test func gammaIsApplied() throws {
        for linear in [try decode(("gAMA", big(100_000))), try decode(("cICP", [1, 8, 0, 1]))] {
            let expected = Self.colours.map { $0.map { level(Double($0) / 255) } }
            #expect(isNear(linear.colours, expected), "\(linear.colours)")
            #expect(linear.space == .sRGB)
        }
        let dark = try decode(("gAMA", big(35_000)))
        #expect(isNear(dark.colours, Self.colours.map { $0.map { level(pow(Double($0) / 255, 1 / 0.35)) } }))
    }

    /// Display P3 by its numbers: CSS Color 4's sample code has this matrix from its light to that of sRGB.
    @Test func primariesAreApplied() throws {
        let expected = Self.colours.map { colour -> [UInt8] in
            let light = colour.map { value -> Double in
                let x = Double(value) / 255
                return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
            }
            let matrix = [
                [1.2249401762805598, -0.22494017628055996, 0], [-0.042056954709688163, 1.0420569547096881, 0],
                [-0.019637554590334432, -0.078636045550631889, 1.0982736001409663],
            ]
            return matrix.map { row in level(zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }) }
        }
        let p3 = big(31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)
        for chunks in [[("cICP", [12, 13, 0, 1] as [UInt8])], [("cHRM", p3), ("gAMA", big(45455))], [("cHRM", p3)]] {
            let decoded = try CodecRegistry.builtIn.decode(file(chunks)).image.pixels
            let colours = (0..<5).map { Array(Pixels(decoded)[$0, 0].prefix(3)) }
            #expect(isNear(colours, expected), "\(colours) \(expected)")
        }
    }

    /// Said, but not understood: the curve of digital cinema, a matrix that PNG does not allow, a profile that is none.
    @Test func truthIsToldAboutOthers() throws {
        for chunk in [("cICP", [9, 17, 0, 1] as [UInt8]), ("cICP", [1, 13, 1, 1]), ("cICP", [99, 13, 0, 1])] {
            let decoded = try decode(chunk)
            #expect(decoded.colours == Self.colours)
            #expect(decoded.space == .unconverted)
        }
    }

    @Test func storedPixelsAreNotConverted() throws {
        let options = DecodeOptions(pixels: .stored)
        let file = try file([("gAMA", big(100_000))])
        let pixels = try CodecRegistry.builtIn.decode(file, options: options).image.pixels
        #expect((0..<5).map { Array(Pixels(pixels)[$0, 0].prefix(3)) } == Self.colours)
        #expect(pixels.layout.colorSpace == .unconverted)
    }
}
