import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// Whole files drawn by hand.
@Suite("GIF files")
struct GIFDecoderTests {
    private typealias G = GIFFile
    private let clear: [UInt8] = [0, 0, 0, 0]

    private func decode(_ blocks: [UInt8]..., options: DecodeOptions = DecodeOptions()) throws -> Decoding {
        try Decoding(Data(blocks.joined()), options: options)
    }

    private func code(_ blocks: [UInt8]..., options: DecodeOptions = DecodeOptions()) -> ImageError.Code? {
        do {
            _ = try Decoding(Data(blocks.joined()), options: options)
            return nil
        } catch {
            return (error as? ImageError)?.code
        }
    }

    @Test func smallest() throws {
        for version in ["87a", "89a"] {
            let decoding = try decode(
                G.screen(2, 1, palette: G.four, version: version),
                G.image(0, 0, 2, 1, data: G.plain([1, 2])),
                G.trailer
            )
            #expect(decoding.pixels.bytes == G.colours[1] + G.colours[2])
            #expect(decoding.frame.alpha == .opaque)
            #expect(decoding.frame.damage == nil)
            #expect(decoding.frame.duration == .zero)
            #expect(decoding.info.frameCount == 1)
            #expect(decoding.info.loopCount == nil)
        }
    }

    @Test func localPaletteComesBeforeTheGlobalOne() throws {
        let own: [UInt8] = [9, 9, 9, 8, 8, 8]
        let image = G.image(0, 0, 2, 1, palette: own, codeSize: 2, data: G.plain([0, 1]))
        #expect(try decode(G.screen(2, 1, palette: G.four), image).pixels.bytes == [9, 9, 9, 255, 8, 8, 8, 255])
        #expect(try decode(G.screen(2, 1), image).pixels.bytes == [9, 9, 9, 255, 8, 8, 8, 255])
    }

    @Test func whatHasNoColourIsTransparent() throws {
        let two: [UInt8] = [9, 9, 9, 8, 8, 8]
        let outside = try decode(G.screen(2, 1, palette: two), G.image(0, 0, 2, 1, data: G.plain([1, 3])))
        #expect(outside.pixels.bytes == [8, 8, 8, 255] + clear)
        #expect(outside.frame.alpha == .premultiplied)
        let none = try decode(G.screen(2, 1), G.image(0, 0, 2, 1, data: G.plain([1, 3])))
        #expect(none.pixels.bytes == clear + clear)
        let index = try decode(
            G.screen(2, 1, palette: G.four),
            G.control(transparent: 1),
            G.image(0, 0, 2, 1, data: G.plain([1, 3]))
        )
        #expect(index.pixels.bytes == clear + G.colours[3])
        #expect(index.info.hasAlpha)
    }

    /// The rectangle is cut at the screen's edges; around it the screen is transparent.
    @Test func frameElsewhere() throws {
        let screen = G.screen(3, 2, palette: G.four)
        let inside = try decode(screen, G.image(1, 1, 1, 1, data: G.plain([2])))
        #expect(inside.pixels.bytes == clear + clear + clear + clear + G.colours[2] + clear)
        let corner = try decode(screen, G.image(2, 1, 2, 2, data: G.plain([1, 2, 3, 0])))
        #expect(corner.pixels.bytes == clear + clear + clear + clear + clear + G.colours[1])
        let larger = try decode(screen, G.image(0, 0, 4, 3, data: G.plain([1, 1, 1, 2, 3, 3, 3, 2, 2, 2, 2, 2])))
        #expect(larger.pixels.bytes == Array([1, 1, 1, 3, 3, 3].flatMap { G.colours[$0] }))
        #expect(larger.frame.alpha == .opaque)
        let outside = try decode(screen, G.image(7, 9, 1, 1, data: G.plain([1])))
        #expect(outside.pixels.bytes == [UInt8](repeating: 0, count: 24))
        #expect(outside.frame.damage == nil)
    }

