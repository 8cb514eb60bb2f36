import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// What the encoder writes is read back by Pillow, which shares no code with it but zlib.
@Suite("PNG encoder", .enabled(if: Tool.python != nil))
struct PNGEncoderTests {
    /// Pixels that any thread of a test can rebuild: noise, gradients and flat parts, premultiplied.
    private static func picture(
        width: Int,
        height: Int,
        alpha: AlphaMode,
        _ pixel: (_ x: Int, _ y: Int) -> (r: Int, g: Int, b: Int, a: Int)
    ) throws -> PixelBuffer {
        var canvas = try PixelBufferPool.shared.canvas(PixelLayout(size: PixelSize(width: width, height: height)))
        canvas.withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let (r, g, b, a) = pixel(x, y)
                    for (channel, value) in [r * a / 255, g * a / 255, b * a / 255, a].enumerated() {
                        bytes[(y * width + x) * 4 + channel] = UInt8(value)
                    }
                }
            }
        }
        return canvas.freeze(alpha: alpha)
    }

    /// The mode that Pillow gives the file and its pixels as straight RGBA.
    private func read(_ file: Data) throws -> (mode: String, pixels: [UInt8]) {
        let script = """
            import sys
            from PIL import Image
            with Image.open(sys.argv[1]) as check: check.verify()
            image = Image.open(sys.argv[1])
            open(sys.argv[2], 'wb').write(image.mode.encode() + b'\\n' + image.convert('RGBA').tobytes())
            """
        let output = try Tool.run(try #require(Tool.python), "-c", script, "@in", "@out", input: file)
        let end = try #require(output.firstIndex(of: UInt8(ascii: "\n")))
        return (String(decoding: output[..<end], as: UTF8.self), Array(output[(end + 1)...]))
    }

    /// What premultiplied pixels are with straight alpha, worked out in floating point.
    private func straight(_ pixels: PixelBuffer) -> [UInt8] {
        pixels.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).flatMap { start -> [UInt8] in
                let alpha = bytes[start + 3]
                guard alpha > 0 else { return [0, 0, 0, 0] }
                let colour = (0..<3).map { channel in
                    UInt8(min(255, (Double(bytes[start + channel]) * 255 / Double(alpha)).rounded()))
                }
                return colour + [alpha]
            }
        }
    }

    @Test(arguments: [(1, 1), (1, 7), (5, 1), (64, 33), (301, 7)])
    func alphaIsWrittenStraight(width: Int, height: Int) throws {
        let pixels = try Self.picture(width: width, height: height, alpha: .premultiplied) { x, y in
            (r: (x * 37 + y * 11) % 256, g: x % 256, b: y * 5 % 256, a: (x * 7 + y * 3) % 256)
        }
        let (mode, read) = try read(PNGEncoder().encode(pixels))
        #expect(mode == "RGBA")
        #expect(read == straight(pixels))
    }

    @Test func opaquePicturesHaveNoAlphaChannel() throws {
        let pixels = try Self.picture(width: 40, height: 30, alpha: .opaque) { x, y in (x * 6, y * 8, x * y % 256, 255)
        }
        let (mode, read) = try read(PNGEncoder().encode(pixels))
        #expect(mode == "RGB")
        #expect(read == pixels.withUnsafeBytes { Array($0) })
    }

    /// Noise does not deflate, so the image data are several pieces of output long.
    @Test(arguments: [-5, 0, 1, 9, 100])
    func everyLevelGivesTheSamePixels(level: Int) throws {
        var state: UInt32 = 1
        func noise() -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 24)
        }
        let pixels = try Self.picture(width: 300, height: 200, alpha: .opaque) { _, _ in
            (noise(), noise(), noise(), 255)
        }
        let file = try PNGEncoder(compressionLevel: level).encode(pixels)
        #expect(try read(file).pixels == pixels.withUnsafeBytes { Array($0) })
    }

    /// Each row has what one filter is best at (PNG, third edition, §9.2), so all five occur.
    @Test func allFiltersAreUsedWhereTheyHelp() throws {
        var state: UInt32 = 1
        let noise: [Int] = (0..<64).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 24)
        }
        var rows: [[Int]] = [
            (0..<64).map { $0 % 8 == 3 ? 1 : 0 },  // none: nearly all zeros
            (0..<64).map { $0 * 4 },  // sub: an even slope
            noise,
            noise.map { ($0 + 1) % 256 },  // up: the row above once more
        ]
        var left = 0
        rows.append(
            rows[3].map { above in  // average: half way between left and above
                left = (left + above) / 2
                return left
            }
        )
        // Paeth: equal to the one above on one side of an edge that moves, and to the one on the left on the other.
        rows.append((0..<64).map { $0 < 32 ? rows[4][$0] : rows[4][31] })
        let pixels = try Self.picture(width: 64, height: rows.count, alpha: .opaque) { x, y in
            (rows[y][x], rows[y][x], rows[y][x], 255)
        }
        let script = """
            import sys, zlib
            data = open(sys.argv[1], 'rb').read()
            image, at = b'', 8
            while at < len(data):
                count = int.from_bytes(data[at:at + 4], 'big')
                if data[at + 4:at + 8] == b'IDAT': image += data[at + 8:at + 8 + count]
                at += 12 + count
            rows = zlib.decompress(image)
            open(sys.argv[2], 'wb').write(rows[::64 * 3 + 1])
            """
        let file = try PNGEncoder().encode(pixels)
        let filters = try Tool.run(try #require(Tool.python), "-c", script, "@in", "@out", input: file)
        #expect(filters.count == rows.count)
        // No filter helps the noise.
        #expect(filters.enumerated().filter { $0.offset != 2 }.map(\.element) == [0, 1, 2, 3, 4])
        #expect(try read(file).pixels == pixels.withUnsafeBytes { Array($0) })
    }

    @Test func cancelledWorkEnds() throws {
        let pixels = try Self.picture(width: 4, height: 4, alpha: .opaque) { _, _ in (1, 2, 3, 255) }
        let flag = CancellationFlag()
        flag.cancel()
        let error = #expect(throws: ImageError.self) { try PNGEncoder().encode(pixels, cancellation: flag) }
        #expect(error?.code == .cancelled)
    }

    @Test func straightAlphaIsRefused() throws {
        let pixels = try Self.picture(width: 4, height: 4, alpha: .straight) { _, _ in (1, 2, 3, 4) }
        let error = #expect(throws: ImageError.self) { try PNGEncoder().encode(pixels) }
        #expect(error?.code == .unsupportedFormat)
    }
}
