import KuvaCore
import Testing

@Suite("Decode limits")
struct DecodeLimitsTests {
    private func failure(_ body: (DecodeLimits) throws(ImageError) -> Void) -> ImageError? {
        var limits = DecodeLimits()
        limits.maximumSide = 100
        limits.maximumSourcePixels = 5000
        limits.maximumOutputPixels = 1000
        limits.maximumTotalPixels = 1200
        do {
            try body(limits)
            return nil
        } catch {
            return error
        }
    }

    private func source(_ width: Int, _ height: Int) -> ImageError? {
        failure { limits throws(ImageError) in try limits.check(source: PixelSize(width: width, height: height)) }
    }

    private func output(_ width: Int, _ height: Int) -> ImageError? {
        failure { limits throws(ImageError) in try limits.check(output: PixelSize(width: width, height: height)) }
    }

    private func frames(_ count: Int, _ width: Int, _ height: Int) -> ImageError? {
        failure { limits throws(ImageError) in
            try limits.check(frameCount: count, of: PixelSize(width: width, height: height))
        }
    }

    @Test func whatIsAtTheLimitPasses() {
        #expect(frames(12, 10, 10) == nil)
        #expect(source(100, 50) == nil)
        #expect(source(50, 100) == nil)
        #expect(output(100, 10) == nil)
        #expect(output(1000, 1) == nil)
    }

    @Test func whatIsAboveNamesTheLimitToRaise() {
        for (error, property) in [
            (source(101, 1), "maximumSide"), (source(1, 101), "maximumSide"), (source(100, 51), "maximumSourcePixels"),
            (output(100, 11), "maximumOutputPixels"), (output(.max, .max), "maximumOutputPixels"),
            (frames(13, 10, 10), "maximumTotalPixels"), (frames(2, .max, .max), "maximumTotalPixels"),
            (frames(.max, 10, 10), "maximumTotalPixels"),
        ] {
            #expect(error?.code == .limitExceeded)
            #expect(error?.advice.contains("DecodeLimits.\(property)") == true)
        }
    }

    @Test func emptySizesAreBroken() {
        for (width, height) in [(0, 5), (5, 0), (-1, 5)] { #expect(source(width, height)?.code == .corruptImage) }
    }

    @Test func defaultsAreTheDocumentedOnes() {
        let limits = DecodeLimits()
        #expect(limits.maximumOutputPixels == 67_108_864)
        #expect(limits.maximumSide == 65_535)
    }
}
