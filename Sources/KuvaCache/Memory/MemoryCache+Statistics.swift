extension MemoryCache {
    /// What a memory cache holds and how it did. Threads that work meanwhile may make the numbers differ by what they do.
    public struct Statistics: Hashable, Sendable {
        /// Look-ups that found a picture.
        public var hitCount = 0
        /// Look-ups that found none.
        public var missCount = 0
        /// Pictures held.
        public var imageCount = 0
        /// Bytes of their pixels.
        public var byteCount = 0
        /// The budget.
        public var byteLimit = 0
    }
}
