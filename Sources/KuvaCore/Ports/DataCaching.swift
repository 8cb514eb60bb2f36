public import FoundationEssentials

/// The bytes of a file as its source sent them, with what the source said about them.
public struct CachedData: Sendable {
    /// The file.
    public var bytes: Data
    /// The answer that brought it; `nil` if it did not come by HTTP.
    public var response: StoredResponse?
    /// When it was stored.
    public var storedAt: Date

    /// Makes an entry.
    public init(bytes: Data, response: StoredResponse? = nil, storedAt: Date) {
        self.bytes = bytes
        self.response = response
        self.storedAt = storedAt
    }
}

/// Keeps files on disk. Methods block on I/O: call them on a thread of your own, never on the main thread or Swift's
/// cooperative pool. Any number of threads may call at once.
public protocol DataCaching: Sendable {
    /// The whole entry kept under a key, or `nil`. A damaged entry is a miss, never an error.
    ///
    /// - Throws: ``ImageError`` at the stage `cache read` if the cache cannot be used.
    func data(for key: CacheKey) throws(ImageError) -> CachedData?

    /// Keeps an entry in place of an earlier one. A reader sees the old entry or the new one, never a mix, whenever
    /// the program or the machine stops.
    ///
    /// - Throws: ``ImageError`` at the stage `cache write` with the code `disk-full`, `permission-denied`,
    ///   `cache-unavailable` or `io-failed`; nothing of the entry is left behind then.
    func store(_ entry: CachedData, for key: CacheKey) throws(ImageError)

    /// Whether there is an entry under a key. It may still turn out to be damaged when it is read. The default reads it.
    func contains(_ key: CacheKey) throws(ImageError) -> Bool

    /// Removes one entry; does nothing if there is none.
    func removeData(for key: CacheKey) throws(ImageError)

    /// Removes an original and everything made from it.
    func removeData(ofOriginal original: String) throws(ImageError)

    /// Removes everything whose original starts with a text. A cache that cannot tell, removes everything; that is what
    /// the default does.
    func removeData(withPrefix prefix: String) throws(ImageError)

    /// Removes everything.
    func removeAll() throws(ImageError)
}

extension DataCaching {
    /// Reads the entry to see.
    public func contains(_ key: CacheKey) throws(ImageError) -> Bool { try data(for: key) != nil }

    /// Removes everything.
    public func removeData(withPrefix prefix: String) throws(ImageError) { try removeAll() }
}
