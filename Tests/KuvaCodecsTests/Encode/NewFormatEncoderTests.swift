import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// AVIF and JPEG XL, read back by `avifdec` and `djxl`.
@Suite(
    "Encoders of AVIF and JPEG XL",
    .enabled(if: Tool.isPresent("avifdec") && Tool.isPresent("djxl") && Tool.python != nil)
)
struct NewFormatEncoderTests {
    static let formats = [ImageFormat.avif, .jpegXL].filter { EncoderRegistry.builtIn.canEncode($0) }
    private static let picture = Pixels.sample(width: 161, height: 99)

    /// Another program's pixels of a file, with straight alpha.
    private func read(_ file: Data, as format: ImageFormat) throws -> Pixels {
        let png =
            format == .avif
            ? try Tool.run("avifdec", "-d", "8", "@in.avif", "@out.png", input: file)
            : try Tool.run("djxl", "@in.jxl", "@out.png", input: file)
        return try Pixels.pillow(#require(Tool.python), png)
    }

    /// Of red, green and blue, in decibels.
    private func signalToNoise(_ a: Pixels, _ b: Pixels) -> Double {
        guard a.width == b.width, a.height == b.height else { return 0 }
        var sum = 0
        for index in a.bytes.indices where index % 4 != 3 {
            let difference = Int(a.bytes[index]) - Int(b.bytes[index])
            sum += difference * difference
        }
        return 10 * log10(255 * 255 * Double(a.width * a.height * 3) / Double(max(1, sum)))
    }

    private func alpha(_ pixels: Pixels) -> [UInt8] {
        stride(from: 3, to: pixels.bytes.count, by: 4).map { pixels.bytes[$0] }
    }

    /// The sample's noise of four bits and its hard edges are what no lossy format keeps; a smooth one shows a fault.
    private static let smooth: Pixels = {
        var pixels = Pixels(width: 161, height: 99, bytes: [])
        for y in 0..<99 {
            for x in 0..<161 { pixels.bytes += [UInt8(x * 255 / 160), UInt8(y * 255 / 98), UInt8(255 - x), 255] }
        }
        return pixels
    }()

    @Test(arguments: formats) func qualityIsKept(format: ImageFormat) throws {
        let image = try EncoderTests.image(Self.smooth)
        let good = try image.data(as: format, quality: 0.9)
        let poor = try image.data(as: format, quality: 0.2)
        #expect(ImageFormat(sniffing: good) == format)
        let (fine, coarse) = (try read(good, as: format), try read(poor, as: format))
        #expect(fine.width == 161 && fine.height == 99)
        #expect(signalToNoise(fine, Self.smooth) > 42)
        #expect(signalToNoise(coarse, Self.smooth) > 28)
        #expect(signalToNoise(coarse, Self.smooth) < signalToNoise(fine, Self.smooth))
        #expect(poor.count < good.count)
        let info = try CodecRegistry.builtIn.info(of: good)
        #expect(info.outputLayout.colorSpace == .sRGB && !info.hasAlpha)
    }

    @Test(arguments: formats) func losslessKeepsEveryPixel(format: ImageFormat) throws {
        var options = EncodeOptions()
        options.isLossless = true
        let file = try EncoderTests.image(Self.picture).data(as: format, options: options)
        let isEqual = try read(file, as: format) == Self.picture
        #expect(isEqual)

        let fading = Self.picture.fading
        let faded = try EncoderTests.image(fading.premultiplied, alpha: .premultiplied)
            .data(as: format, options: options)
        let back = try read(faded, as: format).premultiplied.withoutHiddenColour
        let isFadedEqual = back == fading.premultiplied
        #expect(isFadedEqual)
        let ours = try Decoding(faded)
        #expect(ours.info.hasAlpha)
        let isOurs = ours.pixels == fading.premultiplied
        #expect(isOurs)
    }

    @Test(arguments: formats) func lossyKeepsAlpha(format: ImageFormat) throws {
        let fading = Self.smooth.fading
        let file = try EncoderTests.image(fading.premultiplied, alpha: .premultiplied).data(as: format, quality: 0.5)
        let back = try read(file, as: format)
        // libjxl 0.7 has no way to leave alpha out of the loss.
        let worst = zip(alpha(back), alpha(fading)).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(worst <= (format == .avif ? 0 : 6), "\(worst)")
        #expect(signalToNoise(back.premultiplied, fading.premultiplied) > 30)
    }

    @Test(arguments: formats) func everySizeIsWritten(format: ImageFormat) throws {
        for (width, height) in [(1, 1), (1, 7), (7, 1), (2, 3), (65, 64)] {
            let picture = Pixels.sample(width: width, height: height)
            var options = EncodeOptions()
            options.isLossless = true
            let file = try EncoderTests.image(picture).data(as: format, options: options)
            let isEqual = try read(file, as: format) == picture
            #expect(isEqual, "\(width)x\(height)")
        }
    }

    @Test(arguments: formats) func filesKeepToTheirSize(format: ImageFormat) throws {
        let image = try EncoderTests.image(Self.picture)
        let best = try image.data(as: format, quality: 1).count
        let file = try image.data(as: format, quality: 1, maxFileSize: best / 3)
        #expect(file.count <= best / 3 && file.count > best / 8)
        #expect(try read(file, as: format).width == 161)
        let tiny = try image.data(as: format, quality: 1, maxFileSize: 700)
        #expect(tiny.count <= 700)
        let error = #expect(throws: ImageError.self) { try image.data(as: format, maxFileSize: 10) }
        #expect(error?.code == .limitExceeded)
    }

    /// 4:2:0 unless asked for more, as avifdec sees it.
    @Test func chromaOfAVIF() throws {
        let image = try EncoderTests.image(Self.smooth)
        var options = EncodeOptions()
        options.chroma = .full
        #expect(try CodecRegistry.builtIn.info(of: image.data(as: .avif)).pixelDescription == "YUV 4:2:0")
        #expect(
            try CodecRegistry.builtIn.info(of: image.data(as: .avif, options: options)).pixelDescription == "YUV 4:4:4"
        )
        let text = try Tool.run("avifdec", "--info", "@in.avif", input: image.data(as: .avif))
        let lines = String(decoding: text, as: UTF8.self)
        #expect(lines.contains("Color Primaries: 1"), "\(lines)")
        #expect(lines.contains("Transfer Char. : 13"))
    }

    @Test(arguments: EncoderRegistry.builtIn.formats) func cancelledIsNotWritten(format: ImageFormat) throws {
        var options = EncodeOptions()
        let flag = CancellationFlag()
        options.cancellation = flag
        let image = try EncoderTests.image(Self.picture)
        #expect(try !image.data(as: format, options: options).isEmpty)
        flag.cancel()
        let error = #expect(throws: ImageError.self) { try image.data(as: format, options: options) }
        #expect(error?.code == .cancelled)
    }

    @Test func tooLongIsSaid() throws {
        let bytes = [UInt8](repeating: 255, count: 65_537 * 4)
        let wide = try EncoderTests.image(Pixels(width: 65_537, height: 1, bytes: bytes)).pixels
        let error = #expect(throws: ImageError.self) { try AVIFEncoder().encode(wide, options: EncodeOptions()) }
        #expect(error?.code == .limitExceeded)
    }
}
