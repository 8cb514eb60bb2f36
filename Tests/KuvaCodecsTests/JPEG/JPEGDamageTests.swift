import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// Files that are cut off or changed at every place, and files that come in pieces.
@Suite("JPEG damage", .enabled(if: Tool.hasJPEG))
struct JPEGDamageTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        let options: [String]
        var isSequential: Bool { !options.contains("-progressive") && !options.contains("-scans") }
        var testDescription: String { options.joined(separator: " ") }

        func file(width: Int = 53, height: Int = 70) throws -> Data {
            try Tool.run(
                "cjpeg",
                options: options + ["-outfile", "@out", "@in"],
                input: Pixels.sample(width: width, height: height).ppm
            )
        }
    }

    static let kinds = [
        ["-sample", "1x1"], ["-sample", "2x2"], ["-sample", "1x2"], ["-restart", "1"], ["-restart", "2B"],
        ["-progressive"],
        ["-progressive", "-restart", "1"], ["-arithmetic"], ["-arithmetic", "-progressive"], ["-grayscale"],
    ].map { Kind(options: $0) }

    @Test(arguments: kinds) func cutOffAnywhere(kind: Kind) throws {
        let file = try kind.file()
        let whole = try Decoding(file).pixels
        var lastRows = 0
        for length in 0..<file.count {
            switch Result(catching: { try Decoding(file.prefix(length)) }) {
            case .failure(let error as ImageError):
                #expect(lastRows == 0, "more bytes give no fewer rows; \(length)")
                #expect([.truncatedImage, .unsupportedFormat, .emptyBody].contains(error.code), "\(length): \(error)")
            case .failure(let error): Issue.record("\(length): \(error)")
            case .success(let part):
                let rows = part.pixels.leadingOpaqueRows
                #expect(rows >= lastRows, "more bytes give no fewer rows; \(length)")
                #expect(part.pixels.isClear(from: rows))
                if kind.isSequential { #expect(part.pixels.rows(0..<rows) == whole.rows(0..<rows), "\(length)") }
                // The end marker may be missing; where anything else is, that is damage.
                if part.frame.damage == nil {
                    #expect(length >= file.count - 3 && part.pixels == whole, "\(length) of \(file.count)")
                } else {
                    #expect(part.frame.damage?.code == .truncatedImage)
                }
                lastRows = rows
            }
        }
        #expect(lastRows > 0)
    }

    @Test(arguments: kinds) func pieces(kind: Kind) throws {
        let file = try kind.file()
        let whole = try Decoding(file)
        for size in [1, 2, 13, 200] {
            let part = try Decoding(file, pieceSize: size)
            #expect(part.pixels == whole.pixels)
            #expect(part.frame.damage == nil)
            #expect(part.waits > 0)
        }
    }

    @Test func rowsComeBeforeTheBytesHave() throws {
        let file = try Kind(options: ["-sample", "2x2"]).file()
        let whole = try Decoding(file).pixels
        let decoder = try #require(CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: DecodeOptions()))
        decoder.append(file.prefix(file.count * 3 / 4), isLast: false)
        guard case .done(let info) = try decoder.readInfo() else { return #expect(Bool(false), "the header is there") }
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        guard case .needsMoreBytes = try decoder.decodeFrame(into: &canvas) else {
            return #expect(Bool(false), "the last quarter is missing")
        }
        // Half of the rows, at least, of a file of which three quarters are there.
        canvas.withUnsafeBytes { #expect(Array($0[..<(35 * 53 * 4)]) == Array(whole.rows(0..<35))) }
        decoder.append(file.suffix(from: file.count * 3 / 4), isLast: true)
        guard case .done(let frame) = try decoder.decodeFrame(into: &canvas) else {
            return #expect(Bool(false), "all is there")
        }
        #expect(Pixels(canvas.freeze(alpha: frame.alpha)) == whole)
        var another = try PixelBufferPool.shared.canvas(info.outputLayout)
        guard case .end = try decoder.decodeFrame(into: &another) else {
            return #expect(Bool(false), "there is one frame")
        }
    }

    /// The size is known once the header is there, and not before: at the first scan's marker.
    @Test(arguments: kinds) func headerOnly(kind: Kind) throws {
        let file = try kind.file()
        let scan = try #require(file.range(of: Data([0xFF, 0xDA])))
        let end = scan.upperBound + Int(file[scan.upperBound]) << 8 + Int(file[scan.upperBound + 1])
        for length in 3..<file.count {
            let decoder = try #require(CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: DecodeOptions()))
            decoder.append(file.prefix(length), isLast: false)
            if case .done(let info) = try decoder.readInfo() {
                #expect(length >= end)
                #expect(info.storedSize == PixelSize(width: 53, height: 70))
            } else {
                #expect(length < end)
            }
        }
    }

    @Test(arguments: kinds) func changedAnywhere(kind: Kind) throws {
        let file = try kind.file()
        var random = UInt64(kind.options.count) &+ 99
        for _ in 0..<600 {
            var copy = file
            for _ in 0..<3 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                copy[Int(random >> 33) % copy.count] ^= 1 << UInt8(random >> 60 & 7)
            }
            do {
                let decoded = try Decoding(copy)
                #expect(decoded.pixels.isClear(from: decoded.pixels.leadingOpaqueRows))
            } catch {
                #expect(error is ImageError)
            }
        }
    }
}
