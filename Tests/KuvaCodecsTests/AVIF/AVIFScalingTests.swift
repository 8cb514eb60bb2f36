import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// Pictures that are scaled in their planes, held against what avifdec decodes, made small by Pillow's Lanczos filter.
@Suite(
    "AVIF scaling",
    .enabled(if: Corpus.isPresent && Tool.isPresent("avifenc") && Tool.isPresent("avifdec") && Tool.python != nil)
)
struct AVIFScalingTests {
    private static let toPNG = "import sys; from PIL import Image; Image.open(sys.argv[1]).save(sys.argv[2], 'PNG')"

    private func decode(_ file: Data, _ quality: ScalingQuality, pieceSize: Int = .max) throws -> Pixels {
        let target = TargetSize(PixelSize(width: 300, height: 300))
        return try Decoding(file, pieceSize: pieceSize, options: .init(targetSize: target, scalingQuality: quality))
            .pixels
    }

    /// The bounds are those that JPEGs and WebPs keep. The ranges and matrices differ, as files of the web do.
    @Test func nearness() throws {
        let variants = [
            ["-y", "444"], ["-y", "422", "--cicp", "1/13/1"], ["-y", "420", "-r", "limited"], ["-y", "400"],
            ["-y", "420", "--cicp", "9/13/9"],
        ]
        let python = try #require(Tool.python)
        var decibels: [Double] = []
        for (options, photograph) in zip(variants, JPEGScalingTests.photographs) {
            let ppm = try Tool.run("djpeg", "-outfile", "@out", "@in", input: photograph.data)
            let png = try Tool.run(python, "-c", Self.toPNG, "@in", "@out.png", input: ppm)
            let file = try Tool.run("avifenc", options: ["-s", "9"] + options + ["@in.png", "@out.avif"], input: png)
            let small = try decode(file, .standard)
            let whole = try Tool.run("avifdec", "-c", "dav1d", "@in.avif", "@out.png", input: file)
            let size = PixelSize(width: small.width, height: small.height)
            // The colours of other primaries are shown as sRGB; there the whole picture is ours.
            let reference =
                options.contains("9/13/9")
                ? try decode(file, .best) : try JPEGScalingTests.reference(whole, size)
            decibels.append(JPEGScalingTests.decibels(small, reference))
        }
        #expect(decibels.count == variants.count)
        let sorted = decibels.sorted()
        #expect(sorted[0] >= 38, "\(decibels)")
        #expect(sorted[sorted.count / 2] >= 45, "\(decibels)")
    }

    /// Turned pictures, and those that come in pieces, are scaled alike.
    @Test func turnsAndPieces() throws {
        let picture = Pixels.sample(width: 700, height: 501)
        let python = try #require(Tool.python)
        let png = try Tool.run(python, "-c", Self.toPNG, "@in", "@out.png", input: picture.ppm)
        func file(_ options: [String]) throws -> Data {
            try Tool.run(
                "avifenc",
                options: ["-s", "10", "-y", "420"] + options + ["@in.png", "@out.avif"],
                input: png
            )
        }
        let upright = try decode(file([]), .standard)
        #expect((upright.width, upright.height) == (300, 215))
        let isEqual = try decode(file([]), .standard, pieceSize: 3000) == upright
        #expect(isEqual)
        let turned = try decode(file(["--irot", "1"]), .standard)
        #expect((turned.width, turned.height) == (215, 300))
        let isTurned = turned.stored(as: .left) == upright
        #expect(isTurned)
    }
}
