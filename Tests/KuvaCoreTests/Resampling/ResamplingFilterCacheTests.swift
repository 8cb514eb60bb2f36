import Testing

@testable import KuvaCore

@Suite("Resampling filter cache")
struct ResamplingFilterCacheTests {
    private func recipe(_ source: Int, _ output: Int) -> ResamplingFilter.Recipe {
        .lanczos(.vertical, from: source, to: output)
    }

    /// Where the weights are: two filters with one address are one.
    private func address(_ filter: ResamplingFilter) -> UInt {
        filter.weights.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }

    @Test func aFilterIsComputedOnce() {
        let cache = ResamplingFilterCache(maximumWeightCount: 100_000)
        let first = cache.filter(for: recipe(1000, 100))
        let other = cache.filter(for: recipe(1000, 101))
        #expect(address(cache.filter(for: recipe(1000, 100))) == address(first))
        #expect(address(other) != address(first))
        #expect(cache.filter(for: recipe(1000, 100)).weights == ResamplingFilter(recipe(1000, 100)).weights)
    }

    @Test func theLeastRecentlyUsedGoesFirst() {
        // 1000 to 100 takes 61 or fewer weights for each of 100 outputs, so that two fit and three do not.
        let cache = ResamplingFilterCache(maximumWeightCount: 15_000)
        let first = cache.filter(for: recipe(1000, 100))
        let second = cache.filter(for: recipe(1001, 100))
        _ = cache.filter(for: recipe(1000, 100))
        _ = cache.filter(for: recipe(1002, 100))
        #expect(address(cache.filter(for: recipe(1000, 100))) == address(first))
        #expect(address(cache.filter(for: recipe(1001, 100))) != address(second))
    }

    @Test func aFilterAboveHalfTheLimitIsNotKept() {
        let cache = ResamplingFilterCache(maximumWeightCount: 8_000)
        let large = cache.filter(for: recipe(1000, 100))
        #expect(address(cache.filter(for: recipe(1000, 100))) != address(large))
    }
}
