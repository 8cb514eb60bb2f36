internal import FoundationEssentials
public import KuvaCore

/// A memory cache that keeps everything.
public final class FakeImageCache: ImageCaching {
    private let images = Lock<[CacheKey: Image]>([:])

    /// Makes an empty cache.
    public init() {}

    /// The keys kept.
    public var keys: Set<CacheKey> { images.withLock { Set($0.keys) } }

    /// See `ImageCaching`.
    public func image(for key: CacheKey) -> Image? { images.withLock { $0[key] } }
    /// See `ImageCaching`.
    public func images(ofOriginal original: String) -> [CacheKey: Image] {
        images.withLock { $0.filter { $0.key.original == original } }
    }
    /// See `ImageCaching`.
    public func store(_ image: Image, for key: CacheKey) { images.withLock { $0[key] = image } }
    /// See `ImageCaching`.
    public func removeImage(for key: CacheKey) { images.withLock { $0[key] = nil } }
    /// See `ImageCaching`.
    public func removeImages(ofOriginal original: String) {
        images.withLock { $0 = $0.filter { $0.key.original != original } }
    }
    /// See `ImageCaching`.
    public func removeAll() { images.withLock { $0 = [:] } }
}

/// A disk cache in memory, whose reads and writes a test can make fail or wait.
public final class FakeDataCache: DataCaching {
    private struct State: Sendable {
        var entries: [CacheKey: CachedData] = [:]
        var readError: ImageError?
        var writeError: ImageError?
        var readCount = 0
        var writeCount = 0
    }

    private let state = Lock(State())
    private let readGate: Gate?
    private let writeGate: Gate?

    /// - Parameters:
    ///   - readGate: if given, each read waits for it.
    ///   - writeGate: if given, each write waits for it.
    public init(readGate: Gate? = nil, writeGate: Gate? = nil) {
        self.readGate = readGate
        self.writeGate = writeGate
    }

    /// The entries kept.
    public var entries: [CacheKey: CachedData] { state.withLock { $0.entries } }
    /// Reads asked for so far.
    public var readCount: Int { state.withLock { $0.readCount } }
    /// Writes asked for so far.
    public var writeCount: Int { state.withLock { $0.writeCount } }

    /// Makes all reads fail from now on, or work again.
    public func failReads(with error: ImageError?) { state.withLock { $0.readError = error } }
    /// Makes all writes fail from now on, or work again.
    public func failWrites(with error: ImageError?) { state.withLock { $0.writeError = error } }

    /// See `DataCaching`.
    public func data(for key: CacheKey) throws(ImageError) -> CachedData? {
        readGate?.wait()
        let (error, entry) = state.withLock { state in
            state.readCount += 1
            return (state.readError, state.entries[key])
        }
        if let error { throw error }
        return entry
    }

    /// See `DataCaching`.
    public func store(_ entry: CachedData, for key: CacheKey) throws(ImageError) {
        writeGate?.wait()
        let error = state.withLock { state in
            state.writeCount += 1
            if state.writeError == nil { state.entries[key] = entry }
            return state.writeError
        }
        if let error { throw error }
    }

    /// See `DataCaching`.
    public func removeData(for key: CacheKey) { state.withLock { $0.entries[key] = nil } }
    /// See `DataCaching`.
    public func removeData(ofOriginal original: String) {
        state.withLock { $0.entries = $0.entries.filter { $0.key.original != original } }
    }
    /// See `DataCaching`.
    public func removeAll() { state.withLock { $0.entries = [:] } }
}
