import KuvaCore
import Testing

@Suite("Transformers: round corners, circle, border")
struct ShapeTests {
    /// How much of a pixel lies inside a rounded rectangle: the mean of 64 lines across it.
    private func coverage(_ x: Int, _ y: Int, size: PixelSize, inset: Double, radii: [Double]) -> Double {
        let (width, height) = (Double(size.width), Double(size.height))
        func cut(_ radius: Double, _ distance: Double) -> Double {
            let rest = radius - distance
            return rest > 0 ? radius - (max(0, radius * radius - rest * rest)).squareRoot() : 0
        }
        var sum = 0.0
        for line in 0..<64 {
            let place = Double(y) + (Double(line) + 0.5) / 64
            let (above, below) = (place - inset, height - inset - place)
            guard above >= 0, below >= 0 else { continue }
            let left = inset + max(cut(radii[0], above), cut(radii[3], below))
            let right = width - inset - max(cut(radii[1], above), cut(radii[2], below))
            sum += max(0, min(right, Double(x + 1)) - max(left, Double(x)))
        }
        return sum / 64
    }

    @Test func cornersAreCutByArea() throws {
        let cases: [(Int, Int, [Double])] = [
            (30, 20, [8, 8, 8, 8]), (30, 20, [10, 10, 10, 10]), (21, 21, [10.5, 10.5, 10.5, 10.5]),
            (9, 12, [3, 0, 4.5, 1]),
            (5, 5, [0.4, 2.2, 2.8, 1]), (1, 1, [0.5, 0.5, 0.5, 0.5]), (2, 3, [1, 1, 1, 1]),
            (40, 7, [3.5, 3.5, 3.5, 3.5]),
            (7, 40, [7, 0, 0, 0]), (16, 16, [16, 0, 0, 0]),
        ]
        for (width, height, radii) in cases {
            let corners = CornerRadii(
                topLeft: radii[0],
                topRight: radii[1],
                bottomRight: radii[2],
                bottomLeft: radii[3]
            )
            let picture = Picture(width, height, of: [255, 128, 0, 255])
            let rounded = try RoundCornersTransformer(corners).applied(to: picture)
            for y in 0..<height {
                for x in 0..<width {
                    let exact = coverage(x, y, size: picture.size, inset: 0, radii: radii)
                    #expect(abs(Double(rounded[x, y][3]) - exact * 255) <= 2, "\(radii) at \(x), \(y)")
                    #expect(rounded[x, y][0] == rounded[x, y][3])
                }
            }
        }
    }

    @Test func borderFollowsTheCornersInside() throws {
        let border = BorderStyle(width: 2.5, color: Color(red: 0, green: 0, blue: 255))
        for (width, height, radius) in [(30, 20, 8.0), (12, 12, 6), (20, 20, 0), (20, 20, 1)] {
            let size = PixelSize(width: width, height: height)
            let picture = Picture(width, height, of: [255, 0, 0, 255])
            let result = try RoundCornersTransformer(CornerRadii(radius), border: border).applied(to: picture)
            let (outer, inner) = (Array(repeating: radius, count: 4), Array(repeating: max(0, radius - 2.5), count: 4))
            for y in 0..<height {
                for x in 0..<width {
                    let whole = coverage(x, y, size: size, inset: 0, radii: outer) * 255
                    let core = coverage(x, y, size: size, inset: 2.5, radii: inner) * 255
                    #expect(abs(Double(result[x, y][0]) - core) <= 2, "red at \(x), \(y)")
                    #expect(abs(Double(result[x, y][2]) - (whole - core)) <= 3, "blue at \(x), \(y)")
                    #expect(abs(Double(result[x, y][3]) - whole) <= 2, "alpha at \(x), \(y)")
                }
            }
        }
    }

    @Test func pictureShinesThroughABorder() throws {
        let half = BorderStyle(width: 1, color: Color(red: 255, green: 255, blue: 255, alpha: 51))
        let result = try RoundCornersTransformer(CornerRadii(0), border: half).applied(
            to: Picture(3, 3, of: [0, 0, 0, 255])
        )
        #expect(result == Picture(3, 3) { x, y in x == 1 && y == 1 ? [0, 0, 0, 255] : [51, 51, 51, 255] })
    }

