internal import KuvaCore

/// The threads on which caches do what blocks.
enum CacheWork {
    /// Reading and writing files: more threads than processors, since they wait for the disk.
    static let files = WorkPool(name: "kuva-cache", threads: max(4, WorkPool.processorCount))
    /// Decoding and encoding.
    static let pictures = WorkPool(name: "kuva-cache-pix", threads: WorkPool.processorCount)
}
