internal import KuvaCore
internal import KuvaPipeline
internal import KuvaUI

/// Fetches the pictures of the rows that come next. What it fetched before and is not wanted any more ends.
@MainActor
final class AheadFetcher {
    private let prefetcher: ImagePrefetcher
    private let token = Lock<ImagePrefetcher.Token?>(nil)
    private let starter = TaskStarter.shared
    private var positions: [Int] = []

    init(manager: ImageManager) { prefetcher = ImagePrefetcher(manager: manager) }

    /// Whether enough has changed since the last time: a quarter of the rows.
    func isWorthwhile(_ positions: [Int]) -> Bool {
        guard let first = positions.first, let last = self.positions.first else { return positions != self.positions }
        return positions.count != self.positions.count || abs(first - last) * 4 >= positions.count
    }

    /// Fetches the pictures of rows, the first ones first.
    func fetch(_ positions: [Int], request: (Int) -> ImageRequest?) {
        self.positions = positions
        let requests = positions.compactMap(request)
        starter.perform { [prefetcher, token] in
            let new = prefetcher.prefetch(requests)
            let old = token.withLock { token in
                defer { token = new }
                return token
            }
            // Only now: most of the rows are the same, and their loads go on for the new prefetch.
            old?.cancel()
        }
    }
}
