import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// Files that are cut off or changed at every place, and files that come in pieces.
@Suite("PNG damage", .enabled(if: Tool.python != nil))
struct PNGDamageTests {
    /// One of each kind of pixels, interlaced and not, 21 by 13.
    static let fixtures = PNGFixture.all.filter { $0.name.contains("filter mixed, 21x13") && !$0.name.contains("tRNS") }
    static let few = fixtures.filter { $0.name.contains(" 8 bits") }

    @Test(arguments: fixtures) func cutOffAnywhere(fixture: PNGFixture) throws {
        let whole = fixture.pixels.premultiplied
        let isInterlaced = fixture.name.contains("interlaced")
        // Behind the last IDAT stand 12 bytes of IEND.
        let needed = fixture.file.count - 12
        var wasShown = false
        for length in 8..<fixture.file.count {
            switch Result(catching: { try Decoding(fixture.file.prefix(length)) }) {
            case .failure(let error as ImageError):
                #expect(!wasShown, "more bytes show no less; \(length)")
                #expect(error.code == .truncatedImage, "\(length): \(error)")
            case .failure(let error): Issue.record("\(length): \(error)")
            case .success(let part):
                wasShown = true
                // The last chunk may hold no pixel; without damage all must be there.
                #expect(part.frame.damage.map { $0.code == .truncatedImage } ?? (part.pixels == whole), "\(length)")
                if length >= needed { #expect(part.frame.damage == nil) }
                let rows = (0..<13).first { part.pixels.rows($0..<$0 + 1) != whole.rows($0..<$0 + 1) } ?? 13
                if !isInterlaced {
                    let isClear = part.pixels.isClear(from: rows)
                    #expect(isClear, "what is no row of the whole file is clear; \(length)")
                }
            }
        }
        #expect(wasShown)
    }

    /// Every way to cut the file in two.
    @Test(arguments: fixtures) func twoPieces(fixture: PNGFixture) throws {
        let whole = fixture.pixels.premultiplied
        for length in 0...fixture.file.count {
            let decoder = try #require(
                CodecRegistry.builtIn.makeDecoder(forPrefix: fixture.file, options: DecodeOptions())
            )
            decoder.append(fixture.file.prefix(length), isLast: false)
            var info: ImageInfo?
            if case .done(let known) = try decoder.readInfo() { info = known }
            var canvas = try info.map { try PixelBufferPool.shared.canvas($0.outputLayout) }
            var frame: FrameInfo?
            if canvas != nil, case .done(let done) = try decoder.decodeFrame(into: &canvas!) { frame = done }
            decoder.append(fixture.file.suffix(from: length), isLast: true)
            if info == nil, case .done(let known) = try decoder.readInfo() {
                canvas = try PixelBufferPool.shared.canvas(known.outputLayout)
            }
            if frame == nil, case .done(let done) = try decoder.decodeFrame(into: &canvas!) { frame = done }
            guard case .end = try decoder.decodeFrame(into: &canvas!) else {
                Issue.record("there is one frame")
                return
            }
            let isEqual = Pixels(canvas.take()!.freeze(alpha: frame?.alpha)) == whole
            #expect(isEqual, "cut at \(length)")
            #expect(frame != nil && frame?.damage == nil)
        }
    }

    @Test(arguments: fixtures) func manyPieces(fixture: PNGFixture) throws {
        for size in [1, 2, 7] {
            let part = try Decoding(fixture.file, pieceSize: size)
            let isEqual = part.pixels == fixture.pixels.premultiplied
            #expect(isEqual)
            #expect(part.frame.damage == nil)
        }
    }

    /// A bit changed anywhere is an error, damage, or without effect on the picture; most chunks have a checksum.
    @Test(arguments: few) func changedAnywhere(fixture: PNGFixture) throws {
        let whole = fixture.pixels.premultiplied
        for offset in 8..<fixture.file.count {
            for bit in [0, 5] {
                var copy = fixture.file
                copy[offset] ^= 1 << UInt8(bit)
                do {
                    let decoding = try Decoding(copy)
                    let isEqual = decoding.pixels == whole
                    // A changed tRNS, or a type that is none any more, is passed over.
                    if decoding.frame.damage == nil, !fixture.name.contains("palette") {
                        #expect(isEqual || decoding.frame.alpha == .opaque, "byte \(offset), bit \(bit)")
                    }
                } catch {
                    #expect(error is ImageError)
                }
            }
        }
    }

