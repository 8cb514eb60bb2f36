import KuvaCore
import Testing

@Suite("Pixel buffers: straight and flat")
struct PixelConversionTests {
    /// Every alpha with every colour that it allows.
    private func everyPixel() throws -> PixelBuffer {
        let pixels = (0...255).flatMap { alpha in (0...alpha).map { (UInt8($0), UInt8(alpha)) } }
        let layout = try PixelLayout(size: PixelSize(width: pixels.count, height: 1))
        var canvas = try PixelBufferPool.shared.canvas(layout)
        canvas.withUnsafeMutableBytes { bytes in
            for (index, pixel) in pixels.enumerated() {
                let (colour, alpha) = pixel
                (bytes[4 * index], bytes[4 * index + 1]) = (colour, alpha - colour)
                (bytes[4 * index + 2], bytes[4 * index + 3]) = (alpha, alpha)
            }
        }
        return canvas.freeze()
    }

    private func compare(
        _ a: PixelBuffer,
        _ b: PixelBuffer,
        _ rule: (_ before: Int, _ alpha: Int, _ channel: Int) -> Int
    ) {
        var wrong = 0
        a.withUnsafeBytes { before in
            b.withUnsafeBytes { after in
                for start in stride(from: 0, to: before.count, by: 4) {
                    for channel in 0..<3 {
                        let expected = rule(Int(before[start + channel]), Int(before[start + 3]), channel)
                        if Int(after[start + channel]) != expected { wrong += 1 }
                    }
                }
            }
        }
        #expect(wrong == 0)
    }

    @Test func straightIsRoundedToNearest() throws {
        let pixels = try everyPixel()
        let straight = try pixels.straightened()
        #expect(straight.layout.alpha == .straight)
        compare(pixels, straight) { colour, alpha, _ in alpha == 0 ? 0 : (2 * 255 * colour + alpha) / (2 * alpha) }
    }

    @Test func flatIsOverItsGround() throws {
        let pixels = try everyPixel()
        let flat = try pixels.flattened(over: Color(red: 10, green: 200, blue: 255, alpha: 0))
        #expect(flat.layout.alpha == .opaque)
        compare(pixels, flat) { colour, alpha, channel in
            colour + (2 * [10, 200, 255][channel] * (255 - alpha) + 255) / 510
        }
        flat.withUnsafeBytes { bytes in
            #expect(stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 })
        }
    }

    @Test func whatIsAlreadySoIsNotCopied() throws {
        let layout = try PixelLayout(size: PixelSize(width: 2, height: 2), alpha: .opaque)
        let opaque = try PixelBufferPool.shared.canvas(layout).freeze()
        #expect(try opaque.straightened() === opaque)
        #expect(try opaque.flattened(over: .white) === opaque)
    }
}
