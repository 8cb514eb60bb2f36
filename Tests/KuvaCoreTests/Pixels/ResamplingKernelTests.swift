import CKuvaPixels
import KuvaTesting
import Testing

/// The scalar kernels are plain loops over the definition; the others must give the same bytes, whatever the numbers.
@Suite("Resampling kernels")
struct ResamplingKernelTests {
    static let levels = PixelKernelTests.vectorLevels

    @Test(arguments: levels)
    func widenInterleavesPairsAtEveryLength(_ level: Int32) {
        for count in 0...35 {
            let bytes = Picture(random: count, 1).bytes
            let padded = (count + 3) / 4 * 4
            for level in [Int32(KUVA_PIXELS_SCALAR), level] {
                var wide = [Int16](repeating: -1, count: padded * 4 + 16)
                kuva_pixels_widen(level, &wide, bytes, count)
                #expect(wide.suffix(16).allSatisfy { $0 == -1 })
                for pixel in 0..<padded {
                    let first = pixel / 2 * 8 + pixel % 2
                    for channel in 0..<4 {
                        let expected: Int16 = pixel < count ? Int16(bytes[pixel * 4 + channel]) : 0
                        #expect(wide[first + channel * 2] == expected)
                    }
                }
            }
        }
    }

    @Test(arguments: levels)
    func rowEqualsScalar(_ level: Int32) {
        var generator = SeededGenerator(seed: 7)
        for taps in stride(from: 4, through: 32, by: 4) {
            for bits in [Int32(14), 16, 20] {
                let count = Int.random(in: 1...40, using: &generator)
                let wide = (0..<(64 * 4)).map { _ in Int16.random(in: 0...255, using: &generator) }
                let limit = 32_767 / taps * 4
                let weights = (0..<(count * taps)).map { _ in
                    Int16.random(in: Int16(-limit / 8)...Int16(clamping: limit), using: &generator)
                }
                let starts = (0..<count).map { _ in Int32.random(in: 0...16, using: &generator) * 2 }
                let (scalar, vector) = (Int32(KUVA_PIXELS_SCALAR), level)
                let results = [scalar, vector].map { level in
                    var out = [Int16](repeating: -1, count: count * 4 + 16)
                    kuva_pixels_resample_row(level, &out, count, wide, starts, weights, taps, bits)
                    return out
                }
                #expect(results[0] == results[1])
                #expect(results[0].suffix(16).allSatisfy { $0 == -1 })
                #expect(results[0].dropLast(16).allSatisfy { (0...16_320).contains($0) })
            }
        }
    }

    @Test(arguments: levels)
    func columnEqualsScalar(_ level: Int32) {
        var generator = SeededGenerator(seed: 9)
        for count in 0...41 {
            for taps in [1, 2, 3, 6, 7, 23] {
                let slots = taps + Int.random(in: 0...3, using: &generator)
                let ring = (0..<(slots * count * 4)).map { _ in
                    Bool.random(using: &generator) ? Int16.random(in: 0...16_320, using: &generator) : 16_320
                }
                let weights = (0..<taps).map { _ in
                    Int16.random(in: -4000...Int16(clamping: 65_536 / (taps + 1)), using: &generator)
                }
                let first = Int.random(in: 0..<slots, using: &generator)
                let results = [Int32(KUVA_PIXELS_SCALAR), level].map { level in
                    var out = [UInt8](repeating: 0xEE, count: count * 4 + 32)
                    let opaque = kuva_pixels_resample_column(
                        level,
                        &out,
                        count,
                        ring,
                        count * 4,
                        slots,
                        first,
                        weights,
                        taps,
                        16
                    )
                    return out + [UInt8(opaque)]
                }
                #expect(results[0] == results[1], "\(count) pixels, \(taps) taps")
                #expect(results[1].dropLast().suffix(32).allSatisfy { $0 == 0xEE })
            }
        }
    }

    @Test(arguments: levels)
    func columnSeesOpacityAtEveryPlace(_ level: Int32) {
        for count in 1...20 {
            for clear in 0...count {
                var ring = [Int16](repeating: 16_320, count: count * 4)
                if clear < count { ring[clear * 4 + 3] = 16_000 }
                var out = [UInt8](repeating: 0, count: count * 4)
                let opaque = kuva_pixels_resample_column(level, &out, count, ring, count * 4, 1, 0, [16_384], 1, 14)
                #expect(opaque == (clear == count ? 1 : 0))
            }
        }
    }
}
