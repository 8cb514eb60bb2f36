import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// Files that Pillow and ImageMagick write, whole, cut off and changed at every place, and in pieces.
@Suite("GIF damage", .enabled(if: Tool.python != nil))
struct GIFDamageTests {
    struct Fixture: CustomTestStringConvertible, Sendable {
        let name: String
        let file: Data
        let pixels: Pixels
        var testDescription: String { name }
    }

    /// Pictures of 2 to 256 colours, interlaced or not, with a transparent index or not, 37 by 29, as Pillow writes them
    /// and reads them back.
    static let fixtures: [Fixture] = {
        guard let python = Tool.python, let data = try? Tool.run(python, "-c", script) else { return [] }
        var (result, bytes) = ([Fixture](), data[...])
        func block() -> Data {
            let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            defer { bytes = bytes.dropFirst(4 + count) }
            return Data(bytes.dropFirst(4).prefix(count))
        }
        while !bytes.isEmpty {
            let (name, file, pixels) = (block(), block(), Array(block()))
            result.append(
                Fixture(
                    name: String(decoding: name, as: UTF8.self),
                    file: file,
                    pixels: Pixels(width: 37, height: 29, bytes: pixels).withoutHiddenColour
                )
            )
        }
        return result
    }()

    private static let script = #"""
        import sys, io, struct, random
        from PIL import Image
        rnd = random.Random(3)
        def block(b): sys.stdout.buffer.write(struct.pack(">I", len(b)) + b)
        for colours in (2, 3, 4, 9, 16, 100, 256):
            for interlace in (0, 1):
                for transparent in (0, 1):
                    image = Image.new("P", (37, 29))
                    image.putpalette([rnd.randint(0, 255) for _ in range(colours * 3)])
                    run, pixels = 0, []
                    for _ in range(37 * 29):
                        if run == 0: run, value = rnd.choice([1, 1, 2, 30]), rnd.randrange(colours)
                        pixels.append(value); run -= 1
                    image.putdata(pixels)
                    f = io.BytesIO()
                    image.save(f, "GIF", interlace=interlace, optimize=False, **({"transparency": 1} if transparent else {}))
                    block(("%d colours%s%s" % (colours, ", interlaced" * interlace, ", transparent" * transparent)).encode())
                    block(f.getvalue())
                    block(Image.open(io.BytesIO(f.getvalue())).convert("RGBA").tobytes())
        """#

    @Test func allAreThere() { #expect(Self.fixtures.count == 28) }

    @Test(arguments: fixtures) func everyByteIsThatOfPillow(fixture: Fixture) throws {
        let decoding = try Decoding(fixture.file)
        let isEqual = decoding.pixels == fixture.pixels
        #expect(isEqual)
        #expect(decoding.frame.damage == nil)
        #expect(decoding.frame.alpha == (fixture.pixels.isOpaque ? .opaque : .premultiplied))
    }

    @Test(arguments: fixtures) func cutOffAnywhere(fixture: Fixture) throws {
        let isInterlaced = fixture.name.contains("interlaced")
        var wasShown = false
        for length in 6..<fixture.file.count {
            switch Result(catching: { try Decoding(fixture.file.prefix(length)) }) {
            case .failure(let error as ImageError):
                #expect(!wasShown, "more bytes show no less; \(length)")
                #expect(error.code == .truncatedImage, "\(length): \(error)")
            case .failure(let error): Issue.record("\(length): \(error)")
            case .success(let part):
                wasShown = true
                let isWhole = part.pixels == fixture.pixels
                #expect(part.frame.damage.map { $0.code == .truncatedImage } ?? isWhole, "\(length)")
                guard !isInterlaced else { continue }
                let rows = (0..<29).first { part.pixels.rows($0..<$0 + 1) != fixture.pixels.rows($0..<$0 + 1) } ?? 29
                let isClear = part.pixels.isClear(from: rows)
                #expect(isClear, "what is no row of the whole file is clear; \(length)")
            }
        }
        #expect(wasShown)
    }

    @Test(arguments: fixtures) func pieces(fixture: Fixture) throws {
        for size in [1, 2, 7, 300] {
            let part = try Decoding(fixture.file, pieceSize: size)
            let isEqual = part.pixels == fixture.pixels
            #expect(isEqual)
            #expect(part.frame.damage == nil)
            #expect(part.waits > 0 || size > fixture.file.count)
        }
        for length in 1..<fixture.file.count {
            let part = try Decoding(fixture.file, pieceSize: max(length, fixture.file.count - length))
            let isEqual = part.pixels == fixture.pixels
            #expect(isEqual, "cut at \(length)")
        }
    }

    @Test(arguments: fixtures) func changedAnywhere(fixture: Fixture) {
        var state: UInt64 = 17
        for _ in 0..<1500 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var copy = fixture.file
            copy[Int(state >> 33) % copy.count] ^= 1 << UInt8(state >> 60 & 7)
            do {
                var limits = DecodeLimits()
                limits.maximumOutputPixels = 1 << 20
                let decoding = try Decoding(copy, options: DecodeOptions(limits: limits))
                let straight = decoding.pixels.bytes.count == decoding.pixels.width * decoding.pixels.height * 4
                #expect(straight && !decoding.pixels.hasPartialAlpha)
            } catch {
                #expect(error is ImageError)
            }
        }
    }

    @Test func cancelled() throws { try expectEndsWhenCancelled(#require(Self.fixtures.last).file) }
}
