import KuvaCore
import Testing

/// Crops, mirrors and turns on every small size, against the definition by coordinates.
@Suite("Transformers: geometry")
struct GeometryTests {
    private static let sizes = (1...4).flatMap { w in (1...4).map { (w, $0) } }

    @Test func cropTakesTheRectangleOrItsPartInThePicture() throws {
        for (width, height) in [(1, 1), (3, 2), (4, 4)] {
            let picture = Picture.premultiplied(random: width, height)
            for x in -2...4 {
                for y in -2...4 {
                    for (w, h) in Self.sizes {
                        let transformer = CropTransformer(PixelRect(x: x, y: y, width: w, height: h))
                        let columns = (max(0, x)..<max(0, x, min(width, x + w)))
                        let rows = (max(0, y)..<max(0, y, min(height, y + h)))
                        if columns.isEmpty || rows.isEmpty {
                            try transformer.expectError(.invalidConfiguration, on: picture)
                        } else {
                            let cropped = try transformer.applied(to: picture)
                            #expect(cropped.size == PixelSize(width: columns.count, height: rows.count))
                            #expect(cropped.bytes == rows.flatMap { y in columns.flatMap { picture[$0, y] } })
                        }
                    }
                }
            }
        }
    }

    @Test func cropOfNoOrHugeRectanglesDoesNotTrap() throws {
        let picture = Picture(random: 3, 2)
        for rect in [
            PixelRect(x: 0, y: 0, width: 0, height: 2), PixelRect(x: 0, y: 0, width: 2, height: -1),
            PixelRect(x: .max, y: 0, width: .max, height: 1), PixelRect(x: .min, y: .min, width: .max, height: .max),
        ] { try CropTransformer(rect).expectError(.invalidConfiguration, on: picture) }
        try CropTransformer(PixelSize(width: 0, height: 5)).expectError(.invalidConfiguration, on: picture)
        try CropTransformer(PixelRect(x: 0, y: 0, width: .max, height: .max)).expectNothingDone(to: picture)
        try CropTransformer(PixelSize(width: .max, height: .max)).expectNothingDone(to: picture)
    }

    @Test(arguments: Anchor.allCases)
    func cropStandsAtItsAnchor(_ anchor: Anchor) throws {
        // In 7 × 6, a box of 4 × 3 has 3 free on both axes: at 0, 1 (halved, rounded down) or 3.
        let starts: [Anchor: (Int, Int)] = [
            .topLeft: (0, 0), .top: (1, 0), .topRight: (3, 0), .left: (0, 1), .center: (1, 1), .right: (3, 1),
            .bottomLeft: (0, 3), .bottom: (1, 3), .bottomRight: (3, 3),
        ]
        let picture = Picture.premultiplied(random: 7, 6)
        let start = try #require(starts[anchor])
        let cropped = try CropTransformer(PixelSize(width: 4, height: 3), at: anchor).applied(to: picture)
        #expect(cropped == Picture(4, 3) { x, y in picture[start.0 + x, start.1 + y] })
    }

    @Test func flipExchangesSides() throws {
        for (w, h) in Self.sizes + [(37, 19)] {
            let picture = Picture.premultiplied(random: w, h)
            try FlipTransformer().expectNothingDone(to: picture)
            for (horizontal, vertical) in [(true, false), (false, true), (true, true)] {
                let flipped = try FlipTransformer(horizontally: horizontal, vertically: vertical).applied(to: picture)
                #expect(
                    flipped == Picture(w, h) { x, y in picture[horizontal ? w - 1 - x : x, vertical ? h - 1 - y : y] }
                )
            }
        }
    }

    @Test func quarterTurnsAreExactAndClockwise() throws {
        for (w, h) in Self.sizes + [(37, 19)] {
            let picture = Picture.premultiplied(random: w, h)
            for turns in -5...5 {
                let rotated = { (canvas: RotateTransformer.Canvas) in
                    try RotateTransformer(degrees: Double(turns) * 90, canvas: canvas).applied(to: picture)
                }
                let expected =
                    switch (turns + 8) % 4 {
                    case 0: picture
                    // Clockwise: what was at the bottom left comes to the top left.
                    case 1: Picture(h, w) { x, y in picture[y, h - 1 - x] }
                    case 2: Picture(w, h) { x, y in picture[w - 1 - x, h - 1 - y] }
                    default: Picture(h, w) { x, y in picture[w - 1 - y, x] }
                    }
                #expect(try rotated(.fit) == expected)
                let (left, top) = ((w - expected.size.width) >> 1, (h - expected.size.height) >> 1)
                #expect(try rotated(.keep) == Picture(w, h) { x, y in expected.pixel(x - left, y - top) })
            }
            for turns in [0.0, 360, -720, 0.0004] {
                try RotateTransformer(degrees: turns).expectNothingDone(to: picture)
            }
        }
    }

    @Test(arguments: [0.5, 30, 45, 100, 181, 271.25], [RotateTransformer.Canvas.fit, .keep])
    func anyAngleIsTheBilinearSampleTurnedBack(_ degrees: Double, _ canvas: RotateTransformer.Canvas) throws {
        for (w, h) in [(1, 1), (2, 5), (20, 13), (150, 140)] {
            let picture = Picture.premultiplied(random: w, h)
            let rotated = try RotateTransformer(degrees: degrees, canvas: canvas).applied(to: picture)
            let (sine, cosine) = (sinOf(degrees), cosOf(degrees))
            if canvas == .keep {
                #expect(rotated.size == picture.size)
            } else {
                let box = (
                    Double(w) * abs(cosine) + Double(h) * abs(sine), Double(w) * abs(sine) + Double(h) * abs(cosine)
                )
                #expect((0.0..<1.001).contains(Double(rotated.size.width) - box.0 + 0.0005))
                #expect((0.0..<1.001).contains(Double(rotated.size.height) - box.1 + 0.0005))
            }
            var worst = 0.0
            for y in 0..<rotated.size.height {
                for x in 0..<rotated.size.width {
                    let right = Double(x) + 0.5 - Double(rotated.size.width) / 2
                    let down = Double(y) + 0.5 - Double(rotated.size.height) / 2
                    let exact = picture.sampled(
                        right * cosine + down * sine + Double(w) / 2 - 0.5,
                        down * cosine - right * sine + Double(h) / 2 - 0.5
                    )
                    for (channel, value) in rotated[x, y].enumerated() {
                        worst = max(worst, abs(Double(value) - exact[channel]))
                    }
                }
            }
            // 1/128 of a pixel on each axis, in noise that goes from 0 to 255.
            #expect(worst <= 4.5)
        }
    }

    @Test func halfATurnOfAHundredFitsInItsDiagonal() throws {
        let picture = Picture(100, 100, of: [10, 20, 30, 255])
        let turned = try RotateTransformer(degrees: 45).applied(to: picture)
        // 100 √2 is 141.4.
        #expect(turned.size == PixelSize(width: 142, height: 142))
        #expect(turned[71, 71] == [10, 20, 30, 255] && turned[0, 0] == [0, 0, 0, 0])
    }

    @Test func whatIsNoAngleThrows() throws {
        let picture = Picture.premultiplied(random: 3, 2)
        for angle in [Double.nan, .infinity, -.infinity] {
            try RotateTransformer(degrees: angle).expectError(.invalidConfiguration, on: picture)
        }
        _ = try RotateTransformer(degrees: 1e300).applied(to: picture)
    }

    private func sinOf(_ degrees: Double) -> Double { sinAndCos(degrees).0 }
    private func cosOf(_ degrees: Double) -> Double { sinAndCos(degrees).1 }
}
