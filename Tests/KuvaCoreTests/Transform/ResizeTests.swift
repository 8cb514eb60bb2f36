import Foundation
import KuvaCore
import Testing

@Suite("Transformers: resize")
struct ResizeTests {
    private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    @Test func sizesFollowTheModeWithAndWithoutUpscaling() throws {
        typealias Mode = ResizeTransformer.Mode
        // Source, box, mode, size without and with upscaling; worked out by hand.
        let cases: [(PixelSize, PixelSize, Mode, PixelSize, PixelSize)] = [
            (size(300, 300), size(100, 100), .fill, size(100, 100), size(100, 100)),
            (size(40, 20), size(100, 10), .fill, size(40, 10), size(100, 10)),
            (size(40, 20), size(20, 20), .aspectFit, size(20, 10), size(20, 10)),
            (size(40, 20), size(80, 80), .aspectFit, size(40, 20), size(80, 40)),
            (size(40, 20), size(20, 20), .aspectFitPadded, size(20, 20), size(20, 20)),
            (size(40, 20), size(80, 80), .aspectFitPadded, size(80, 80), size(80, 80)),
            (size(40, 20), size(10, 10), .aspectFill, size(10, 10), size(10, 10)),
            (size(40, 20), size(30, 60), .aspectFill, size(30, 20), size(30, 60)),
            (size(1, 1), size(7, 9), .aspectFill, size(1, 1), size(7, 9)),
            (size(1, 50), size(60, 60), .aspectFill, size(1, 50), size(60, 60)),
        ]
        for (source, box, mode, small, large) in cases {
            let picture = Picture(random: source.width, source.height).premultiplied
            #expect(try ResizeTransformer(box, mode: mode).applied(to: picture).size == small)
            #expect(try ResizeTransformer(box, mode: mode, allowsUpscaling: true).applied(to: picture).size == large)
        }
    }

    @Test func theSameSizeIsTheSamePicture() throws {
        for mode in ResizeTransformer.Mode.allCases {
            for upscaling in [false, true] {
                try ResizeTransformer(size(13, 8), mode: mode, allowsUpscaling: upscaling)
                    .expectNothingDone(to: Picture(random: 13, 8))
            }
        }
        try ResizeTransformer.thumbnail(13).expectNothingDone(to: Picture(random: 13, 8))
        try SmartCropTransformer(size(13, 8)).expectNothingDone(to: Picture(random: 13, 8))
    }

    @Test func thumbnailIsNeverLarger() throws {
        let picture = Picture(random: 64, 32)
        #expect(try ResizeTransformer.thumbnail(16).applied(to: picture.premultiplied).size == size(16, 8))
        try ResizeTransformer.thumbnail(100).expectNothingDone(to: picture)
    }

