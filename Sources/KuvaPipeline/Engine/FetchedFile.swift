internal import FoundationEssentials
internal import KuvaCore

/// A file that a fetch brought, shared by all decodes that wait for it and by its store.
///
/// It lives as long as any of these needs it, and tells when it is gone.
final class FetchedFile: Sendable {
    let key: FetchJobKey
    let bytes: Data
    let response: StoredResponse?
    let origin: ImageResponse.Origin
    let fetchTime: Duration
    let warnings: [ImageError]
    /// How the file gets to disk; `nil` if it is not to be stored.
    let store: Lock<StoreOnce>?
    private let onRelease: @Sendable () -> Void

    init(
        key: FetchJobKey,
        loaded: LoadedData,
        origin: ImageResponse.Origin,
        fetchTime: Duration,
        warnings: [ImageError],
        isStored: Bool,
        onRelease: @escaping @Sendable () -> Void
    ) {
        self.key = key
        bytes = loaded.bytes
        response = loaded.response
        self.origin = origin
        self.fetchTime = fetchTime
        self.warnings = warnings
        store = isStored ? Lock(StoreOnce()) : nil
        self.onRelease = onRelease
    }

    deinit { onRelease() }
}

/// The files that are fetched and not yet on disk, so that nobody fetches them again in between.
struct UnstoredFiles: Sendable {
    private struct Entry: Sendable {
        weak let file: FetchedFile?
    }

    /// A file in one cache; the leave that a request has does not matter.
    private struct Place: Hashable, Sendable {
        let original: CacheKey
        let parts: ObjectIdentifier?

        init(_ key: FetchJobKey) {
            original = key.original
            parts = key.parts.map { ObjectIdentifier($0) }
        }
    }

    private var entries: [Place: Entry] = [:]

    /// The file of an original, if it is still on its way to disk.
    subscript(key: FetchJobKey) -> FetchedFile? { entries[Place(key)]?.file }

    /// A fetch brought a file that will be stored.
    mutating func fetched(_ file: FetchedFile) { entries[Place(file.key)] = Entry(file: file) }

    /// A file is gone. A newer one of the same original stays.
    mutating func released(_ key: FetchJobKey) {
        let place = Place(key)
        if entries[place]?.file == nil { entries[place] = nil }
    }
}
