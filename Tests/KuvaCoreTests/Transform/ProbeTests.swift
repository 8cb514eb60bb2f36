import KuvaCore
import Testing

@Suite("Image probes")
struct ProbeTests {
    @Test func coloursAreStraight() throws {
        let image = try Picture(2, 2) { x, y in
            [[[255, 0, 10, 255], [64, 0, 128, 128]], [[0, 0, 0, 0], [1, 1, 0, 1]]][y][x]
        }.image()
        #expect(image.color(x: 0, y: 0) == Color(red: 255, green: 0, blue: 10))
        // 64 · 255 / 128 is 127.5.
        #expect(image.color(x: 1, y: 0) == Color(red: 128, green: 0, blue: 255, alpha: 128))
        #expect(image.color(x: 0, y: 1) == .clear)
        #expect(image.color(x: 1, y: 1) == Color(red: 255, green: 255, blue: 0, alpha: 1))
        #expect(image.color(x: 2, y: 0) == nil && image.color(x: 0, y: -1) == nil)
        #expect(
            image.colors(in: PixelRect(x: 1, y: -5, width: 9, height: 9))
                == [0, 1].compactMap { image.color(x: 1, y: $0) }
        )
        #expect(image.colors(in: PixelRect(x: 2, y: 0, width: 9, height: 9)).isEmpty)
        let straight = try Picture(1, 1, of: [200, 100, 0, 7]).image(alpha: .straight)
        #expect(straight.color(x: 0, y: 0) == Color(red: 200, green: 100, blue: 0, alpha: 7))
    }

    @Test func histogramCountsEveryPixel() throws {
        let picture = Picture(random: 31, 17)
        for alpha in [AlphaMode.straight, .premultiplied] {
            let image = try (alpha == .straight ? picture : picture.premultiplied).image(alpha: alpha)
            var expected = Array(repeating: Array(repeating: 0, count: 256), count: 4)
            for y in 0..<17 {
                for x in 0..<31 {
                    let color = try #require(image.color(x: x, y: y))
                    expected[3][Int(color.alpha)] += 1
                    guard color.alpha > 0 else { continue }
                    for (channel, value) in [color.red, color.green, color.blue].enumerated() {
                        expected[channel][Int(value)] += 1
                    }
                }
            }
            let histogram = image.histogram()
            #expect([histogram.red, histogram.green, histogram.blue, histogram.alpha] == expected)
            #expect(histogram.alpha.reduce(0, +) == 31 * 17)
        }
    }

    @Test func colourTexts() {
        #expect("\(Color(rgb: 0x0A_FF03))" == "#0aff03" && "\(Color.clear)" == "#00000000")
        #expect(Color.black.opacity(0.5).alpha == 128 && Color.black.opacity(.nan).alpha == 0)
        #expect(Color.black.opacity(7).alpha == 255)
        #expect("\(PixelRect(x: -1, y: 2, width: 3, height: 4))" == "3x4-1+2")
    }
}