    @Test func zeroSizes() throws {
        let pixel = G.plain([1])
        let screenless = try decode(G.screen(0, 0, palette: G.four), G.image(0, 0, 1, 1, data: pixel))
        #expect(screenless.info.storedSize == PixelSize(width: 1, height: 1))
        #expect(screenless.pixels.bytes == G.colours[1])
        let frameless = try decode(G.screen(1, 1, palette: G.four), G.image(0, 0, 0, 0, data: pixel))
        #expect(frameless.pixels.bytes == G.colours[1])
        #expect(code(G.screen(0, 0, palette: G.four), G.image(0, 0, 0, 0, data: pixel)) == .corruptImage)
    }

    /// Rows come in the order 0, 8, … 4, 12, … 2, 6, … 1, 3, … (GIF89a, appendix E).
    @Test(arguments: 1...19) func interlaced(height: Int) throws {
        let order = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
        let image = G.image(0, 0, 1, height, interlaced: true, data: G.plain(order.map { $0 % 4 }))
        let decoding = try decode(G.screen(1, height, palette: G.four), image)
        #expect(decoding.pixels.bytes == (0..<height).flatMap { G.colours[$0 % 4] })
    }

    /// Rows of passes that did not come repeat the row above them that did.
    @Test func interlacedAndCutOff() throws {
        let screen = G.screen(1, 8, palette: G.four)
        func rows(_ count: Int) throws -> [UInt8] {
            let data = G.plain(Array([1, 2, 3, 0][..<count]), end: true)
            let decoding = try decode(screen, G.image(0, 0, 1, 8, interlaced: true, data: data))
            #expect(decoding.frame.damage?.code == .corruptImage)
            return decoding.pixels.bytes
        }
        #expect(try rows(1) == [1, 1, 1, 1, 1, 1, 1, 1].flatMap { G.colours[$0] })
        #expect(try rows(2) == [1, 1, 1, 1, 2, 2, 2, 2].flatMap { G.colours[$0] })
        #expect(try rows(3) == [1, 1, 3, 3, 2, 2, 2, 2].flatMap { G.colours[$0] })
        #expect(try rows(4) == [1, 1, 3, 3, 2, 2, 0, 0].flatMap { G.colours[$0] })
    }

    @Test func indexOfAllFrames() throws {
        let frame = G.image(0, 0, 1, 1, data: G.plain([1]))
        let file = [
            G.screen(1, 1, palette: G.four), G.loop(3), G.control(delay: 7), frame, G.control(delay: 9), frame,
            [0x21, 0xFE, 1, 65, 0],
            frame, G.trailer, frame,
        ]
        let decoding = try Decoding(Data(file.joined()))
        #expect(decoding.info.frameCount == 3)
        #expect(decoding.info.loopCount == 3)
        #expect(decoding.frame.duration == .milliseconds(70))
        let other = try decode(G.screen(1, 1, palette: G.four), G.loop(0, application: "ANIMEXTS1.0"), frame, frame)
        #expect(other.info.loopCount == 0)
        let unknown = try decode(G.screen(1, 1, palette: G.four), G.loop(5, application: "NETSCAPE3.0"), frame, frame)
        #expect(unknown.info.loopCount == nil)
    }

    /// The number of frames grows while the file comes, and the first one shows before the rest is there.
    @Test func growsWhileItComes() throws {
        let frame = G.image(0, 0, 1, 1, data: G.plain([1]))
        let file = Data([G.screen(1, 1, palette: G.four), frame, frame, frame].joined())
        let decoder = try #require(CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: DecodeOptions()))
        var counts = [Int](), canvas: PixelCanvas?, isShown = false
        for (index, byte) in file.enumerated() {
            decoder.append(Data([byte]), isLast: index == file.count - 1)
            guard case .done(let info) = try decoder.readInfo() else { continue }
            if counts.last != info.frameCount { counts.append(info.frameCount) }
            if canvas == nil { canvas = try PixelBufferPool.shared.canvas(info.outputLayout) }
            if !isShown, case .done(let done) = try decoder.decodeFrame(into: &canvas!) {
                isShown = true
                #expect(done.damage == nil)
                #expect(info.frameCount == 1)
            }
        }
        #expect(counts == [1, 2, 3])
        #expect(isShown)
    }

