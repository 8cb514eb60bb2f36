import KuvaCore
import Testing

@Suite("Decode options")
struct DecodeOptionsTests {
    private func size(_ width: Int, _ height: Int, _ change: (inout DecodeOptions) -> Void) throws -> PixelSize {
        var options = DecodeOptions()
        change(&options)
        return try options.outputLayout(storedSize: PixelSize(width: width, height: height), hasAlpha: false).size
    }

    @Test func byteLimitScalesDown() throws {
        // 6000 × 4000 pixels are 96 MB; a factor of √(60 / 96) makes 4743 × 3162.
        let wide = try size(6000, 4000) { $0.maximumFrameBytes = DecodeOptions.largeImageBytes }
        #expect(wide == PixelSize(width: 4743, height: 3162))
        #expect(wide.width * wide.height * 4 <= 60_000_000)
        #expect(try size(300, 200) { $0.maximumFrameBytes = 240_000 } == PixelSize(width: 300, height: 200))
        #expect(try size(300, 200) { $0.maximumFrameBytes = 239_999 } == PixelSize(width: 299, height: 199))
        // Neither side becomes 0, whatever the limit and the proportions.
        #expect(try size(300, 2) { $0.maximumFrameBytes = 4 } == PixelSize(width: 1, height: 1))
        #expect(try size(2, 60_000) { $0.maximumFrameBytes = 40 } == PixelSize(width: 1, height: 10))
        #expect(try size(9, 9) { $0.maximumFrameBytes = -1 } == PixelSize(width: 1, height: 1))
    }

    @Test func byteLimitComesAfterTheTarget() throws {
        let target = TargetSize(PixelSize(width: 600, height: 600))
        let fits = try size(6000, 4000) {
            $0.targetSize = target
            $0.maximumFrameBytes = DecodeOptions.largeImageBytes
        }
        #expect(fits == PixelSize(width: 600, height: 400))
        let cut = try size(6000, 4000) {
            $0.targetSize = target
            $0.maximumFrameBytes = 600 * 400
        }
        #expect(cut == PixelSize(width: 300, height: 200))
    }

    /// A picture over the pixel limit is taken after all if the byte limit brings it below.
    @Test func byteLimitComesBeforeTheLimits() throws {
        #expect(throws: ImageError.self) { try size(20_000, 20_000) { _ in } }
        #expect(try size(20_000, 20_000) { $0.maximumFrameBytes = 4_000_000 }.width == 1000)
        #expect(throws: ImageError.self) { try size(70_000, 10) { $0.maximumFrameBytes = 4 } }
    }

    @Test func storedPixelsAreNeitherTurnedNorScaled() throws {
        var options = DecodeOptions(targetSize: TargetSize(PixelSize(width: 3, height: 3)), maximumFrameBytes: 4)
        options.pixels = .stored
        let layout = try options.outputLayout(
            storedSize: PixelSize(width: 30, height: 20),
            orientation: .right,
            hasAlpha: true,
            colorSpace: .unconverted
        )
        #expect(layout.size == PixelSize(width: 30, height: 20))
        #expect(layout.alpha == .straight)
        #expect(layout.colorSpace == .unconverted)
        #expect(options.appliedOrientation(.right) == .up)
        options.pixels = .display
        #expect(options.appliedOrientation(.right) == .right)
    }
}
