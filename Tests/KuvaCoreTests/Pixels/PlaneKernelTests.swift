import CKuvaPixels
import KuvaTesting
import Testing

@testable import KuvaCore

/// As for the other resampling kernels, scalar code is the oracle; what it does itself is held against the definition.
@Suite("Plane kernels")
struct PlaneKernelTests {
    static let levels = PixelKernelTests.vectorLevels

    @Test(arguments: levels) func columnEqualsScalar(_ level: Int32) {
        var generator = SeededGenerator(seed: 3)
        for count in 0...70 {
            for taps in [1, 2, 3, 8, 23] {
                let stride = count + 5
                let plane = (0..<(stride * taps + 1)).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let limit: Int = 32_767 / taps
                let weights = (0..<taps).map { _ in Int16.random(in: -200...Int16(limit), using: &generator) }
                let results = [Int32(KUVA_PIXELS_SCALAR), level].map { level in
                    var out = [Int16](repeating: -1, count: count + 32)
                    kuva_pixels_plane_column(level, &out, plane, stride, count, weights, taps, 14)
                    return out
                }
                #expect(results[0] == results[1], "\(count) samples, \(taps) taps")
                #expect(results[0].suffix(32).allSatisfy { $0 == -1 })
                #expect(results[0].dropLast(32).allSatisfy { (0...16_320).contains($0) })
            }
        }
    }

    @Test(arguments: levels) func rowEqualsScalar(_ level: Int32) {
        var generator = SeededGenerator(seed: 4)
        for count in 0...21 {
            for taps in [16, 32, 48] {
                let samples = (0..<(taps + 20)).map { _ in Int16.random(in: 0...16_320, using: &generator) }
                let limit: Int = 65_536 / taps
                let weights = (0..<(count * taps)).map { _ in
                    Int16.random(in: Int16(-limit / 4)...Int16(limit), using: &generator)
                }
                let starts = (0..<count).map { _ in Int32.random(in: 0...20, using: &generator) }
                let results = [Int32(KUVA_PIXELS_SCALAR), level].map { level in
                    var out = [Int16](repeating: -1, count: count + 16)
                    kuva_pixels_plane_row(level, &out, count, samples, starts, weights, taps, 15)
                    return out
                }
                #expect(results[0] == results[1], "\(count) samples, \(taps) taps")
                #expect(results[0].suffix(16).allSatisfy { $0 == -1 })
                #expect(results[0].dropLast(16).allSatisfy { (0...16_320).contains($0) })
            }
        }
    }

    @Test(arguments: PixelKernelTests.levels) func halvesAreMeansOfFour(_ level: Int32) {
        var generator = SeededGenerator(seed: 6)
        for count in 1...140 {
            let rows = (0..<2).map { _ in (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) } }
            var out = [UInt8](repeating: 0xEE, count: (count + 1) / 2 + 32)
            kuva_pixels_plane_halve(level, &out, rows[0], rows[1], count)
            let expected: [UInt8] = stride(from: 0, to: count, by: 2).map { (place: Int) -> UInt8 in
                let four: [Int] = rows.flatMap { (row: [UInt8]) -> [Int] in
                    [Int(row[place]), Int(row[min(place + 1, count - 1)])]
                }
                let mean = Double(four.reduce(0, +)) / 4
                return UInt8(mean.rounded(.toNearestOrAwayFromZero))
            }
            #expect(Array(out.dropLast(32)) == expected)
            #expect(out.suffix(32).allSatisfy { $0 == 0xEE })
        }
    }

    @Test func narrowRoundsToNearest() {
        let samples: [Int16] = [0, 31, 32, 95, 96, 16_319, 16_320]
        var out = [UInt8](repeating: 0, count: 7)
        kuva_pixels_plane_narrow(&out, samples, 7)
        #expect(out == [0, 0, 1, 1, 2, 255, 255])
    }

    /// A row of one weight copies; one of two halves is the mean.
    @Test(arguments: PixelKernelTests.levels) func passesAreWeightedSums(_ level: Int32) {
        let plane: [UInt8] = [10, 20, 200, 255, 30, 40, 100, 1]
        var column = [Int16](repeating: -1, count: 4)
        kuva_pixels_plane_column(level, &column, plane, 4, 4, [8192, 8192], 2, 14)
        // 20, 30, 150 and 128 with 6 fraction bits.
        #expect(column == [1280, 1920, 9600, 8192])
        var weights = [Int16](repeating: 0, count: 32)
        (weights[0], weights[16], weights[17]) = (16_384, 8192, 8192)
        var row = [Int16](repeating: -1, count: 2)
        kuva_pixels_plane_row(level, &row, 2, column + [Int16](repeating: 0, count: 16), [1, 2], weights, 16, 14)
        #expect(row == [1920, 8896])
    }

    /// The matrix of ITU-R BT.601 in video range, for every shade of grey and a grid of colours.
    @Test(arguments: PixelKernelTests.levels) func coloursAreThoseOfTheStandard(_ level: Int32) {
        var colours: [(y: Int, u: Int, v: Int)] = (0...255).map { ($0, 128, 128) }
        for y in stride(from: 0, through: 255, by: 15) {
            for u in stride(from: 0, through: 255, by: 15) {
                for v in stride(from: 0, through: 255, by: 15) { colours.append((y, u, v)) }
            }
        }
        func plane(_ sample: (Int) -> Int) -> [Int16] { colours.indices.map { Int16(sample($0) * 64) } }
        var out = [UInt8](repeating: 0, count: colours.count * 4)
        kuva_pixels_yuv_to_rgba(
            level,
            &out,
            plane { colours[$0].y },
            plane { colours[$0].u },
            plane { colours[$0].v },
            colours.count
        )
        var furthest = 0.0
        for (index, colour) in colours.enumerated() {
            let luma: Double = 255.0 / 219 * Double(colour.y - 16)
            let (u, v) = (Double(colour.u - 128) * 255 / 224, Double(colour.v - 128) * 255 / 224)
            let green: Double = luma - u * 1.772 * 0.114 / 0.587 - v * 1.402 * 0.299 / 0.587
            let expected = [luma + 1.402 * v, green, luma + 1.772 * u]
            for channel in 0..<3 {
                let cut = min(max(expected[channel], 0), 255)
                furthest = max(furthest, abs(Double(out[4 * index + channel]) - cut))
            }
            #expect(out[4 * index + 3] == 255)
        }
        // Rounding takes half of a step; factors of 14 bits and what they drop, a part of another.
        #expect(furthest < 0.6)
    }

    @Test(arguments: levels) func coloursEqualScalar(_ level: Int32) {
        var generator = SeededGenerator(seed: 5)
        for count in 0...40 {
            let planes = (0..<3).map { _ in (0..<count).map { _ in Int16.random(in: 0...16_320, using: &generator) } }
            let results = [Int32(KUVA_PIXELS_SCALAR), level].map { level in
                var out = [UInt8](repeating: 0xEE, count: count * 4 + 32)
                kuva_pixels_yuv_to_rgba(level, &out, planes[0], planes[1], planes[2], count)
                return out
            }
            #expect(results[0] == results[1])
            #expect(results[0].suffix(32).allSatisfy { $0 == 0xEE })
        }
    }
}
