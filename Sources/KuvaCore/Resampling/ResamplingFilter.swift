internal import Glibc

/// The weights that turn one row or column of pixels into another one.
///
/// Pixel `i` of the output is the sum of ``tapCount`` pixels of the source from `starts[i]` on times its weights,
/// whose sum is exactly one. The window may reach past the end of the source, where its weights are zero.
struct ResamplingFilter: Sendable {
    /// Fixed-point weights, ``tapCount`` for each pixel of the output.
    private(set) var weights: [Int16]
    /// The first pixel of the source that counts, for each pixel of the output; never falls.
    let starts: [Int32]
    /// Weights for each pixel of the output.
    let tapCount: Int
    /// Fraction bits of the weights.
    let bits: Int32

    /// Computes the weights; takes time in proportion to their number, so ask the ``ResamplingFilterCache`` instead.
    init(_ recipe: Recipe) {
        let exact = (0..<recipe.outputCount).map(recipe.weights(of:))
        let (startMultiple, tapMultiple) = (recipe.pass.startMultiple, recipe.pass.tapMultiple)
        let longest = exact.map { $0.start % startMultiple + $0.values.count }.max() ?? 1
        tapCount = (longest + tapMultiple - 1) / tapMultiple * tapMultiple
        bits = Self.fractionBits(for: exact, maximumValue: recipe.pass.maximumValue)
        starts = exact.map { Int32($0.start / startMultiple * startMultiple) }
        weights = Array(repeating: 0, count: recipe.outputCount * tapCount)
        for (index, window) in exact.enumerated() {
            quantise(window.values, at: index * tapCount + window.start % startMultiple)
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

    /// As many bits as 16-bit weights and 32-bit sums allow. Rounding adds at most one unit to the sum of each lobe.
    private static func fractionBits(for exact: [Window], maximumValue: Int) -> Int32 {
        var largest = 0.0
        var largestSum = 0.0
        for window in exact {
            largest = max(largest, window.values.lazy.map(abs).max() ?? 0)
            largestSum = max(largestSum, window.values.lazy.map(abs).reduce(0, +))
        }
        let sumLimit = Double(Int32.max - (1 << 22)) / Double(maximumValue)
        return (8...20).last { bits in
            let one = Double(1 << bits)
            return largest * one + 1 <= Double(Int16.max) && largestSum * one + 16 <= sumLimit
        } ?? 8
    }

    /// The exact weights of one pixel of the output; their sum is one.
    fileprivate struct Window {
        let start: Int
        let values: [Double]
    }
}

extension ResamplingFilter.Recipe {
    /// Distance from the centre at which the weights end, in pixels of the source.
    var support: Double {
        switch kernel {
        case .lanczos: Self.lobes * max(1, step)
        case .gaussian(let sigma): 3.5 * sigma
        }
    }

    fileprivate func weights(of index: Int) -> ResamplingFilter.Window {
        let centre = origin + (Double(index) + 0.5) * step
        let range = Int((centre - support + 0.5).rounded(.down))..<Int((centre + support + 0.5).rounded(.down))
        let start = min(max(0, range.lowerBound), sourceCount - 1)
        let end = max(start + 1, min(sourceCount, range.upperBound))
        var values = Array(repeating: 0.0, count: end - start)
        switch kernel {
        case .lanczos:
            let width = max(1, step)
            for pixel in start..<end { values[pixel - start] = Self.lanczos((Double(pixel) + 0.5 - centre) / width) }
        case .gaussian(let sigma):
            for pixel in range {
                let place = min(max(pixel, start), end - 1) - start
                values[place] += Self.gaussian((Double(pixel) + 0.5 - centre) / sigma)
            }
        }
        let sum = values.reduce(0, +)
        guard values.count > 1, sum > 0 else { return .init(start: start, values: [1]) }
        return .init(start: start, values: values.map { $0 / sum })
    }

    private static let lobes = 3.0

    /// sinc(x) · sinc(x / 3) inside the three lobes, with sin(3a) = 3 sin a − 4 sin³ a to save half of the sines.
    private static func lanczos(_ x: Double) -> Double {
        guard x != 0 else { return 1 }
        guard abs(x) < lobes else { return 0 }
        let angle = .pi * x
        let sine = sin(angle / lobes)
        return lobes * sine * (3 * sine - 4 * sine * sine * sine) / (angle * angle)
    }

    private static func gaussian(_ x: Double) -> Double { exp(-0.5 * x * x) }
}
