import CKuvaPixels
import KuvaTesting
import Testing

/// Scalar kernels against plain arithmetic, the others against scalar, at every length.
@Suite("Transform kernels")
struct TransformKernelTests {
    static let levels = PixelKernelTests.levels

    private static let margin = [UInt8](repeating: 0xEE, count: 32)

    private func filled(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: count * 4 + 64)
        bytes.withUnsafeMutableBufferPointer { body($0.baseAddress! + 32) }
        #expect(bytes.prefix(32) == Self.margin[...] && bytes.suffix(32) == Self.margin[...])
        return Array(bytes.dropFirst(32).dropLast(32))
    }

    private func pixels(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        Picture(random: count, 1, seed: seed).premultiplied.bytes
    }

    @Test(arguments: levels)
    func matrixIsTheRoundedSumCutToAlpha(_ level: Int32) {
        var generator = SeededGenerator(seed: 3)
        for count in 0...40 {
            let input = pixels(count)
            let matrix = (0..<16).map { _ in Int16.random(in: -3000...3000, using: &generator) }
            let offsets = (0..<4).map { _ in Int32.random(in: -300_000...300_000, using: &generator) }
            let output = filled(count) { _ = kuva_pixels_matrix(level, $0, input, count, matrix, offsets) }
            for pixel in 0..<count {
                let exact = (0..<4).map { row in
                    let products = (0..<4).map { Double(input[pixel * 4 + $0]) * Double(matrix[row * 4 + $0]) }
                    return ((products.reduce(0, +) + Double(offsets[row])) / 2048 + 0.5).rounded(.down)
                }
                let alpha = max(0, min(255, exact[3]))
                let expected = exact[..<3].map { max(0, min(alpha, $0)) } + [alpha]
                #expect(output[(pixel * 4)..<(pixel * 4 + 4)].map { Double($0) } == expected)
            }
        }
    }

    @Test(arguments: levels)
    func matrixStandsItsLargestNumbers(_ level: Int32) {
        let white = [UInt8](repeating: 255, count: 16 * 4)
        for extreme in [Int16.max, Int16.min] {
            let matrix = [Int16](repeating: extreme, count: 16)
            let offset: Int32 = extreme > 0 ? 1 << 27 : -(1 << 27)
            let output = filled(16) {
                _ = kuva_pixels_matrix(level, $0, white, 16, matrix, [offset, offset, offset, offset])
            }
            #expect(output == [UInt8](repeating: extreme > 0 ? 255 : 0, count: 64))
        }
    }

    @Test(arguments: levels)
    func mixIsTheRoundedSum(_ level: Int32) {
        var generator = SeededGenerator(seed: 4)
        for count in 0...40 {
            let input = pixels(count)
            let colour: [UInt8] = [200, 0, 77, 201]
            let first = (0..<count).map { $0 % 3 == 0 ? 255 : UInt8.random(in: 0...255, using: &generator) }
            let second = first.map { UInt8.random(in: 0...(255 - $0), using: &generator) }
            let output = filled(count) { _ = kuva_pixels_mix(level, $0, input, count, first, colour, second) }
            let expected = (0..<(count * 4)).map { index in
                let (a, b) = (
                    Int(input[index]) * Int(first[index / 4]), Int(colour[index % 4]) * Int(second[index / 4])
                )
                return UInt8((2 * (a + b) + 255) / 510)
            }
            #expect(output == expected)
        }
    }

    @Test(arguments: levels)
    func overIsSourceOver(_ level: Int32) {
        for count in 0...40 {
            for opacity in [0, 1, 128, 254, 255] {
                let (bottom, top) = (pixels(count), pixels(count, seed: 9))
                let output = filled(count) {
                    _ = kuva_pixels_over(level, $0, bottom, top, count, UInt32(opacity))
                }
                let expected = (0..<(count * 4)).map { index -> UInt8 in
                    let alpha: Int = (2 * Int(top[index / 4 * 4 + 3]) * opacity + 255) / 510
                    let above: Int = (2 * Int(top[index]) * opacity + 255) / 510
                    let below: Int = (2 * Int(bottom[index]) * (255 - alpha) + 255) / 510
                    return UInt8(above + below)
                }
                #expect(output == expected)
            }
        }
    }

    @Test(arguments: levels)
    func opacityIsSeenAtEveryPlace(_ level: Int32) {
        let identity: [Int16] = (0..<16).map { $0 % 5 == 0 ? 2048 : 0 }
        for count in 1...20 {
            let whole = [UInt8](repeating: 255, count: count)
            let none = [UInt8](repeating: 0, count: count)
            for clear in 0...count {
                var input = [UInt8](repeating: 255, count: count * 4)
                if clear < count { input[clear * 4 + 3] = 254 }
                let bottom = [UInt8](repeating: 0, count: count * 4)
                let expected: Int32 = clear == count ? 1 : 0
                _ = filled(count) {
                    #expect(kuva_pixels_matrix(level, $0, input, count, identity, [0, 0, 0, 0]) == expected)
                    #expect(kuva_pixels_mix(level, $0, input, count, whole, [0, 0, 0, 0], none) == expected)
                    #expect(kuva_pixels_over(level, $0, bottom, input, count, 255) == expected)
                }
            }
        }
    }

    @Test func straightColourIsTheRoundedQuotientOfEveryPair() {
        var input: [UInt8] = []
        for alpha in 1...255 { for colour in 0...alpha { input += [UInt8(colour), 0, 0, UInt8(alpha)] } }
        let count = input.count / 4
        var counts = [UInt64](repeating: 0, count: 1024)
        kuva_pixels_histogram(&counts, input, count, 0)
        var expected = [UInt64](repeating: 0, count: 256)
        for pixel in 0..<count {
            let (colour, alpha) = (Int(input[pixel * 4]), Int(input[pixel * 4 + 3]))
            expected[(2 * colour * 255 + alpha) / (2 * alpha)] += 1
        }
        #expect(Array(counts[..<256]) == expected)
    }

    @Test func tableOfEveryPairGivesBackWhatItGot() {
        let table = (0..<768).map { UInt16($0 % 256 * 257) }
        for alpha in 0...255 {
            let input = (0...alpha).flatMap { colour -> [UInt8] in
                [UInt8(colour), UInt8(alpha - colour), 0, UInt8(alpha)]
            }
            let output = filled(alpha + 1) { _ = kuva_pixels_table($0, input, alpha + 1, table, [0, 0, 0, 0]) }
            #expect(output == input)
        }
    }

    @Test(arguments: levels)
    func sampleIsBilinearAndTransparentOutside(_ level: Int32) {
        let picture = Picture(random: 7, 5).premultiplied
        var generator = SeededGenerator(seed: 5)
        picture.bytes.withUnsafeBufferPointer { bytes in
            var source = kuva_pixels_picture(pixels: bytes.baseAddress!, stride: 28, width: 7, height: 5)
            for _ in 0..<300 {
                let (x, y) = (
                    Double.random(in: -3...9, using: &generator), Double.random(in: -3...7, using: &generator)
                )
                let dx = Double.random(in: -1.2...1.2, using: &generator)
                let dy = Double.random(in: -1.2...1.2, using: &generator)
                let fixed = [x, y, dx, dy].map { Int64($0 * 4_294_967_296) }
                let output = filled(9) {
                    kuva_pixels_sample(level, $0, 9, &source, fixed[0], fixed[1], fixed[2], fixed[3])
                }
                for step in 0..<9 {
                    let exact = picture.sampled(x + Double(step) * dx, y + Double(step) * dy)
                    for channel in 0..<4 { #expect(abs(Double(output[step * 4 + channel]) - exact[channel]) <= 4) }
                }
                let scalar = filled(9) {
                    kuva_pixels_sample(
                        Int32(KUVA_PIXELS_SCALAR),
                        $0,
                        9,
                        &source,
                        fixed[0],
                        fixed[1],
                        fixed[2],
                        fixed[3]
                    )
                }
                #expect(output == scalar)
            }
        }
    }
}

extension Picture {
    /// The bilinear sample at a place, with the centre of the first pixel at 0, 0, and transparent black outside.
    func sampled(_ x: Double, _ y: Double) -> [Double] {
        let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (right, low) = (x - Double(column), y - Double(row))
        var sums = [0.0, 0.0, 0.0, 0.0]
        for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let weight = (i == 0 ? 1 - right : right) * (j == 0 ? 1 - low : low)
            for (channel, value) in pixel(column + i, row + j).enumerated() { sums[channel] += Double(value) * weight }
        }
        return sums
    }
}
