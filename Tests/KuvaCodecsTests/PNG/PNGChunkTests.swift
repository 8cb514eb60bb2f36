import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// Files drawn by hand, chunk by chunk.
@Suite("PNG chunks")
struct PNGChunkTests {
    private typealias C = PNGChunk

    /// Grey, two rows of two pixels: 1 2, 3 4.
    private static let data = C.bytes("IDAT", C.stored([0, 1, 2, 0, 3, 4]))
    private static let pixels: [UInt8] = [1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 255, 4, 4, 4, 255]
    private static let end = C.bytes("IEND", [])

    private func decode(_ file: Data, limits: DecodeLimits = DecodeLimits()) throws -> Decoding {
        try Decoding(file, options: DecodeOptions(limits: limits))
    }

    private func code(_ file: Data, limits: DecodeLimits = DecodeLimits()) -> ImageError.Code? {
        do {
            _ = try decode(file, limits: limits)
            return nil
        } catch {
            return (error as? ImageError)?.code
        }
    }

    @Test func smallest() throws {
        let decoding = try decode(C.file(C.header(2, 2), Self.data, Self.end))
        #expect(decoding.pixels.bytes == Self.pixels)
        #expect(decoding.frame.damage == nil)
        #expect(decoding.info.format == .png)
        #expect(decoding.info.frameCount == 1)
        #expect(decoding.info.loopCount == nil)
        #expect(decoding.info.outputLayout.alpha == .opaque)
    }

    @Test func endChunkMayBeMissingAndAnythingMayFollowIt() throws {
        for tail in [[], Self.end + [1, 2, 3], C.bytes("IEND", [], isIntact: false)] {
            let decoding = try decode(C.file(C.header(2, 2), Self.data, tail))
            #expect(decoding.pixels.bytes == Self.pixels)
            #expect(decoding.frame.damage == nil)
        }
    }

    @Test func unknownAncillaryChunksAreSkippedAndCriticalOnesAreNot() throws {
        let ancillary = C.bytes("quUX", [9, 9, 9], isIntact: false)
        #expect(try decode(C.file(C.header(2, 2), ancillary, Self.data, Self.end)).pixels.bytes == Self.pixels)
        #expect(code(C.file(C.header(2, 2), C.bytes("QUUX", [9]), Self.data, Self.end)) == .corruptImage)
        #expect(code(C.file(C.header(2, 2), C.header(2, 2), Self.data, Self.end)) == .corruptImage)
    }

    @Test func chunkTypesAreLettersAndLengthsHave31Bits() {
        var bad = C.bytes("abcd", [])
        bad[5] = 0
        #expect(code(C.file(C.header(2, 2), bad, Self.data)) == .corruptImage)
        var long = C.bytes("abcd", [])
        long[0] = 0x80
        #expect(code(C.file(C.header(2, 2), long, Self.data)) == .corruptImage)
    }

    @Test func headerMustComeFirstAndBeIntact() {
        #expect(code(C.file(Self.data, Self.end)) == .corruptImage)
        var broken = C.header(2, 2)
        broken[20] ^= 1
        #expect(code(C.file(broken, Self.data)) == .corruptImage)
        #expect(code(C.file(C.bytes("IHDR", [0, 0, 0, 2]), Self.data)) == .corruptImage)
        #expect(code(C.file(C.header(2, 2))) == .truncatedImage)
        #expect(code(C.file(C.header(2, 2), Self.end)) == .corruptImage)
    }

    /// Table 11.1 of the specification.
    @Test func depthsOfEachColourType() {
        let allowed: [UInt8: [UInt8]] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        let palette = C.bytes("PLTE", [1, 2, 3])
        for colour: UInt8 in 0...7 {
            for depth: UInt8 in 0...17 {
                let file = C.file(C.header(1, 1, depth: depth, colour: colour), palette, Self.data)
                let isAllowed = allowed[colour]?.contains(depth) == true
                #expect(((try? CodecRegistry.builtIn.info(of: file)) != nil) == isAllowed, "\(colour) with \(depth)")
            }
        }
    }

    @Test func methodsThatDoNotExist() {
        for index in 10...12 {
            var body: [UInt8] = C.big(2) + C.big(2) + [8, 0, 0, 0, 0]
            body[index] = 2
            #expect(code(C.file(C.bytes("IHDR", body), Self.data)) == .corruptImage)
        }
    }