    /// Damage behind the checksums, which a careless or hostile writer makes: chunks are wrapped anew after the change.
    @Test(arguments: few) func changedDataWithRightChecksums(fixture: PNGFixture) throws {
        var state: UInt64 = 11
        let start = try #require(fixture.file.range(of: Data("IDAT".utf8))).lowerBound - 4
        let colour: UInt8 = fixture.file[25]
        guard colour != 3 else { return }
        for _ in 0..<400 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var data = [UInt8](), offset = start
            let bytes = Array(fixture.file)
            while offset + 12 < bytes.count {
                let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
                data += bytes[offset + 8..<offset + 8 + length]
                offset += 12 + length
            }
            data[Int(state >> 33) % data.count] ^= 1 << UInt8(state >> 60 & 7)
            let file = fixture.file.prefix(start) + PNGChunk.bytes("IDAT", data)
            do {
                let decoding = try Decoding(file)
                #expect(decoding.pixels.bytes.count == 21 * 13 * 4)
            } catch {
                #expect(error is ImageError)
            }
        }
    }

    /// A partial interlaced picture is a coarse one: what has come of it in any pass is where it belongs, and holes have
    /// the value of the nearest pixel that came above and left of them.
    @Test func partialInterlacedPictureHasNoHoles() throws {
        let fixture = try #require(PNGFixture.named("colour 2, 8 bits, interlaced, filter mixed, 21x13"))
        let whole = fixture.pixels
        var levels = Set<Int>()
        for length in 8..<fixture.file.count {
            guard let part = try? Decoding(fixture.file.prefix(length)).pixels else { continue }
            #expect(part[0, 0] == whole[0, 0])
            // The size of the blocks after each pass (§8.2); a pass under way has reached the upper rows first.
            let blocks = [(1, 1), (1, 2), (2, 2), (2, 4), (4, 4), (4, 8), (8, 8)]
            for y in 0..<8 {
                let level = blocks.first { w, h in (0..<8).allSatisfy { part[$0, y] == whole[$0 / w * w, y / h * h] } }
                #expect(level != nil, "row \(y), \(length) bytes")
                if let level { levels.insert(level.0 * level.1) }
            }
            #expect(part.leadingOpaqueRows == 13 || part.isClear(from: part.leadingOpaqueRows))
        }
        #expect(levels.contains(1))
        #expect(levels.count > 2)
    }

    @Test func rowsComeBeforeTheBytesHave() throws {
        let python = try #require(Tool.python)
        let script = "import sys; from PIL import Image; Image.open(sys.argv[1]).save(sys.argv[2], 'PNG')"
        let sample = Pixels.sample(width: 200, height: 300)
        let file = try Tool.run(python, "-c", script, "@in", "@out", input: sample.ppm)
        let decoder = try #require(CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: DecodeOptions()))
        decoder.append(file.prefix(file.count * 3 / 4), isLast: false)
        guard case .done(let info) = try decoder.readInfo() else { return #expect(Bool(false), "the header is there") }
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        canvas.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0xA5) }
        guard case .needsMoreBytes = try decoder.decodeFrame(into: &canvas) else {
            return #expect(Bool(false), "the last quarter is missing")
        }
        let half = 150 * 200 * 4
        canvas.withUnsafeBytes { bytes in
            let isSample = Array(bytes[..<half]) == Array(sample.bytes[..<half])
            #expect(isSample)
            let isClear = bytes.suffix(200 * 4).allSatisfy { $0 == 0 }
            #expect(isClear, "rows that have not come are clear")
        }
    }

    @Test func cancelled() throws { try expectEndsWhenCancelled(#require(PNGFixture.all.last).file) }
}
