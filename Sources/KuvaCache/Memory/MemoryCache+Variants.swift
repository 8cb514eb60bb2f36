public import KuvaCore

extension MemoryCache {
    /// See ``ImageCaching``. O(number of variants). No use in the sense of what leaves first.
    public func images(ofOriginal original: String) -> [CacheKey: Image] {
        let hash = MemoryHash(CacheKey(original: original))
        return shards[hash].images(ofOriginal: original, hash: hash)
    }
}

extension MemoryShard {
    func images(ofOriginal original: String, hash: MemoryHash) -> [CacheKey: Image] {
        state.withLock { state in
            guard let first = state.findSibling(of: original, hash) else { return [:] }
            var images: [CacheKey: Image] = [:]
            var slot = first
            while slot >= 0 {
                images[state.arena[slot].key] = state.arena[slot].image
                slot = state.arena[slot].nextSibling
            }
            return images
        }
    }
}
