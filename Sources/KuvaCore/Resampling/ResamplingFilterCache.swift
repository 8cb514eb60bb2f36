/// Keeps the filters used last: the frames of an animation, or the cells of a grid, are all scaled alike.
///
/// Any thread may ask. Filters too large to keep are computed each time.
final class ResamplingFilterCache: Sendable {
    /// The cache that every resampler uses.
    static let shared = ResamplingFilterCache(maximumWeightCount: 1 << 20)

    private struct Entry: Sendable {
        let recipe: ResamplingFilter.Recipe
        let filter: ResamplingFilter
    }

    /// Least recently used first.
    private let entries = Lock<[Entry]>([])
    /// Weights of all filters together.
    private let maximumWeightCount: Int

    init(maximumWeightCount: Int) { self.maximumWeightCount = maximumWeightCount }

    /// The filter for a recipe, computed outside the lock if it is not there; two threads may do so at once.
    func filter(for recipe: ResamplingFilter.Recipe) -> ResamplingFilter {
        if let found = entries.withLock({ Self.use(recipe, in: &$0) }) { return found }
        let filter = ResamplingFilter(recipe)
        let limit = maximumWeightCount
        entries.withLock { entries in
            guard filter.weights.count <= limit / 2, Self.use(recipe, in: &entries) == nil else { return }
            entries.append(Entry(recipe: recipe, filter: filter))
            var count = entries.reduce(0) { $0 + $1.filter.weights.count }
            while count > limit || entries.count > Self.maximumEntryCount {
                count -= entries.removeFirst().filter.weights.count
            }
        }
        return filter
    }

    private static let maximumEntryCount = 32

    private static func use(_ recipe: ResamplingFilter.Recipe, in entries: inout [Entry]) -> ResamplingFilter? {
        guard let index = entries.lastIndex(where: { $0.recipe == recipe }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.filter
    }
}
