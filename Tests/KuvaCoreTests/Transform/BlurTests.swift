import Foundation
import KuvaCore
import Testing

@Suite("Transformers: blur")
struct BlurTests {
    /// One axis of a Gaussian as the plain sum over everything that counts, the outermost pixels repeated.
    private func blurred(_ line: [Double], _ sigma: Double) -> [Double] {
        let reach = Int((5 * sigma).rounded(.up)) + 1
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        return line.indices.map { place in
            zip(-reach...reach, weights).reduce(0) { total, tap in
                total + line[max(0, min(line.count - 1, place + tap.0))] * tap.1
            } / sum
        }
    }

    private func exact(_ picture: Picture, _ sigma: Double) -> [Double] {
        let (width, height) = (picture.size.width, picture.size.height)
        var values = picture.bytes.map { Double($0) }
        for channel in 0..<4 {
            for y in 0..<height {
                let places = (0..<width).map { (y * width + $0) * 4 + channel }
                for (place, value) in zip(places, blurred(places.map { values[$0] }, sigma)) { values[place] = value }
            }
            for x in 0..<width {
                let places = (0..<height).map { ($0 * width + x) * 4 + channel }
                for (place, value) in zip(places, blurred(places.map { values[$0] }, sigma)) { values[place] = value }
            }
        }
        return values
    }

    @Test(arguments: [0.3, 0.8, 1, 2, 2.8, 2.9, 4, 7.5, 25, 120])
    func equalsThePlainSumWithinTwo(_ sigma: Double) throws {
        for (width, height) in sigma < 5 ? [(1, 1), (2, 3), (1, 40), (33, 27)] : [(1, 1), (40, 3), (21, 19)] {
            let picture = Picture.premultiplied(random: width, height)
            let result = try BlurTransformer(radius: sigma).applied(to: picture)
            let worst = zip(result.bytes, exact(picture, sigma)).map { abs(Double($0) - $1) }.max() ?? 0
            #expect(worst <= 2, "\(width)x\(height) by \(sigma): \(worst)")
        }
    }

    @Test func oneColourAndOpacityStay() throws {
        for sigma in [0.5, 2, 5, 40, 1000, .infinity] {
            for pixel: [UInt8] in [[255, 255, 255, 255], [1, 127, 254, 255], [3, 0, 60, 77]] {
                let picture = Picture(31, 17, of: pixel)
                #expect(try BlurTransformer(radius: sigma).applied(to: picture) == picture)
            }
            let image = try Picture(random: 30, 20, isOpaque: true).image()
            let blurred = try BlurTransformer(radius: sigma).transform(image, pool: PixelBufferPool())
            #expect(blurred.pixels.layout.alpha == .opaque)
        }
    }

    @Test func noRadiusIsTheSamePictureAndNaNThrows() throws {
        let picture = Picture(random: 5, 4)
        for radius in [0, -1, -Double.infinity, 0.0004] {
            try BlurTransformer(radius: radius).expectNothingDone(to: picture)
        }
        try BlurTransformer(radius: .nan).expectError(.invalidConfiguration, on: picture)
    }
}
