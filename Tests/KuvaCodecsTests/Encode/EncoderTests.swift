import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// What the encoders write, read back by other programs.
@Suite("Encoders", .enabled(if: Tool.hasJPEG && Tool.hasWebP && Tool.python != nil))
struct EncoderTests {
    static func image(_ pixels: Pixels, alpha: AlphaMode = .opaque) throws -> Image {
        let layout = try PixelLayout(size: PixelSize(width: pixels.width, height: pixels.height), alpha: alpha)
        var canvas = try PixelBufferPool.shared.canvas(layout)
        canvas.withUnsafeMutableBytes { $0.copyBytes(from: pixels.bytes) }
        return Image(pixels: canvas.freeze())
    }

    private func read(_ file: Data) throws -> Pixels { try Pixels.pillow(#require(Tool.python), file) }

    private func meanDifference(_ a: Pixels, _ b: Pixels) -> Double {
        Double(zip(a.bytes, b.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(a.bytes.count)
    }

    @Test func jpegIsTheLibrarys() throws {
        let picture = Pixels.sample(width: 97, height: 61)
        let file = try Self.image(picture).data(as: .jpeg, quality: 0.9)
        // The same library with the same settings in another program.
        let theirs = try Tool.run(
            "cjpeg",
            "-quality",
            "90",
            "-optimize",
            "-progressive",
            "-outfile",
            "@out",
            "@in",
            input: picture.ppm
        )
        #expect(try read(file) == (try read(theirs)))
        var options = EncodeOptions()
        options.chroma = .full
        options.isProgressive = false
        let sharp = try Self.image(picture).data(as: .jpeg, quality: 0.9, options: options)
        let sharpTheirs = try Tool.run(
            "cjpeg",
            "-quality",
            "90",
            "-sample",
            "1x1",
            "-outfile",
            "@out",
            "@in",
            input: picture.ppm
        )
        #expect(try read(sharp) == (try read(sharpTheirs)))
        #expect(try CodecRegistry.builtIn.info(of: sharp).pixelDescription == "YCbCr 4:4:4")
        #expect(try CodecRegistry.builtIn.info(of: file).pixelDescription == "YCbCr 4:2:0, progressive")
    }

    @Test func jpegLiesOverItsBackground() throws {
        let clear = Pixels(width: 16, height: 16, bytes: [UInt8](repeating: 0, count: 16 * 16 * 4))
        let half = Pixels(width: 16, height: 16, bytes: (0..<256).flatMap { _ in [100, 0, 0, 128] as [UInt8] })
        func first(_ pixels: Pixels, _ ground: Color) throws -> [UInt8] {
            let file = try Self.image(pixels, alpha: .premultiplied).data(as: .jpeg, quality: 1, background: ground)
            return try read(file)[8, 8]
        }
        #expect(try first(clear, .white) == [255, 255, 255, 255])
        #expect(try first(clear, .black) == [0, 0, 0, 255])
        // 100 + 200 × 127 / 255 = 199.6; JPEG itself moves a level or two.
        let mixed = try first(half, Color(red: 200, green: 0, blue: 0))
        #expect(abs(Int(mixed[0]) - 200) <= 2 && mixed[1] <= 2 && mixed[2] <= 2)
    }

    @Test func losslessWebPKeepsEveryPixel() throws {
        var options = EncodeOptions()
        options.isLossless = true
        let picture = Pixels.sample(width: 97, height: 61)
        let file = try Self.image(picture).data(as: .webp, options: options)
        #expect(try #require(Pixels(pam: try Tool.run("dwebp", "-pam", "@in", "-o", "@out", input: file))) == picture)

        let fading = picture.fading
        let faded = try Self.image(fading.premultiplied, alpha: .premultiplied).data(as: .webp, options: options)
        let back = try #require(Pixels(pam: try Tool.run("dwebp", "-pam", "@in", "-o", "@out", input: faded)))
        #expect(back.premultiplied.withoutHiddenColour == fading.premultiplied)
    }

    @Test func lossyWebPIsTheLibrarys() throws {
        let picture = Pixels.sample(width: 97, height: 61)
        let file = try Self.image(picture).data(as: .webp, quality: 0.8)
        let theirs = try Tool.run("cwebp", "-q", "80", "@in", "-o", "@out", input: picture.ppm)
        #expect(abs(file.count - theirs.count) < theirs.count / 20)
        #expect(meanDifference(try read(file), try read(theirs)) < 1)
    }

    /// The sums of red, green and blue in a square.
    private func sums(_ pixels: Pixels, _ x: Int, _ y: Int, side: Int) -> [Int] {
        var result = [0, 0, 0]
        for row in y..<y + side {
            for column in x..<x + side {
                let start = (row * pixels.width + column) * 4
                for channel in 0..<3 { result[channel] += Int(pixels.bytes[start + channel]) }
            }
        }
        return result
    }

    /// Few colours are kept; of many, the mean over an area is that of the picture, which dithering is for.
    @Test func gif() throws {
        var few = Pixels(width: 40, height: 30, bytes: [])
        for pixel in 0..<1200 {
            let (red, green) = (UInt8(pixel % 16 * 17), UInt8(pixel / 150 * 30))
            few.bytes += [red, green, 9, 255]
        }
        let file = try Self.image(few).data(as: .gif)
        #expect(try read(file) == few)

        let many = Pixels.sample(width: 160, height: 120)
        let dithered = try read(try Self.image(many).data(as: .gif))
        for y in stride(from: 0, to: 120, by: 40) {
            for x in stride(from: 0, to: 160, by: 40) {
                for (one, other) in zip(sums(many, x, y, side: 40), sums(dithered, x, y, side: 40)) {
                    #expect(abs(one - other) < 40 * 40 * 3)
                }
            }
        }
        let theirs = """
            import sys, io; from PIL import Image
            i = Image.open(sys.argv[1]).convert('RGB'); few = i.quantize(256, method=Image.Quantize.MEDIANCUT)
            i = i.quantize(palette=few, dither=Image.Dither.FLOYDSTEINBERG).convert('RGBA')
            sys.stdout.buffer.write(i.width.to_bytes(4, 'big') + i.height.to_bytes(4, 'big') + i.tobytes())
            """
        let peer = try Pixels(sized: [UInt8](Tool.run(#require(Tool.python), "-c", theirs, "@in", input: many.ppm)))
        #expect(
            meanDifference(many, dithered) < meanDifference(many, peer) * 1.15,
            "no coarser than Pillow's"
        )
    }

    @Test func gifIsTransparentOrNot() throws {
        let fading = Pixels.sample(width: 97, height: 61).fading
        let file = try Self.image(fading.premultiplied, alpha: .premultiplied).data(as: .gif)
        let back = try read(file)
        for pixel in 0..<97 * 61 {
            #expect(back.bytes[pixel * 4 + 3] == (fading.bytes[pixel * 4 + 3] < 128 ? 0 : 255))
        }
        let clear = Pixels(width: 5, height: 3, bytes: [UInt8](repeating: 0, count: 60))
        #expect(try read(try Self.image(clear, alpha: .premultiplied).data(as: .gif)).withoutHiddenColour == clear)
    }

    /// All code lengths and table resets: noise of each number of colours, in sizes around the ends of sub-blocks.
    @Test(arguments: [1, 2, 3, 5, 16, 17, 100, 255, 256]) func gifCodesAreThoseOfTheFormat(colours: Int) throws {
        for (width, height) in [(1, 1), (7, 1), (253, 2), (300, 100)] {
            var (pixels, state) = (Pixels(width: width, height: height, bytes: []), UInt32(colours))
            for _ in 0..<width * height {
                state = state &* 1_664_525 &+ 1_013_904_223
                let index = UInt8(truncatingIfNeeded: Int(state >> 16) % colours)
                pixels.bytes += [index, 255 - index, index / 2, 255]
            }
            #expect(try read(try Self.image(pixels).data(as: .gif)) == pixels)
        }
    }

    @Test func filesKeepToTheirSize() throws {
        let picture = try Self.image(Pixels.sample(width: 300, height: 200))
        for format in [ImageFormat.jpeg, .webp] {
            let best = try picture.data(as: format, quality: 1).count
            let least = try picture.data(as: format, quality: 0).count
            for limit in [best, best / 2, (best + 3 * least) / 4, least] {
                let file = try picture.data(as: format, quality: 1, maxFileSize: limit)
                #expect(file.count <= limit)
                #expect(try read(file).width == 300, "quality is enough")
            }
            // As good as the limit allows: one step more would not have fitted by much.
            #expect(try picture.data(as: format, quality: 1, maxFileSize: best / 2).count > best / 4)
            let small = try picture.data(as: format, quality: 1, maxFileSize: least / 2)
            #expect(small.count <= least / 2)
            #expect((30..<300).contains(try read(small).width))
        }
        #expect(try picture.data(as: .png, maxFileSize: 5000).count <= 5000)
        let error = #expect(throws: ImageError.self) { try picture.data(as: .png, maxFileSize: 20) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func picturesAreScaledDownAndNeverUp() throws {
        let picture = try Self.image(Pixels.sample(width: 300, height: 200))
        func size(_ box: PixelSize) throws -> [Int] {
            let pixels = try read(try picture.data(as: .png, maxPixelSize: box))
            return [pixels.width, pixels.height]
        }
        #expect(try size(PixelSize(width: 150, height: 150)) == [150, 100])
        #expect(try size(PixelSize(width: 4000, height: 4000)) == [300, 200])
    }

    @Test func whatCannotBeWrittenIsSaid() throws {
        let picture = try Self.image(Pixels.sample(width: 4, height: 4))
        let error = #expect(throws: ImageError.self) { try picture.data(as: .bmp) }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.advice.contains("avif, gif, jpeg, ") == true)
        let straight = try Self.image(Pixels.sample(width: 4, height: 4), alpha: .straight)
        let registry = EncoderRegistry.builtIn
        for encoder in registry.formats.compactMap({ registry[$0] }) {
            let refused = #expect(throws: ImageError.self) {
                try encoder.encode(straight.pixels, options: EncodeOptions())
            }
            #expect(refused?.code == .unsupportedFormat)
        }
        let wide = try Self.image(Pixels(width: 16_384, height: 1, bytes: [UInt8](repeating: 255, count: 16_384 * 4)))
        #expect(throws: ImageError.self) { try wide.data(as: .webp) }
    }
}
