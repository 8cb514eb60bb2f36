import KuvaCore

/// The rival `bare-dict`: a dictionary under one lock, which never evicts.
final class BareDictionary: Sendable {
    private let images = Lock<[CacheKey: Image]>([:])
    func image(for key: CacheKey) -> Image? { images.withLock { $0[key] } }
    func store(_ image: Image, for key: CacheKey) { images.withLock { $0[key] = image } }
}
