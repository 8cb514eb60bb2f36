import CKuvaPixels
import KuvaCore
import Testing

@Suite("Pixel kernels")
struct PixelKernelTests {
    static let levels = Array(Int32(KUVA_PIXELS_SCALAR)...kuva_pixels_best_level())
    static let vectorLevels = levels.dropFirst()

    private func filled(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
        // Room on both sides shows bytes written where none should be.
        var bytes = [UInt8](repeating: 0xEE, count: count + 64)
        bytes.withUnsafeMutableBufferPointer { body($0.baseAddress! + 32) }
        #expect(bytes.prefix(32).allSatisfy { $0 == 0xEE } && bytes.suffix(32).allSatisfy { $0 == 0xEE })
        return Array(bytes.dropFirst(32).dropLast(32))
    }

    @Test(arguments: levels)
    func premultiplyRoundsToNearestForEveryColourAndAlpha(_ level: Int32) {
        var pixels: [UInt8] = []
        var expected: [UInt8] = []
        for alpha in 0...255 {
            for colour in 0...255 {
                let channels = [colour, 255 - colour, (colour + 85) % 256]
                pixels += channels.map { UInt8($0) } + [UInt8(alpha)]
                expected += channels.map { UInt8((2 * $0 * alpha + 255) / 510) } + [UInt8(alpha)]
            }
        }
        let copied = filled(pixels.count) { #expect(kuva_pixels_premultiply(level, $0, pixels, 65_536) == 0) }
        #expect(copied == expected)
        let inPlace = pixels.withUnsafeMutableBufferPointer { buffer in
            _ = kuva_pixels_premultiply(level, buffer.baseAddress!, buffer.baseAddress!, 65_536)
            return Array(buffer)
        }
        #expect(inPlace == expected)
    }

    @Test(arguments: levels)
    func opacityIsSeenAtEveryPlaceOfEveryLength(_ level: Int32) {
        for count in 0...40 {
            let opaque = [UInt8](repeating: 255, count: count * 4)
            _ = filled(count * 4) { #expect(kuva_pixels_premultiply(level, $0, opaque, count) == 1) }
            _ = filled(count * 4) { #expect(kuva_pixels_clamp(level, $0, opaque, count) == 1) }
            for place in 0..<count {
                var pixels = opaque
                pixels[place * 4 + 3] = 254
                _ = filled(count * 4) { #expect(kuva_pixels_premultiply(level, $0, pixels, count) == 0) }
                _ = filled(count * 4) { #expect(kuva_pixels_clamp(level, $0, pixels, count) == 0) }
            }
        }
    }

    @Test(arguments: levels)
    func clampCutsColourToAlphaAtEveryLength(_ level: Int32) {
        for count in 0...40 {
            let picture = Picture(random: count, 1)
            let clamped = filled(count * 4) { _ = kuva_pixels_clamp(level, $0, picture.bytes, count) }
            #expect(clamped == picture.clamped.bytes)
        }
    }

    /// Every alpha above every colour below, by the definition in exact fractions.
    @Test(arguments: levels)
    func blendIsOverRoundedToNearest(_ level: Int32) {
        var (above, below, expected) = ([UInt8](), [UInt8](), [UInt8]())
        for alpha in 0...255 {
            for colour in 0...255 {
                let top = [alpha, alpha / 2, 0, alpha]
                let bottom = [colour, 255 - colour, (colour + 85) % 256, colour]
                above += top.map { UInt8($0) }
                below += bottom.map { UInt8($0) }
                for (source, destination) in zip(top, bottom) {
                    let kept: Int = (2 * destination * (255 - alpha) + 255) / 510
                    expected.append(UInt8(min(255, source + kept)))
                }
            }
        }
        for count in [65_536, 65_533, 7, 1, 0] {
            let blended = filled(count * 4) { out in
                below.withUnsafeBufferPointer { out.update(from: $0.baseAddress!, count: count * 4) }
                kuva_pixels_draw_over(level, out, above, count)
            }
            #expect(blended == Array(expected.prefix(count * 4)))
        }
    }

    @Test(arguments: levels)
    func transposeExchangesRowsAndColumns(_ level: Int32) {
        for width in 1...19 {
            for height in 1...19 {
                let picture = Picture(random: width, height)
                let turned = filled(width * height * 4) {
                    kuva_pixels_transpose(level, $0, height * 4, picture.bytes, width * 4, width, height)
                }
                let expected = (0..<width).flatMap { x in (0..<height).flatMap { y in picture[x, y] } }
                #expect(turned == expected)
            }
        }
    }

    @Test func reverseTurnsARowAround() {
        for count in 0...40 {
            let picture = Picture(random: count, 1)
            let reversed = filled(count * 4) { kuva_pixels_reverse($0, picture.bytes, count) }
            #expect(reversed == (0..<count).reversed().flatMap { picture[$0, 0] })
        }
    }
}
