import KuvaCore
import Testing

@Suite("Transformers: tint")
struct TintTests {
    @Test(.enabled(if: Cairo.isAvailable), arguments: BlendMode.allCases)
    func everyModeEqualsCairo(_ mode: BlendMode) throws {
        for color in [Color(red: 230, green: 120, blue: 20), Color(red: 40, green: 200, blue: 90, alpha: 150)] {
            let channels = [color.red, color.green, color.blue, color.alpha]
            for isOpaque in [true, false] {
                let picture = Picture.premultiplied(random: 50, 20, isOpaque: isOpaque)
                let oracle = try Cairo.paint(channels, mode: mode.rawValue, over: picture)
                let tinted = try TintTransformer(color, mode: mode).transform(
                    try picture.image(),
                    pool: PixelBufferPool()
                )
                let distance = Picture(tinted).distance(to: oracle)
                // Two modes divide by up to a tenth what is a straight number rounded to 1/255 where there is alpha.
                let divides = (mode == .colorDodge || mode == .colorBurn) && !isOpaque
                #expect(distance <= (divides ? 6 : 2), "\(mode) with \(color), opaque: \(isOpaque): \(distance)")
            }
        }
    }

    @Test func numbersWorkedOutByHand() throws {
        let picture = Picture(1, 1, of: [200, 100, 0, 255])
        func tinted(_ mode: BlendMode, _ color: Color = Color(red: 100, green: 200, blue: 50)) throws -> [UInt8] {
            try TintTransformer(color, mode: mode).applied(to: picture)[0, 0]
        }
        #expect(try tinted(.multiply) == [78, 78, 0, 255])
        #expect(try tinted(.screen) == [222, 222, 50, 255])
        #expect(try tinted(.darken) == [100, 100, 0, 255])
        #expect(try tinted(.lighten) == [200, 200, 50, 255])
        #expect(try tinted(.difference) == [100, 100, 50, 255])
        #expect(try tinted(.exclusion) == [143, 143, 50, 255])
        #expect(try tinted(.sourceAtop) == [100, 200, 50, 255])
        #expect(try tinted(.sourceAtop, Color(red: 100, green: 200, blue: 50, alpha: 51)) == [180, 120, 10, 255])
        #expect(try tinted(.clear) == [0, 0, 0, 0])
        // The luma of grey 100 on hue and saturation of (200, 100, 0), whose luma is 119: 19 less each, then cut at
        // 0 by the factor 100 / 119 about 100.
        #expect(try tinted(.luminosity, Color(red: 100, green: 100, blue: 100)) == [168, 84, 0, 255])
        #expect(try tinted(.saturation, Color(red: 90, green: 90, blue: 90)) == [119, 119, 119, 255])
    }

    @Test func defaultColoursWhatIsThereAndKeepsItsShape() throws {
        let picture = Picture(2, 1) { x, _ in x == 0 ? [0, 0, 0, 0] : [64, 64, 64, 128] }
        let tinted = try TintTransformer(Color(red: 255, green: 0, blue: 0)).applied(to: picture)
        #expect(tinted.bytes == [0, 0, 0, 0, 128, 0, 0, 128])
    }

    @Test func whatChangesNothingIsTheSamePicture() throws {
        let picture = Picture(random: 5, 4)
        let neutral: Set<BlendMode> = [
            .clear, .copy, .sourceIn, .sourceOut, .destinationIn, .destinationAtop,
        ]
        for mode in BlendMode.allCases where !neutral.contains(mode) {
            try TintTransformer(.clear, mode: mode).expectNothingDone(to: picture)
        }
        try TintTransformer(.black, mode: .destination).expectNothingDone(to: picture)
    }
}
