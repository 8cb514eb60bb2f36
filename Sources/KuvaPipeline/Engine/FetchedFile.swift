internal import FoundationEssentials
internal import KuvaCore

/// A file that a fetch brought, shared by all decodes that wait for it and by its store.
///
/// It lives as long as any of these needs it, and tells when it is gone.
final class FetchedFile: Sendable {
    let spec: FetchSpec
    let bytes: Data
    let answer: Boxed<ImageResponse.Answer>?
    let origin: ImageResponse.Origin
    let fetchTime: Duration
    let warnings: [ImageError]
    /// How the file gets to disk; `nil` if it is not to be stored.
    let store: Lock<StoreOnce>?
    /// Removes what an older file of the same original left on disk; `nil` if there was none, or it is done.
    private let older: Lock<(@Sendable () throws(ImageError) -> Void)?>?
    private let onRelease: (@Sendable () -> Void)?

    /// - Parameter onRelease: called when the file has been stored, and when it is gone, so twice at most; given if and only
    ///   if the file is to be stored.
    init(
        spec: FetchSpec,
        loaded: LoadedData,
        origin: ImageResponse.Origin,
        fetchTime: Duration,
        warnings: [ImageError],
        removeOlder: (@Sendable () throws(ImageError) -> Void)? = nil,
        onRelease: (@Sendable () -> Void)? = nil
    ) {
        self.spec = spec
        bytes = loaded.bytes
        if loaded.response == nil, loaded.metrics == nil {
            answer = nil
        } else {
            answer = Boxed(ImageResponse.Answer(response: loaded.response, metrics: loaded.metrics))
        }
        self.origin = origin
        self.fetchTime = fetchTime
        self.warnings = warnings
        store = onRelease == nil ? nil : Lock(StoreOnce())
        older = removeOlder.map { Lock($0) }
        self.onRelease = onRelease
    }

    deinit { onRelease?() }

    /// It has been stored: who comes from now on finds it on disk, or not at all if somebody has removed it there.
    func wasStored() { onRelease?() }

    /// What the server said; `nil` if none was asked.
    var response: StoredResponse? { answer?.value.response }

    /// Removes what was made of an older file, before the first that is made of this one is stored. Blocks on I/O.
    func removeOlder() throws(ImageError) {
        guard let older else { return }
        try older.withLock { remove throws(ImageError) in
            try remove?()
            remove = nil
        }
    }
}

/// The files that are fetched and not yet on disk, so that nobody fetches them again in between.
struct UnstoredFiles: Sendable {
    private struct Entry: Sendable {
        let number: UInt64
        weak let file: FetchedFile?
    }

    /// A file in one cache; the leave that a request has does not matter.
    private struct Place: Hashable, Sendable {
        let original: CacheKey
        let parts: ObjectIdentifier?

        init(_ spec: FetchSpec) {
            original = spec.original
            parts = spec.parts.map { ObjectIdentifier($0) }
        }
    }

    private var entries: [Place: Entry] = [:]
    private var lastNumber: UInt64 = 0

    /// The file of an original, if it is still on its way to disk. The caller must not let go of it with the lock held
    /// that guards this value: a file that goes takes that lock.
    func file(for spec: FetchSpec) -> FetchedFile? { entries.isEmpty ? nil : entries[Place(spec)]?.file }

    /// A number for a file that is about to be made.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// A fetch brought a file that will be stored.
    mutating func fetched(_ file: FetchedFile, number: UInt64) {
        entries[Place(file.spec)] = Entry(number: number, file: file)
    }

    /// A file is gone. A newer one of the same original stays.
    mutating func released(_ spec: FetchSpec, number: UInt64) {
        let place = Place(spec)
        if entries[place]?.number == number { entries[place] = nil }
    }
}
