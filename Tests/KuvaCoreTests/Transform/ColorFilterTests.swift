import Foundation
import KuvaCore
import Testing

@Suite("Transformers: colour filters")
struct ColorFilterTests {
    /// The functions of Filter Effects Level 1 §9.6 for one straight colour, from 0 to 1; gamma is plain.
    private typealias Formula = @Sendable ([Double]) -> [Double]

    private static func product(_ rows: [[Double]]) -> Formula {
        { color in rows.map { row in zip(row, color).map(*).reduce(0, +) } }
    }

    private static func formulas(_ a: Double) -> [(ColorFilter, Formula)] {
        let rest = 1 - a
        return [
            (
                .greyscale(a),
                product([
                    [0.2126 + 0.7874 * rest, 0.7152 - 0.7152 * rest, 0.0722 - 0.0722 * rest],
                    [0.2126 - 0.2126 * rest, 0.7152 + 0.2848 * rest, 0.0722 - 0.0722 * rest],
                    [0.2126 - 0.2126 * rest, 0.7152 - 0.7152 * rest, 0.0722 + 0.9278 * rest],
                ])
            ),
            (
                .sepia(a),
                product([
                    [0.393 + 0.607 * rest, 0.769 - 0.769 * rest, 0.189 - 0.189 * rest],
                    [0.349 - 0.349 * rest, 0.686 + 0.314 * rest, 0.168 - 0.168 * rest],
                    [0.272 - 0.272 * rest, 0.534 - 0.534 * rest, 0.131 + 0.869 * rest],
                ])
            ),
            (.invert(a), { $0.map { $0 * (1 - 2 * a) + a } }),
            (.brightness(a * 3), { $0.map { $0 * a * 3 } }),
            (.contrast(a * 3), { $0.map { $0 * a * 3 - 0.5 * a * 3 + 0.5 } }),
            (
                .saturation(a * 3),
                product([
                    [0.213 + 0.787 * a * 3, 0.715 - 0.715 * a * 3, 0.072 - 0.072 * a * 3],
                    [0.213 - 0.213 * a * 3, 0.715 + 0.285 * a * 3, 0.072 - 0.072 * a * 3],
                    [0.213 - 0.213 * a * 3, 0.715 - 0.715 * a * 3, 0.072 + 0.928 * a * 3],
                ])
            ),
            (.gamma(a * 3 + 0.1), { $0.map { pow($0, a * 3 + 0.1) } }),
        ]
    }

    @Test(arguments: [0.25, 0.5, 0.9, 1])
    func colorsFollowTheStandardsFormulas(_ amount: Double) throws {
        for (filter, formula) in Self.formulas(amount) {
            let isGamma = ColorFilterTransformer(filter).key.hasPrefix("gamma")
            for isOpaque in [true, false] {
                let picture = Picture.premultiplied(random: 40, 9, isOpaque: isOpaque)
                let result = try ColorFilterTransformer(filter).applied(to: picture)
                for offset in stride(from: 0, to: picture.bytes.count, by: 4) {
                    let alpha = Double(picture.bytes[offset + 3])
                    #expect(result.bytes[offset + 3] == picture.bytes[offset + 3])
                    guard alpha > 0 else { continue }
                    let straight = (0..<3).map { min(1, Double(picture.bytes[offset + $0]) / alpha) }
                    for (channel, value) in formula(straight).enumerated() {
                        let exact = max(0, min(1, value)) * alpha
                        // Gamma goes by straight numbers rounded to 1/255, which its slope makes larger near black.
                        guard !isGamma || alpha == 255 || straight[channel] > 0.1 else { continue }
                        #expect(abs(Double(result.bytes[offset + channel]) - exact) <= (isGamma ? 2 : 1))
                    }
                }
            }
        }
    }

    @Test func numbersWorkedOutByHand() throws {
        let red = Picture(1, 1, of: [255, 0, 0, 255])
        #expect(try ColorFilterTransformer.greyscale.applied(to: red)[0, 0] == [54, 54, 54, 255])
        #expect(try ColorFilterTransformer.sepia.applied(to: red)[0, 0] == [100, 89, 69, 255])
        #expect(try ColorFilterTransformer.invert.applied(to: red)[0, 0] == [0, 255, 255, 255])
        #expect(try ColorFilterTransformer(.brightness(0.5)).applied(to: red)[0, 0] == [128, 0, 0, 255])
        #expect(try ColorFilterTransformer(.contrast(0)).applied(to: red)[0, 0] == [128, 128, 128, 255])
        // SDWebImage's probe of its inverted test picture: transparent stays transparent.
        #expect(try ColorFilterTransformer.invert.applied(to: Picture(1, 1, of: [0, 0, 0, 0]))[0, 0] == [0, 0, 0, 0])
    }

    @Test func whatChangesNothingIsTheSamePicture() throws {
        let picture = Picture(random: 5, 4)
        let idle: [ColorFilter] = [
            .greyscale(0), .sepia(0), .invert(0), .brightness(1), .contrast(1), .saturation(1), .gamma(1), .sepia(-2),
            .gamma(1.0001),
        ]
        for filter in idle { try ColorFilterTransformer(filter).expectNothingDone(to: picture) }
    }

    @Test func numbersAreCutAndNaNThrows() throws {
        let picture = Picture.premultiplied(random: 20, 4)
        let makers: [(Double) -> ColorFilter] = [
            { .greyscale($0) }, { .sepia($0) }, { .invert($0) }, { .brightness($0) }, { .contrast($0) },
            { .saturation($0) }, { .gamma($0) },
        ]
        for make in makers {
            try ColorFilterTransformer(make(.nan)).expectError(.invalidConfiguration, on: picture)
            let largest = ColorFilterTransformer(make(.infinity))
            #expect(largest == ColorFilterTransformer(make(1e9)))
            _ = try largest.applied(to: picture)
            _ = try ColorFilterTransformer(make(-.infinity)).transform(try picture.image(), pool: PixelBufferPool())
        }
        #expect(ColorFilter.brightness(1e9) == .brightness(10))
    }
}