    @Test func extensionsAreSkippedAndTheLastControlCounts() throws {
        let comment: [UInt8] = [0x21, 0xFE, 2, 1, 2, 3, 1, 2, 3, 0]
        let text: [UInt8] = [0x21, 0x01, 12] + [UInt8](repeating: 0, count: 12) + [1, 65, 0]
        let empty: [UInt8] = [0x21, 0xF9, 0]
        let short: [UInt8] = [0x21, 0xF9, 2, 1, 1, 0]
        let decoding = try decode(
            G.screen(2, 1, palette: G.four),
            G.control(transparent: 1),
            comment,
            G.control(transparent: 2),
            text,
            empty,
            short,
            [0, 0],
            G.image(0, 0, 2, 1, data: G.plain([1, 2]))
        )
        #expect(decoding.pixels.bytes == G.colours[1] + clear)
    }

    @Test func missingTerminatorAndGarbageBehindFrames() throws {
        let image = G.image(0, 0, 1, 1, data: G.plain([1]))
        for tail: [UInt8] in [[], [0x99], [0x21], [0x2C, 1, 2], [0x3B, 0x2C]] {
            let decoding = try decode(G.screen(1, 1, palette: G.four), image, tail)
            #expect(decoding.pixels.bytes == G.colours[1])
            #expect(decoding.frame.damage == nil)
            #expect(decoding.info.frameCount == 1)
        }
    }

    @Test func nothingToShow() {
        let screen = G.screen(1, 1, palette: G.four)
        #expect(code(screen) == .truncatedImage)
        #expect(code(screen, G.trailer) == .corruptImage)
        #expect(code(screen, [0x99]) == .corruptImage)
        #expect(code(Array("GIF89a".utf8)) == .truncatedImage)
        #expect(code(screen, G.image(0, 0, 1, 1, codeSize: 12, data: G.plain([1]))) == .corruptImage)
        #expect(code(screen, G.image(0, 0, 1, 1, codeSize: 0, data: G.plain([1]))) == .corruptImage)
        #expect(code(screen, G.image(0, 0, 1, 1, data: [0])) == .corruptImage)
        #expect(code(screen, G.image(0, 0, 1, 1, data: [])) == .truncatedImage)
    }

    @Test func rowsSoFar() throws {
        let screen = G.screen(1, 3, palette: G.four)
        let short = try decode(screen, G.image(0, 0, 1, 3, data: G.plain([1, 2])))
        #expect(short.frame.damage?.code == .corruptImage)
        #expect(short.pixels.bytes == G.colours[1] + G.colours[2] + clear)
        let bad = try decode(screen, G.image(0, 0, 1, 3, data: G.codes([(4, 3), (1, 3), (7, 3)])))
        #expect(bad.frame.damage?.code == .corruptImage)
        #expect(bad.pixels.bytes == G.colours[1] + clear + clear)
        let cut = try decode(screen, G.image(0, 0, 1, 3, data: Array(G.plain([1, 2, 3]).prefix(3))))
        #expect(cut.frame.damage?.code == .truncatedImage)
    }

    @Test func limits() {
        let image = G.image(0, 0, 1, 1, data: G.plain([1]))
        #expect(code(G.screen(65_535, 65_535, palette: G.four), image) == .limitExceeded)
        // The frame is larger than the screen and must be held as a whole.
        #expect(code(G.screen(1, 1, palette: G.four), G.image(0, 0, 30_000, 30_000, data: [])) == .limitExceeded)
        var limits = DecodeLimits()
        limits.maximumFrameCount = 2
        let options = DecodeOptions(limits: limits)
        #expect(code(G.screen(1, 1, palette: G.four), image, image, options: options) == nil)
        #expect(code(G.screen(1, 1, palette: G.four), image, image, image, options: options) == .limitExceeded)
    }

    @Test func scaled() throws {
        let image = G.image(0, 0, 2, 2, data: G.plain([2, 2, 2, 2]))
        let target = TargetSize(PixelSize(width: 5, height: 3), mode: .exact, allowsUpscaling: true)
        let decoding = try decode(G.screen(2, 2, palette: G.four), image, options: DecodeOptions(targetSize: target))
        #expect(decoding.pixels.bytes == (0..<15).flatMap { _ in G.colours[2] })
    }
}
