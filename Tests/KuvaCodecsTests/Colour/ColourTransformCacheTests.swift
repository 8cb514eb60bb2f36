import KuvaCore
import Testing

@testable import KuvaCodecs

@Suite("Colour transforms")
struct ColourTransformCacheTests {
    private func space(_ gamma: Double) -> ColourDescription {
        var space = RGBSpace.sRGB
        space.curve = .gamma(gamma)
        return .space(space)
    }

    @Test func eachIsMadeOnce() throws {
        let cache = ColourTransformCache(capacity: 2)
        for gamma in [1.0, 1.5, 1, 1.5, 1] { _ = try cache.outcome(for: space(gamma)) }
        #expect(cache.madeCount == 2)
        // 1.5 was used longest ago and makes room.
        _ = try cache.outcome(for: space(3))
        _ = try cache.outcome(for: space(1))
        #expect(cache.madeCount == 3)
        _ = try cache.outcome(for: space(1.5))
        #expect(cache.madeCount == 4)
    }

    @Test func brokenProfilesAreKnownAsSuch() throws {
        let cache = ColourTransformCache()
        for bytes in [[], [1, 2, 3], [UInt8](repeating: 7, count: 4000)] {
            for _ in 0..<2 {
                guard case .isUnusable = try cache.outcome(for: .profile(bytes, .rgb)) else {
                    Issue.record("\(bytes.count) bytes are no profile")
                    continue
                }
            }
        }
        #expect(cache.madeCount == 3)
    }

    @Test func longProfilesAreRefused() {
        let long = ColourDescription.profile([UInt8](repeating: 0, count: 101), .rgb)
        var options = DecodeOptions()
        options.limits.maximumProfileBytes = 100
        let error = #expect(throws: ImageError.self) { try ColourPlan(long, options: options) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.advice.contains("maximumProfileBytes") == true)
    }
}