    @Test func paddingPutsThePictureInTheMiddleOfTransparentBars() throws {
        let padded = try ResizeTransformer(size(10, 9), mode: .aspectFitPadded)
            .applied(to: Picture(4, 3, of: [9, 8, 7, 255]))
        #expect(
            padded
                == Picture(10, 9) { x, y in (3...6).contains(x) && (3...5).contains(y) ? [9, 8, 7, 255] : [0, 0, 0, 0] }
        )
    }

    @Test func straightPixelsAreMultipliedFirst() throws {
        let picture = Picture(random: 6, 5)
        let cropped = try CropTransformer(size(6, 4), at: .top).applied(to: picture, alpha: .straight)
        #expect(cropped == Picture(6, 4) { x, y in picture.premultiplied[x, y] })
    }

    @Test func hugeAndEmptySizesAreCutOrThrow() throws {
        let picture = Picture(random: 3, 2).premultiplied
        #expect(try ResizeTransformer(size(0, -5), mode: .fill).applied(to: picture).size == size(1, 1))
        for mode in ResizeTransformer.Mode.allCases where mode != .aspectFit {
            try ResizeTransformer(size(.max, .max), mode: mode, allowsUpscaling: true)
                .expectError(.limitExceeded, on: picture)
        }
    }

    /// For each case: two 32-bit sizes and the premultiplied pixels. Answers with Pillow's LANCZOS of the middle part
    /// of the box's proportions.
    private static let script = """
        import struct, sys
        from PIL import Image
        data = open(sys.argv[1], "rb").read()
        out = open(sys.argv[2], "wb")
        at = 0
        while at < len(data):
            w, h, ow, oh = struct.unpack_from("<4I", data, at)
            at += 16
            picture = Image.frombytes("RGBa", (w, h), data[at:at + w * h * 4])
            at += w * h * 4
            shrink = min(w / ow, h / oh)
            x, y = (w - ow * shrink) / 2, (h - oh * shrink) / 2
            box = (x, y, x + ow * shrink, y + oh * shrink)
            out.write(picture.resize((ow, oh), Image.LANCZOS, box).tobytes())
        """

    @Test(.enabled(if: Pillow.isAvailable))
    func aspectFillEqualsPillowAwayFromTheCut() throws {
        let cases = [(90, 60, 20, 20), (60, 91, 31, 17), (50, 30, 100, 100), (33, 70, 33, 20), (200, 100, 9, 30)]
        var input = Data()
        let pictures = cases.map { Picture.premultiplied(random: $0.0, $0.1) }
        for (picture, numbers) in zip(pictures, cases) {
            for side in [numbers.0, numbers.1, numbers.2, numbers.3] {
                withUnsafeBytes(of: UInt32(side).littleEndian) { input.append(contentsOf: $0) }
            }
            input.append(contentsOf: picture.bytes)
        }
        var output = try Pillow.run(Self.script, input: input)[...]
        for (picture, numbers) in zip(pictures, cases) {
            let (width, height) = (numbers.2, numbers.3)
            let bytes = Array(output.prefix(width * height * 4))
            output = output.dropFirst(bytes.count)
            let oracle = Picture(width: width, height: height, bytes: bytes).clamped
            let transformer = ResizeTransformer(size(width, height), mode: .aspectFill, allowsUpscaling: true)
            let filled = try transformer.applied(to: picture)
            // Pillow does not look at pixels beside the cut; the filter reaches three of them, in the larger grid.
            let shrink = min(Double(numbers.0) / Double(width), Double(numbers.1) / Double(height))
            let margin = Int((3 / min(1, shrink)).rounded(.up))
            for y in margin..<max(margin, height - margin) {
                for x in margin..<max(margin, width - margin) {
                    for (a, b) in zip(filled[x, y], oracle[x, y]) { #expect(abs(Int(a) - Int(b)) <= 2) }
                }
            }
        }
    }

    @Test func smartCropKeepsWhatStandsOut() throws {
        for (place, isWide) in [(5, true), (70, true), (5, false), (70, false)] {
            // A red square on grey, far from the middle.
            let picture = Picture(isWide ? 90 : 30, isWide ? 30 : 90) { x, y in
                let (along, across) = isWide ? (x, y) : (y, x)
                return (place..<(place + 12)).contains(along) && (8..<20).contains(across)
                    ? [220, 20, 20, 255] : [128, 128, 128, 255]
            }
            let cropped = try SmartCropTransformer(size(15, 15)).applied(to: picture)
            #expect(cropped.size == size(15, 15))
            let red = (0..<225).count { cropped.bytes[$0 * 4] > 200 && cropped.bytes[$0 * 4 + 1] < 60 }
            // 12 × 12 at half the size are 36; the edges are soft.
            #expect(red >= 25)
        }
    }

    @Test func smartCropOfNothingToSeeIsTheMiddle() throws {
        let picture = Picture(80, 20) { x, _ in [UInt8(100 + x), UInt8(100 + x), UInt8(100 + x), 255] }
        let flat = try SmartCropTransformer(size(10, 10)).applied(to: Picture(80, 20, of: [7, 7, 7, 255]))
        #expect(flat == Picture(10, 10, of: [7, 7, 7, 255]))
        let middle = try ResizeTransformer(size(10, 10), mode: .aspectFill).applied(to: picture)
        // An even slope has no edges.
        let cropped = try SmartCropTransformer(size(10, 10)).applied(to: picture)
        #expect(cropped.distance(to: middle) <= 1)
        #expect(try SmartCropTransformer(size(5, 9)).applied(to: Picture(1, 1, of: [1, 2, 3, 255])).size == size(1, 1))
    }
}
