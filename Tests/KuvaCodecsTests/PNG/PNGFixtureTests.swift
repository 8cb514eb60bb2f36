import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("PNG of every kind", .enabled(if: Tool.python != nil))
struct PNGFixtureTests {
    /// 15 kinds of pixels, two ways to interlace, six to filter, three sizes, with and without transparency.
    @Test func allAreThere() { #expect(PNGFixture.all.count == (4 * 2 + 11 * 4) / 2 * 36) }

    @Test(arguments: PNGFixture.all) func everyByteIsThatOfTheSamples(fixture: PNGFixture) throws {
        let decoding = try Decoding(fixture.file)
        let isEqual = decoding.pixels == fixture.pixels.premultiplied
        #expect(isEqual)
        #expect(decoding.frame.damage == nil)
        #expect(decoding.frame.alpha == (fixture.pixels.isOpaque ? .opaque : .premultiplied))
    }

    /// Rows go through a strip, and interlaced ones through a frame, when the picture is turned: here by an eXIf chunk
    /// that says "upside down", put in front of the image data.
    @Test(arguments: PNGFixture.all.filter { $0.name.contains("mixed, 21x13") })
    func turned(fixture: PNGFixture) throws {
        var file = fixture.file
        // One entry: tag 0x0112, a SHORT, one of it, 3 (TIFF 6.0, section 2).
        let exif: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0,
        ]
        file.insert(contentsOf: PNGChunk.bytes("eXIf", exif), at: 33)
        let decoding = try Decoding(file)
        #expect(decoding.info.orientation == .down)
        let isEqual = decoding.pixels.stored(as: .down) == fixture.pixels.premultiplied
        #expect(isEqual)
    }

    /// A picture of one colour stays that colour in any size, whatever the path of its rows.
    @Test(arguments: PNGFixture.all.filter { $0.name.contains("filter 0, 1x1") })
    func enlarged(fixture: PNGFixture) throws {
        let target = TargetSize(PixelSize(width: 6, height: 4), mode: .exact, allowsUpscaling: true)
        let decoding = try Decoding(fixture.file, options: DecodeOptions(targetSize: target))
        let pixel = fixture.pixels.premultiplied.bytes
        #expect(decoding.pixels.bytes == Array(repeatElement(pixel, count: 24).joined()))
    }
}

/// Chunks made by hand, with the CRC of a bit-by-bit implementation (PNG third edition, annex D).
enum PNGChunk {
    static func bytes(_ type: String, _ body: [UInt8], isIntact: Bool = true) -> [UInt8] {
        let covered = Array(type.utf8) + body
        let sum = crc(covered) ^ (isIntact ? 0 : 1)
        return big(UInt32(body.count)) + covered + big(sum)
    }

    static func big(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return ~sum
    }

    static func header(_ width: Int, _ height: Int, depth: UInt8 = 8, colour: UInt8 = 0, interlaced: UInt8 = 0)
        -> [UInt8]
    {
        bytes("IHDR", big(UInt32(width)) + big(UInt32(height)) + [depth, colour, 0, 0, interlaced])
    }

    /// A zlib stream of stored blocks (RFC 1950, RFC 1951 §3.2.4), without a compressor; the Adler sum is left wrong.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let (low, high) = (UInt8(truncatingIfNeeded: count), UInt8(count >> 8))
        return [0x78, 0x01, 1, low, high, ~low, ~high] + bytes + [0, 0, 0, 0]
    }

    static func file(_ chunks: [UInt8]...) -> Data {
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunks.joined())
    }
}
