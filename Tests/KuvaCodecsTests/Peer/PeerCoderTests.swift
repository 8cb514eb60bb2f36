import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// What SDWebImage's coder and category tests state and no other suite here does; `docs/coder-tests.md` has them all.
@Suite("SDWebImage's coder tests")
struct PeerCoderTests {
    /// A file that the peer's `verifyCoder` reads, and what is in it.
    struct Sample: Sendable, CustomTestStringConvertible {
        let path: String
        let format: ImageFormat
        let size: PixelSize
        var frames = 1

        init(_ path: String, _ format: ImageFormat, _ width: Int, _ height: Int, frames: Int = 1) {
            (self.path, self.format, self.frames) = (path, format, frames)
            size = PixelSize(width: width, height: height)
        }

        var testDescription: String { path }

        var data: Data {
            get throws { try Data(contentsOf: #require(Corpus.root).appendingPathComponent("formats/\(path)")) }
        }
    }

    static let samples = [
        Sample("jpeg/sd__TestImage.jpg", .jpeg, 80, 60), Sample("png/sd__TestImage.png", .png, 300, 300),
        Sample("heic/sd__TestImage.heic", .heic, 1440, 960), Sample("heic/sd__TestImage.heif", .heic, 1440, 960),
        Sample("webp/sd__TestImageAnimated.webp", .webp, 990, 1050, frames: 8),
        Sample("avif/sd__TestHDR.avif", .avif, 2048, 858),
    ]

    /// 11 to 14, 18, 19 and 25: `verifyCoder`.
    @Test(.enabled(if: Corpus.isPresent), arguments: samples) func verify(sample: Sample) throws {
        try verify(try sample.data, sample)
    }

    /// The same of formats whose files are not among the peer's that the corpus has.
    @Test(.enabled(if: Tool.python != nil), arguments: ["GIF", "PNG", "BMP", "TIFF", "WEBP"])
    func verifyMade(name: String) throws {
        let script = """
            import sys; from PIL import Image
            f = [Image.new('RGB', (120, 90), (40 * n, 9, 200)) for n in range(5)]
            moves = '\(name)' in ('GIF', 'PNG')
            f[0].save(sys.argv[1], '\(name)', **(dict(save_all=True, append_images=f[1:], duration=120) if moves else {}))
            """
        let data = try Tool.run(#require(Tool.python), "-c", script, "@out")
        let formats: [String: ImageFormat] = ["GIF": .gif, "PNG": .apng, "BMP": .bmp, "TIFF": .tiff, "WEBP": .webp]
        let format = try #require(formats[name])
        try verify(data, Sample(name, format, 120, 90, frames: name == "GIF" || name == "PNG" ? 5 : 1))
    }

    private func verify(_ data: Data, _ sample: Sample) throws {
        #expect(ImageFormat(sniffing: data) == sample.format)
        let decoded = try CodecRegistry.builtIn.decode(data)
        #expect(decoded.image.pixelSize == sample.size)
        #expect(decoded.info.frameCount == sample.frames)
        if sample.frames > 1 {
            let frames = try AnimationDecoding(data).allFrames()
            #expect(frames.count == sample.frames)
            #expect(frames.allSatisfy { $0.pixels.width == sample.size.width })
        }

        let box = PixelSize(width: 50, height: 50)
        let square = DecodeOptions(targetSize: TargetSize(box, mode: .exact))
        #expect(try CodecRegistry.builtIn.decode(data, options: square).image.pixelSize == box)
        let fitted = try CodecRegistry.builtIn.decode(data, options: DecodeOptions(targetSize: TargetSize(box)))
        let (width, height) = (Double(sample.size.width), Double(sample.size.height))
        let factor = 50 / max(width, height)
        #expect(abs(Double(fitted.image.pixelSize.width) - width * factor) <= 1)
        #expect(abs(Double(fitted.image.pixelSize.height) - height * factor) <= 1)

        guard EncoderRegistry.builtIn.canEncode(sample.format) else { return }
        let small = try fitted.image.data(as: sample.format)
        #expect(ImageFormat(sniffing: small) == sample.format)
        #expect(try CodecRegistry.builtIn.info(of: small).storedSize == fitted.image.pixelSize)
        let smaller = try fitted.image.data(as: sample.format, maxPixelSize: PixelSize(width: 20, height: 20))
        let side = try CodecRegistry.builtIn.info(of: smaller).storedSize
        #expect(max(side.width, side.height) == 20)
    }

    /// 06, 07, 22 and 23: a picture of 5250 × 3450.
    @Test(.enabled(if: Tool.python != nil)) func largePictures() throws {
        let script = """
            import sys; from PIL import Image
            Image.linear_gradient('L').resize((5250, 3450)).convert('RGB').save(sys.argv[1], 'JPEG')
            """
        let data = try Tool.run(#require(Tool.python), "-c", script, "@out")
        func size(_ set: (inout DecodeOptions) -> Void) throws -> PixelSize {
            var options = DecodeOptions()
            set(&options)
            return try CodecRegistry.builtIn.decode(data, options: options).image.pixelSize
        }
        let within = try size { $0.maximumFrameBytes = DecodeOptions.largeImageBytes }
        let bytes = within.width * within.height * 4
        #expect((59_000_000...60_000_000).contains(bytes))
        #expect(try size { $0.maximumFrameBytes = 1 } == PixelSize(width: 1, height: 1))
        let box = PixelSize(width: 400, height: 300)
        #expect(try size { $0.targetSize = TargetSize(box) } == PixelSize(width: 400, height: 263))

        let whole = try CodecRegistry.builtIn.decode(data).image
        let file = try whole.data(as: .jpeg, maxPixelSize: PixelSize(width: 4000, height: 4000))
        #expect(try CodecRegistry.builtIn.info(of: file).storedSize == PixelSize(width: 4000, height: 2629))
    }

    /// 24: the table of `scaledSize`. A picture or a box without pixels is no size here.
    @Test func scaledSizes() {
        func scaled(_ box: Int, _ mode: TargetSize.Mode, up: Bool) -> [Int] {
            let target = TargetSize(PixelSize(width: box, height: box), mode: mode, allowsUpscaling: up)
            let size = target.outputSize(for: PixelSize(width: 100, height: 200))
            return [size.width, size.height]
        }
        #expect(scaled(150, .aspectFit, up: false) == [75, 150])
        #expect(scaled(150, .aspectFit, up: true) == [75, 150])
        #expect(scaled(300, .aspectFit, up: false) == [100, 200])
        #expect(scaled(300, .aspectFit, up: true) == [150, 300])
        #expect(scaled(150, .exact, up: false) == [100, 150])
        #expect(scaled(150, .exact, up: true) == [150, 150])
    }

    /// 30: the colour that ImageIO got wrong, 0.60, 0.91, 0.91 of 0.20.
    @Test(.enabled(if: Corpus.isPresent)) func indexedPNG() throws {
        let sample = Sample("png/sd__IndexedPNG.png", .png, 687, 123)
        let stored = try CodecRegistry.builtIn.decode(sample.data, options: DecodeOptions(pixels: .stored))
        let pixel = Pixels(stored.image.pixels)[100, 1]
        for (value, expected) in zip(pixel, [153, 232, 232, 51]) { #expect(abs(Int(value) - expected) <= 1) }
    }

    /// 33: a gain map lies behind the picture as a second one; on a display of usual range the first is shown as it is.
    @Test(.enabled(if: Tool.hasJPEG)) func gainMapsArePassedOver() throws {
        let picture = try Tool.run("cjpeg", "-outfile", "@out", "@in", input: Pixels.sample(width: 80, height: 60).ppm)
        let map = try Tool.run("cjpeg", "-outfile", "@out", "@in", input: Pixels.sample(width: 20, height: 15).ppm)
        let both = try CodecRegistry.builtIn.decode(picture + map)
        #expect(both.damage == nil)
        let isEqual = Pixels(both.image.pixels) == Pixels(try CodecRegistry.builtIn.decode(picture).image.pixels)
        #expect(isEqual)
    }

    /// Category 02: a JPEG of quality 1 and one of 0.5 differ in size; bytes that are none give no picture.
    @Test(.enabled(if: Corpus.isPresent)) func multiFormat() throws {
        let image = try CodecRegistry.builtIn.decode(Self.samples[0].data).image
        #expect(try image.data(as: .jpeg, quality: 1).count > image.data(as: .jpeg, quality: 0.5).count)
        #expect(throws: ImageError.self) { try CodecRegistry.builtIn.decode(Data()) }
        #expect(throws: ImageError.self) { try CodecRegistry.builtIn.decode(Data("no picture".utf8)) }
    }
}
