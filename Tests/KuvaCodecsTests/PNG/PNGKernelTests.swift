import CKuvaPNG
import Testing

/// Each level of the unfiltering code against the formulas of the specification, written out here once more.
@Suite("PNG kernels")
struct PNGKernelTests {
    private static let levels = [KUVA_PNG_SCALAR, KUVA_PNG_SSE41, KUVA_PNG_AVX2]

    /// PNG third edition, §9.2 and §9.4.
    private func unfiltered(_ filter: Int, _ row: [UInt8], _ above: [UInt8], _ bpp: Int) -> [UInt8] {
        var result = row
        for i in row.indices {
            let a = i >= bpp ? Int(result[i - bpp]) : 0
            let b = Int(above[i])
            let c = i >= bpp ? Int(above[i - bpp]) : 0
            let p = a + b - c
            let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
            let paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
            result[i] = row[i] &+ UInt8([0, a, b, (a + b) / 2, paeth][filter])
        }
        return result
    }

    private func random(_ count: Int, _ state: inout UInt64) -> [UInt8] {
        (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Extremes and equal neighbours are where predictors differ.
            return [0, 255, 128, UInt8(truncatingIfNeeded: state >> 40)][Int(state >> 60 & 3)]
        }
    }

    @Test(arguments: [1, 2, 3, 4, 6, 8]) func packedRows(bpp: Int) {
        var state = UInt64(bpp)
        for width in 1...70 {
            for filter in 0...4 {
                let (row, above) = (random(width * bpp, &state), random(width * bpp, &state))
                let expected = unfiltered(filter, row, above, bpp)
                for level in Self.levels {
                    var memory = row + [UInt8](repeating: 0xA5, count: 16)
                    let padded = above + [UInt8](repeating: 0x5A, count: 16)
                    #expect(kuva_png_unfilter(level, Int32(filter), &memory, padded, row.count, Int32(bpp)) == 1)
                    #expect(
                        Array(memory[..<row.count]) == expected,
                        "level \(level), filter \(filter), \(width) pixels"
                    )
                    #expect(memory[row.count...].allSatisfy { $0 == 0xA5 }, "nothing is written behind the row")
                }
            }
        }
    }

    @Test(arguments: [3, 4]) func rowsToRGBA(bpp: Int) {
        var state = UInt64(bpp)
        for width in 1...70 {
            for filter in 0...4 {
                let (row, above) = (random(width * bpp, &state), random(width * bpp, &state))
                let expected = expanded(unfiltered(filter, row, above, bpp), bpp)
                for level in Self.levels {
                    let padded = row + [UInt8](repeating: 0xA5, count: 16)
                    var out = [UInt8](repeating: 0xA5, count: width * 4 + 16)
                    let done = kuva_png_unfilter_rgba(
                        level,
                        Int32(filter),
                        padded,
                        expanded(above, bpp),
                        &out,
                        width,
                        Int32(bpp)
                    )
                    #expect(done == 1)
                    #expect(Array(out[..<(width * 4)]) == expected, "level \(level), filter \(filter), \(width) pixels")
                    #expect(out[(width * 4)...].allSatisfy { $0 == 0xA5 }, "nothing is written behind the row")
                }
            }
        }
    }

    private func expanded(_ row: [UInt8], _ bpp: Int) -> [UInt8] {
        bpp == 4 ? row : stride(from: 0, to: row.count, by: 3).flatMap { Array(row[$0..<$0 + 3]) + [255] }
    }

    /// The predictor is computed without absolute values: each left and upper neighbour with each fifth corner.
    @Test func paethOfAllNeighbours() {
        for c in stride(from: 0, through: 255, by: 5) {
            for b in 0...255 {
                // Pairs of pixels, four values of a each: above c and b, to become a and 0.
                var (above, wanted, row) = ([UInt8](), [UInt8](), [UInt8]())
                for i in 0..<512 {
                    above.append(UInt8(i % 8 < 4 ? c : b))
                    wanted.append(i % 8 < 4 ? UInt8(i / 8 * 4 + i % 8) : 0)
                    row.append(wanted[i] &- predicted(i, wanted, above))
                }
                for level in Self.levels.dropFirst() {
                    var out = [UInt8](repeating: 0, count: 512)
                    _ = kuva_png_unfilter_rgba(level, 4, row + [UInt8](repeating: 0, count: 16), above, &out, 128, 4)
                    guard out == wanted else {
                        Issue.record("above \(b), corner \(c), level \(level)")
                        return
                    }
                }
            }
        }
    }

    private func predicted(_ i: Int, _ values: [UInt8], _ above: [UInt8]) -> UInt8 {
        let (a, b, c) = (i < 4 ? 0 : Int(values[i - 4]), Int(above[i]), i < 4 ? 0 : Int(above[i - 4]))
        let (pa, pb, pc) = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
        return UInt8(pa <= pb && pa <= pc ? a : pb <= pc ? b : c)
    }

    @Test func filtersThatDoNotExist() {
        var row = [UInt8](repeating: 1, count: 32)
        for level in Self.levels {
            for filter: Int32 in [-1, 5, 255] {
                #expect(kuva_png_unfilter(level, filter, &row, row, 16, 4) == 0)
                #expect(kuva_png_unfilter_rgba(level, filter, row, row, &row, 4, 4) == 0)
            }
        }
    }
}