    @Test func nothingToCutIsTheSamePicture() throws {
        let picture = Picture(random: 9, 7)
        try RoundCornersTransformer(CornerRadii(0)).expectNothingDone(to: picture)
        try RoundCornersTransformer(CornerRadii(-3)).expectNothingDone(to: picture)
        try RoundCornersTransformer(CornerRadii(0), border: BorderStyle(width: 0, color: .black))
            .expectNothingDone(to: picture)
        try BorderTransformer(width: 0, color: .black).expectNothingDone(to: picture)
        try BorderTransformer(width: -4, color: .black).expectNothingDone(to: picture)
    }

    @Test func radiiThatOverlapShrinkInProportion() throws {
        let picture = Picture(20, 10, of: [1, 2, 3, 255])
        let pill = try RoundCornersTransformer(CornerRadii(5)).applied(to: picture)
        #expect(try RoundCornersTransformer(CornerRadii(1e9)).applied(to: picture) == pill)
        #expect(try RoundCornersTransformer(CornerRadii(.infinity)).applied(to: picture) == pill)
        // 30 and 10 share 20 pixels as 15 and 5, but 15 is still more than the height of 10 allows: 10 and 10/3.
        let uneven = try RoundCornersTransformer(CornerRadii(topLeft: 30, topRight: 10)).applied(to: picture)
        let fitted = try RoundCornersTransformer(CornerRadii(topLeft: 10, topRight: 10.0 / 3)).applied(to: picture)
        #expect(uneven.distance(to: fitted) <= 1)
    }

    @Test func circleIsCutFromTheMiddleOfEverySize() throws {
        for (width, height) in [(1, 1), (1, 5), (2, 2), (3, 3), (8, 5), (5, 8), (21, 40), (64, 64)] {
            let side = min(width, height)
            let picture = Picture(width, height) { x, y in [UInt8(x), UInt8(y), 0, 255] }
            let circle = try CircleTransformer().applied(to: picture)
            #expect(circle.size == PixelSize(width: side, height: side))
            let radii = Array(repeating: Double(side) / 2, count: 4)
            for y in 0..<side {
                for x in 0..<side {
                    let exact = coverage(x, y, size: circle.size, inset: 0, radii: radii)
                    #expect(abs(Double(circle[x, y][3]) - exact * 255) <= 2)
                }
            }
            let (left, top) = ((width - side) / 2, (height - side) / 2)
            #expect(circle[side / 2, side / 2][0] <= UInt8(left + side / 2))
            if side > 2 {
                #expect(circle[side / 2, side / 2] == [UInt8(left + side / 2), UInt8(top + side / 2), 0, 255])
            }
        }
    }

    @Test func circleWithABorderIsARing() throws {
        let border = BorderStyle(width: 3, color: .white)
        let result = try CircleTransformer(border: border).applied(to: Picture(20, 20, of: [200, 0, 0, 255]))
        #expect(result[0, 0] == [0, 0, 0, 0] && result[10, 1] == [255, 255, 255, 255])
        #expect(result[10, 10] == [200, 0, 0, 255])
    }

    @Test func borderIsInsideOrAround() throws {
        let picture = Picture.premultiplied(random: 5, 4)
        let color = Color(red: 10, green: 20, blue: 30)
        let inside = try BorderTransformer(width: 1, color: color).applied(to: picture)
        #expect(
            inside
                == Picture(5, 4) { x, y in
                    (1...3).contains(x) && (1...2).contains(y) ? picture[x, y] : [10, 20, 30, 255]
                }
        )
        let outside = try BorderTransformer(width: 2, color: color, placement: .outside).applied(to: picture)
        #expect(
            outside
                == Picture(9, 8) { x, y in
                    (2...6).contains(x) && (2...5).contains(y) ? picture[x - 2, y - 2] : [10, 20, 30, 255]
                }
        )
        let full = try BorderTransformer(width: 65_535, color: color).applied(to: picture)
        #expect(full == Picture(5, 4, of: [10, 20, 30, 255]))
        try BorderTransformer(width: .max, color: color, placement: .outside).expectError(.limitExceeded, on: picture)
    }

    @Test func whatIsNotANumberThrows() throws {
        let picture = Picture(random: 3, 3)
        let border = BorderStyle(width: .nan, color: .black)
        try RoundCornersTransformer(CornerRadii(.nan)).expectError(.invalidConfiguration, on: picture)
        try RoundCornersTransformer(CornerRadii(1), border: border).expectError(.invalidConfiguration, on: picture)
        try CircleTransformer(border: border).expectError(.invalidConfiguration, on: picture)
    }
}
