import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// How near a photograph that is decoded small comes to one that is decoded in full and then made small by Pillow's
/// Lanczos filter, in decibels of all three colours.
@Suite("JPEG scaling", .enabled(if: Corpus.isPresent && Tool.python != nil))
struct JPEGScalingTests {
    /// Photographs so large that scaling is in the transform, without a profile to convert.
    static let photographs = Corpus.entries("photos").filter {
        min($0.number("width"), $0.number("height")) >= 600 && ($0["icc"].isEmpty || $0["icc"].hasPrefix("sRGB"))
            && $0["mode"].contains("3c")
    }

    static func reference(_ file: Data, _ size: PixelSize) throws -> Pixels {
        let script = """
            import sys; from PIL import Image, ImageOps
            i = ImageOps.exif_transpose(Image.open(sys.argv[1])).convert('RGB')
            i = i.resize((int(sys.argv[2]), int(sys.argv[3])), Image.Resampling.LANCZOS).convert('RGBA')
            sys.stdout.buffer.write(i.width.to_bytes(4, 'big') + i.height.to_bytes(4, 'big') + i.tobytes())
            """
        let python = try #require(Tool.python)
        let (width, height) = ("\(size.width)", "\(size.height)")
        return Pixels(sized: [UInt8](try Tool.run(python, "-c", script, "@in", width, height, input: file)))
    }

    static func decibels(_ a: Pixels, _ b: Pixels) -> Double {
        var (sum, count) = (0, 0)
        for index in a.bytes.indices where index % 4 != 3 {
            let difference = Int(a.bytes[index]) - Int(b.bytes[index])
            (sum, count) = (sum + difference * difference, count + 1)
        }
        return 10 * log10(255 * 255 * Double(count) / Double(max(1, sum)))
    }

    @Test func nearness() throws {
        #expect(Self.photographs.count >= 5)
        var (standard, best) = ([Double](), [Double]())
        for entry in Self.photographs {
            let file = try entry.data
            var options = DecodeOptions(targetSize: TargetSize(PixelSize(width: 400, height: 400)))
            let small = Pixels(try CodecRegistry.builtIn.decode(file, options: options).image.pixels)
            let reference = try Self.reference(file, PixelSize(width: small.width, height: small.height))
            standard.append(Self.decibels(small, reference))
            options.scalingQuality = .best
            best.append(
                Self.decibels(Pixels(try CodecRegistry.builtIn.decode(file, options: options).image.pixels), reference)
            )
        }
        let sorted = standard.sorted()
        #expect(sorted[0] >= 38, "\(standard)")
        #expect(sorted[sorted.count / 2] >= 45, "\(standard)")
        #expect(best.allSatisfy { $0 >= 40 }, "\(best)")
    }

    @Test func bestCoversOneAndAHalfTimesTheTarget() {
        func denominator(_ side: Int) -> Int {
            let (stored, output) = (PixelSize(width: 1200, height: 1200), PixelSize(width: side, height: side))
            return JPEGDecoder.denominator(for: stored, covering: output, quality: .best)
        }
        #expect(denominator(401) == 1)
        #expect(denominator(400) == 2)
        #expect(denominator(200) == 4)
        #expect(denominator(100) == 8)
    }
}