    @Test func limits() {
        #expect(code(C.file(C.header(0, 2), Self.data)) == .corruptImage)
        #expect(code(C.file(C.header(70_000, 2), Self.data)) == .limitExceeded)
        #expect(code(C.file(C.header(60_000, 60_000), Self.data)) == .limitExceeded)
        #expect(code(C.file(C.header(0xFFFF_FFFF, 0xFFFF_FFFF), Self.data)) == .limitExceeded)
        var limits = DecodeLimits()
        limits.maximumOutputPixels = 3
        #expect(code(C.file(C.header(2, 2), Self.data), limits: limits) == .limitExceeded)
        // Interlaced, the whole frame is held, whatever the size of the output.
        let file = C.file(C.header(2, 2, interlaced: 1), Self.data)
        let options = DecodeOptions(targetSize: TargetSize(PixelSize(width: 1, height: 1)), limits: limits)
        let error = #expect(throws: ImageError.self) { try CodecRegistry.builtIn.info(of: file, options: options) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func palettes() throws {
        // Indices 0, 1, 2, 3 of two bits; three entries; the fourth is black, as libpng has it.
        let header = C.header(4, 1, depth: 2, colour: 3)
        let data = C.bytes("IDAT", C.stored([0, 0b00_01_10_11]))
        let palette = C.bytes("PLTE", [10, 11, 12, 20, 21, 22, 30, 31, 32])
        let plain: [UInt8] = [10, 11, 12, 255, 20, 21, 22, 255, 30, 31, 32, 255, 0, 0, 0, 255]
        #expect(try decode(C.file(header, palette, data)).pixels.bytes == plain)
        let alpha = try decode(C.file(header, palette, C.bytes("tRNS", [0, 255]), data))
        #expect(alpha.pixels.bytes == [0, 0, 0, 0] + plain.dropFirst(4))
        #expect(alpha.frame.alpha == .premultiplied)
        // More transparency than palette is passed over, and so is one before the palette.
        #expect(try decode(C.file(header, palette, C.bytes("tRNS", [0, 0, 0, 0]), data)).pixels.bytes == plain)
        #expect(try decode(C.file(header, C.bytes("tRNS", [0]), palette, data)).pixels.bytes == plain)
        #expect(try decode(C.file(header, palette, C.bytes("tRNS", [0], isIntact: false), data)).pixels.bytes == plain)

        #expect(code(C.file(header, data)) == .corruptImage)
        #expect(code(C.file(header, C.bytes("PLTE", [1, 2]), data)) == .corruptImage)
        #expect(code(C.file(header, C.bytes("PLTE", []), data)) == .corruptImage)
        #expect(code(C.file(header, palette, palette, data)) == .corruptImage)
        #expect(code(C.file(header, C.bytes("PLTE", [1, 2, 3], isIntact: false), data)) == .corruptImage)
        #expect(code(C.file(header, C.bytes("PLTE", [UInt8](repeating: 1, count: 771)), data)) == .corruptImage)
        // A palette that a grey picture must not have does no harm.
        #expect(
            try decode(C.file(C.header(2, 2), C.bytes("PLTE", [1, 2], isIntact: false), Self.data)).frame.damage == nil
        )
    }

    @Test func imageDataInAnyNumberOfChunks() throws {
        let body = C.stored([0, 1, 2, 0, 3, 4])
        let single = body.flatMap { C.bytes("IDAT", [$0]) }
        #expect(try decode(C.file(C.header(2, 2), single, Self.end)).pixels.bytes == Self.pixels)
        let empty = C.bytes("IDAT", [])
        #expect(try decode(C.file(C.header(2, 2), empty, Self.data, Self.end)).pixels.bytes == Self.pixels)
    }

    /// Rows so far, and what is wrong.
    @Test func damagedImageData() throws {
        let broken = C.bytes("IDAT", C.stored([0, 1, 2, 0, 3, 4]), isIntact: false)
        let sum = try decode(C.file(C.header(2, 2), broken, Self.end))
        #expect(sum.frame.damage?.code == .corruptImage)
        #expect(sum.pixels.bytes == Self.pixels)

        let firstRow = Self.pixels[..<8] + [UInt8](repeating: 0, count: 8)
        let filter = try decode(C.file(C.header(2, 2), C.bytes("IDAT", C.stored([0, 1, 2, 5, 3, 4]))))
        #expect(filter.frame.damage?.code == .corruptImage)
        #expect(filter.pixels.bytes == Array(firstRow))
        #expect(filter.frame.alpha == .premultiplied)

        let short = try decode(C.file(C.header(2, 2), C.bytes("IDAT", C.stored([0, 1, 2, 0, 3])), Self.end))
        #expect(short.frame.damage?.code == .corruptImage)
        #expect(short.pixels.bytes == Array(firstRow))

        // The first block is good, the second one's length does not match its complement.
        let deflate: [UInt8] = [0x78, 0x01, 0, 3, 0, 0xFC, 0xFF, 0, 1, 2, 1, 3, 0, 0, 0, 0, 3, 4]
        let block = try decode(C.file(C.header(2, 2), C.bytes("IDAT", deflate)))
        #expect(block.frame.damage?.code == .corruptImage)
        #expect(block.pixels.bytes == Array(firstRow))

        // Nothing to show: an error.
        #expect(code(C.file(C.header(2, 2), C.bytes("IDAT", C.stored([7, 1, 2, 0, 3, 4])))) == .corruptImage)
        #expect(code(C.file(C.header(2, 2), C.bytes("IDAT", [0x78, 0x02]))) == .corruptImage)
        #expect(code(C.file(C.header(2, 2), C.bytes("IDAT", []), Self.end)) == .corruptImage)
    }

    @Test func animationControl() throws {
        let control = C.bytes("acTL", C.big(3) + C.big(7))
        let frame = C.bytes("fcTL", C.big(0) + C.big(2) + C.big(2) + C.big(0) + C.big(0) + [0, 1, 0, 4, 0, 0])
        let decoding = try decode(C.file(C.header(2, 2), control, frame, Self.data, Self.end))
        #expect(decoding.info.format == .apng)
        #expect(decoding.info.frameCount == 3)
        #expect(decoding.info.loopCount == 7)
        #expect(decoding.frame.duration == .milliseconds(250))
        var limits = DecodeLimits()
        limits.maximumFrameCount = 2
        #expect(code(C.file(C.header(2, 2), control, frame, Self.data), limits: limits) == .limitExceeded)
        // No frames, or a broken chunk: a still picture.
        for bad in [C.bytes("acTL", C.big(0) + C.big(0)), C.bytes("acTL", C.big(2) + C.big(0), isIntact: false)] {
            let still = try decode(C.file(C.header(2, 2), bad, frame, Self.data, Self.end))
            #expect(still.info.format == .png)
            #expect(still.pixels.bytes == Self.pixels)
        }
    }

    /// The default image is not part of the animation: the first frame is the one that an fcTL chunk announces, here one
    /// pixel in the lower right corner of an empty canvas.
    @Test func firstFrameIsSmallerThanTheCanvas() throws {
        func frame(_ x: UInt32, _ width: UInt32 = 1) -> [UInt8] {
            C.bytes("fcTL", C.big(0) + C.big(width) + C.big(1) + C.big(x) + C.big(1) + [0, 1, 0, 0, 0, 0])
        }
        let control = C.bytes("acTL", C.big(1) + C.big(0))
        let data = C.bytes("fdAT", C.big(1) + C.stored([0, 9]))
        let file = C.file(C.header(2, 2), control, Self.data, frame(1), data, Self.end)
        let decoding = try decode(file)
        #expect(decoding.pixels.bytes == [UInt8](repeating: 0, count: 12) + [9, 9, 9, 255])
        #expect(decoding.frame.alpha == .premultiplied)
        #expect(decoding.frame.duration == .milliseconds(10))
        for size in 1...60 { #expect(try Decoding(file, pieceSize: size).pixels == decoding.pixels) }
        #expect(code(C.file(C.header(2, 2), control, Self.data, frame(2), data)) == .corruptImage)
        #expect(code(C.file(C.header(2, 2), control, Self.data, frame(0xFFFF_FFFF), data)) == .corruptImage)
        #expect(code(C.file(C.header(2, 2), control, Self.data, frame(0, 0), data)) == .corruptImage)
        #expect(code(C.file(C.header(2, 2), control, Self.data, Self.end)) == .corruptImage)
    }

    /// A profile is not inflated past the size in its first four bytes, and that is bounded.
    @Test func profileSize() throws {
        func profile(_ size: UInt32, name: [UInt8] = [65, 0, 0], count: Int = 500) -> [UInt8] {
            C.bytes("iCCP", name + C.stored(C.big(size) + [UInt8](repeating: 1, count: count - 4)))
        }
        func info(_ chunk: [UInt8]) throws -> ImageInfo { try decode(C.file(C.header(2, 2), chunk, Self.data)).info }
        #expect(try info(profile(500)).iccProfileByteCount == 500)
        #expect(try info(profile(500)).outputLayout.colorSpace == .unconverted, "it is no profile")
        #expect(try info(profile(400)).iccProfileByteCount == 400)
        #expect(code(C.file(C.header(2, 2), profile(0xFFFF_FFFF), Self.data)) == .limitExceeded)
        // Shorter than it says, of another compression, with too long a name, without data: as good as none.
        for chunk in [
            profile(501), profile(500, name: [65, 0, 1]), profile(500, name: [UInt8](repeating: 65, count: 90)),
            C.bytes("iCCP", [65, 0, 0]), C.bytes("iCCP", [65, 0, 0, 0x78, 0x01]),
        ] {
            #expect(try info(chunk).iccProfileByteCount == 0)
            #expect(try info(chunk).outputLayout.colorSpace == .sRGB)
        }
    }
}
