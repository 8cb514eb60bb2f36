import Foundation
import KuvaCore
import KuvaTesting
import Testing

@Suite("ThumbHash")
struct ThumbHashTests {
    private static let python = Python(
        running: "from thumbhash.encode import rgba_to_thumbhash; from thumbhash.decode import thumbhash_to_rgba"
    )

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    /// The hashes of the author's example pictures, with the averages and proportions that his Rust code gives, as
    /// published with the tests of jzebedee/ThumbHash.
    private static let flower = bytes("934A062D069256C374055867DA8AB6679490510719")
    private static let tux = bytes("A1198A1C02383A25D727F68B971FF7F9717F80376758987906")

    @Test func publishedHashesHaveTheirAveragesAndProportions() throws {
        let cases: [([UInt8], [Double], Double)] = [
            (Self.flower, [0.484127015, 0.341269821, 0.0793650597, 1], 0.714285731),
            (Self.tux, [0.616402208, 0.568783104, 0.386243373, 0.533333361], 0.800000011),
        ]
        for (hash, average, ratio) in cases {
            let color = try ThumbHash.averageColor(of: hash)
            for (byte, exact) in zip([color.red, color.green, color.blue, color.alpha], average) {
                #expect(abs(Double(byte) - exact * 255) <= 1)
            }
            #expect(abs(try ThumbHash.aspectRatio(of: hash) - ratio) < 1e-6)
        }
        // Seven waves across and, of 100 by 14 pixels, one down.
        let flat = try ThumbHash.encode(Picture(random: 100, 14, isOpaque: true).image())
        #expect(try ThumbHash.aspectRatio(of: flat) == 7)
        #expect(try ThumbHash.decode(Self.flower).pixelSize == PixelSize(width: 23, height: 32))
        #expect(try ThumbHash.decode(Self.tux).pixelSize == PixelSize(width: 26, height: 32))
    }

    /// Width and height, and straight RGBA. Answers with the bytes.
    private static let encodeScript = """
        import struct, sys
        from thumbhash.encode import rgba_to_thumbhash
        data = open(sys.argv[1], "rb").read()
        w, h = struct.unpack_from("<2I", data)
        open(sys.argv[2], "wb").write(bytes(rgba_to_thumbhash(w, h, list(data[8:]))))
        """

    @Test(
        .enabled(if: python != nil),
        arguments: ["32x20", "20x32", "1x1", "1x100", "100x3", "61x61"],
        [true, false]
    )
    func encodesAsThePortOfTheReference(_ size: String, _ isOpaque: Bool) throws {
        let sides = size.split(separator: "x").compactMap { Int($0) }
        let (width, height) = (sides[0], sides[1])
        let picture = Picture(random: width, height, isOpaque: isOpaque)
        var input = Data()
        for number in [width, height] {
            withUnsafeBytes(of: UInt32(number).littleEndian) { input.append(contentsOf: $0) }
        }
        input.append(contentsOf: picture.bytes)
        let oracle = Array(try #require(try Self.python?.run(Self.encodeScript, input: input)))
        let hash = Array(try ThumbHash.encode(picture.image(alpha: .straight)))
        #expect(hash.count == oracle.count)
        let nibbles = [hash, oracle].map { $0.dropFirst(5).flatMap { [Int($0 & 15), Int($0 >> 4)] } }
        if isOpaque {
            #expect(Array(hash[..<5]) == Array(oracle[..<5]))
        } else {
            // Colours are premultiplied and rounded before, which may move a number by a step.
            #expect(try ThumbHash.aspectRatio(of: hash) == ThumbHash.aspectRatio(of: oracle))
        }
        // Python rounds halves to even, the reference up.
        for (a, b) in zip(nibbles[0], nibbles[1]) { #expect(abs(a - b) <= 1) }
        // A side of one pixel has waves whose strength is zero, in the middle between two numbers.
        if min(width, height) > 1 { #expect(zip(nibbles[0], nibbles[1]).count { $0 != $1 } <= (isOpaque ? 1 : 6)) }
    }

    /// The bytes. Answers with width and height, and straight RGBA.
    private static let decodeScript = """
        import struct, sys
        from thumbhash.decode import thumbhash_to_rgba
        w, h, rgba = thumbhash_to_rgba(open(sys.argv[1], "rb").read())
        open(sys.argv[2], "wb").write(struct.pack("<2I", w, h) + bytes(rgba))
        """

    @Test(.enabled(if: python != nil))
    func decodesAsThePortOfTheReference() throws {
        var generator = SeededGenerator(seed: 2)
        var hashes = [
            Self.flower, Self.tux, try #require(Data(base64Encoded: "1QcSHQRnh493V4dIh4eXh1h4kJUI")).map { $0 },
        ]
        for shape in [0x03, 0x07, 0x84, 0x87] {
            for alpha in [0, 0x80] {
                var hash = (0..<30).map { _ in UInt8.random(in: 0...255, using: &generator) }
                hash[2] = hash[2] & 0x7F | UInt8(alpha)
                hash[3] = hash[3] & 0xF8 | UInt8(shape & 7)
                hash[4] = hash[4] & 0x7F | UInt8(shape & 0x80)
                hashes.append(hash)
            }
        }
        for hash in hashes {
            let output = Array(try #require(try Self.python?.run(Self.decodeScript, input: Data(hash))))
            let image = try ThumbHash.decode(hash)
            #expect(image.pixelSize == PixelSize(width: Int(output[0]), height: Int(output[4])))
            let oracle = Picture(width: Int(output[0]), height: Int(output[4]), bytes: Array(output[8...]))
            // The port rounds where the reference cuts.
            #expect(Picture(image).distance(to: oracle.premultiplied) <= 2)
        }
    }

    @Test func theSizeIsTheCallersOrOfTheProportions() throws {
        #expect(try ThumbHash.decode(Self.flower, size: PixelSize(width: 5, height: 3)).pixelSize.description == "5x3")
        let small = try ThumbHash.decode(Self.flower, size: PixelSize(width: 1, height: 1))
        #expect(small.pixels.layout.alpha == .opaque)
        #expect(try ThumbHash.decode(Self.tux).pixels.layout.alpha == .premultiplied)
        for size in [PixelSize(width: 0, height: 4), PixelSize(width: .max, height: .max)] {
            #expect {
                try ThumbHash.decode(Self.flower, size: size)
            } throws: { ($0 as? ImageError)?.code == .limitExceeded }
        }
    }

    @Test func everyCutThrowsAndNoBytesTrap() throws {
        for hash in [Self.flower, Self.tux] {
            for length in 0..<hash.count {
                #expect {
                    try ThumbHash.decode(hash[..<length])
                } throws: { ($0 as? ImageError)?.code == .truncatedImage }
            }
            #expect(try Picture(ThumbHash.decode(hash + [1, 2])) == Picture(ThumbHash.decode(hash)))
        }
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<200 {
            let hash = (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let image = try ThumbHash.decode(hash, size: PixelSize(width: 3, height: 2))
            #expect(Picture(image) == Picture(image).clamped)
            #expect(try ThumbHash.aspectRatio(of: hash) > 0)
            _ = try ThumbHash.averageColor(of: hash)
        }
    }
}
