internal import Glibc

/// The weights that turn one row or column of pixels into one of another length: Lanczos with three lobes, widened by
/// the factor of the shrink, so that each pixel of the source counts.
///
/// Pixel `i` of the output is the sum of ``tapCount`` pixels of the source from `starts[i]` on times its weights,
/// whose sum is exactly one. The window may reach past the end of the source, where its weights are zero.
struct LanczosFilter {
    /// Fixed-point weights, ``tapCount`` for each pixel of the output.
    private(set) var weights: [Int16]
    /// The first pixel of the source that counts, for each pixel of the output; never falls.
    private(set) var starts: [Int32]
    /// Weights for each pixel of the output.
    let tapCount: Int
    /// Fraction bits of the weights.
    let bits: Int32

    private static let lobes = 3.0

    /// - Parameters:
    ///   - source: pixels of the source.
    ///   - output: pixels of the output.
    ///   - startMultiple: what starts are a multiple of.
    ///   - tapMultiple: what ``tapCount`` is a multiple of.
    ///   - maximumValue: the largest number that will be multiplied by the weights; sums of products with it fit in 31
    ///     bits.
    init(from source: Int, to output: Int, startMultiple: Int, tapMultiple: Int, maximumValue: Int) {
        let shrink = Double(source) / Double(output)
        let width = max(1, shrink)
        let windows = (0..<output).map { index -> Range<Int> in
            let centre = (Double(index) + 0.5) * shrink
            let first = max(0, Int(centre - Self.lobes * width + 0.5))
            return first..<max(first + 1, min(source, Int(centre + Self.lobes * width + 0.5)))
        }
        let longest = windows.map { $0.upperBound - $0.lowerBound / startMultiple * startMultiple }.max() ?? 1
        tapCount = (longest + tapMultiple - 1) / tapMultiple * tapMultiple

        let exact = windows.enumerated().map { index, window in
            Self.normalised(window, centre: (Double(index) + 0.5) * shrink, width: width)
        }
        bits = Self.fractionBits(for: exact, maximumValue: maximumValue)
        starts = windows.map { Int32($0.lowerBound / startMultiple * startMultiple) }
        weights = Array(repeating: 0, count: output * tapCount)
        for (index, values) in exact.enumerated() {
            let offset = index * tapCount + windows[index].lowerBound - Int(starts[index])
            quantise(values, at: offset)
        }
    }

    /// Rounds so that the running sum is right to half a unit at each step: the sum of all is exact, and no single
    /// weight carries the error of thousands of others.
    private mutating func quantise(_ values: [Double], at offset: Int) {
        let one = Double(1 << bits)
        var sum = 0.0
        var written = 0.0
        for (index, value) in values.enumerated() {
            sum += value * one
            let rounded = index == values.count - 1 ? one : sum.rounded()
            weights[offset + index] = Int16(rounded - written)
            written = rounded
        }
    }

    private static func normalised(_ window: Range<Int>, centre: Double, width: Double) -> [Double] {
        let values = window.map { lanczos((Double($0) + 0.5 - centre) / width) }
        let sum = values.reduce(0, +)
        return values.map { $0 / sum }
    }

    /// sinc(x) · sinc(x / 3) inside the three lobes, with sin(3a) = 3 sin a − 4 sin³ a to save half of the sines.
    private static func lanczos(_ x: Double) -> Double {
        guard x != 0 else { return 1 }
        guard abs(x) < lobes else { return 0 }
        let angle = .pi * x
        let sine = sin(angle / lobes)
        return lobes * sine * (3 * sine - 4 * sine * sine * sine) / (angle * angle)
    }

    /// As many bits as 16-bit weights and 32-bit sums allow. Rounding adds at most one unit to the sum of each lobe.
    private static func fractionBits(for exact: [[Double]], maximumValue: Int) -> Int32 {
        var largest = 0.0
        var largestSum = 0.0
        for values in exact {
            largest = max(largest, values.lazy.map(abs).max() ?? 0)
            largestSum = max(largestSum, values.lazy.map(abs).reduce(0, +))
        }
        let sumLimit = Double(Int32.max - (1 << 22)) / Double(maximumValue)
        return (8...20).last { bits in
            let one = Double(1 << bits)
            return largest * one + 1 <= Double(Int16.max) && largestSum * one + 16 <= sumLimit
        } ?? 8
    }
}
