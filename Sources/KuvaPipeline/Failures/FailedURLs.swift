internal import FoundationEssentials
internal import KuvaCore

/// The URLs that failed, and until when that counts. A value that decides and never acts.
struct FailedURLs: Sendable {
    /// What a request must have in common with the one that failed to fail like it: another credential, decoder or limit
    /// may well bring the picture.
    struct Circumstances: Hashable, Sendable {
        private let parts: ObjectIdentifier?
        private let transfer: TransferKey?
        /// Counts for failures at a limit only.
        fileprivate let limits: DecodeLimits?

        init(parts: RequestParts?, transfer: TransferKey?, limits: DecodeLimits? = nil) {
            self.parts = parts.map { ObjectIdentifier($0) }
            self.transfer = transfer
            self.limits = limits
        }

        fileprivate func cover(_ other: Circumstances) -> Bool {
            parts == other.parts && transfer == other.transfer && (limits == nil || limits == other.limits)
        }
    }

    /// A file that is no picture, so that the same one is known again.
    struct BadFile: Sendable {
        /// What the server said, to ask it for news only.
        let response: StoredResponse?
        private let byteCount: Int
        private let hash: Int

        init(_ bytes: Data, response: StoredResponse?) {
            self.response = response
            byteCount = bytes.count
            hash = Self.hash(of: bytes)
        }

        func isLike(_ bytes: Data) -> Bool { bytes.count == byteCount && Self.hash(of: bytes) == hash }

        private static func hash(of bytes: Data) -> Int {
            var hasher = Hasher()
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            return hasher.finalize()
        }
    }

    private struct Failure: Sendable {
        let error: ImageError
        let circumstances: Circumstances
        let since: Duration
        let until: Duration?
        /// Given if the failure counts beyond its time for as long as the file stays what it is.
        var file: BadFile?
    }

    /// At most so many are remembered; the oldest go first.
    static let capacity = 10_000

    private var failures: [URL: Failure] = [:]

    /// Whether none is remembered.
    var isEmpty: Bool { failures.isEmpty }

    /// A load of `url` failed. O(1); O(n) each time the capacity is reached, which drops a tenth.
    ///
    /// - Parameter file: the file that is no picture, for a failure that counts until that changes.
    mutating func failed(
        _ url: URL,
        _ error: ImageError,
        _ circumstances: Circumstances,
        file: BadFile? = nil,
        memory: FailurePolicy.Memory,
        at now: Duration
    ) {
        var failure: Failure
        switch memory {
        case .none: return
        case .limited(let time), .untilChanged(let time):
            failure = Failure(error: error, circumstances: circumstances, since: now, until: now + time)
        case .unlimited: failure = Failure(error: error, circumstances: circumstances, since: now, until: nil)
        }
        if case .untilChanged = memory {
            let earlier = failures[url].flatMap { $0.circumstances == circumstances ? $0.file : nil }
            failure.file = file ?? earlier
        }
        failures[url] = failure
        if failures.count > Self.capacity { dropOldest() }
    }

    /// A load of `url` succeeded, or someone wants the failure forgotten. Returns whether there was one.
    @discardableResult
    mutating func remove(_ url: URL) -> Bool { failures.removeValue(forKey: url) != nil }

    /// Forgets everything.
    mutating func removeAll() { failures = [:] }

    /// The error to give for `url` without trying; `nil` if it may be tried.
    mutating func remembered(_ url: URL, _ circumstances: Circumstances, at now: Duration) -> ImageError? {
        guard let failure = failures[url], failure.circumstances.cover(circumstances) else { return nil }
        if let until = failure.until, until <= now {
            if failure.file == nil { failures[url] = nil }
            return nil
        }
        return failure.error
    }

    /// The file at `url` that is known to be no picture, and the error that says so.
    func badFile(_ url: URL, _ circumstances: Circumstances) -> (file: BadFile, error: ImageError)? {
        guard let failure = failures[url], failure.circumstances.cover(circumstances), let file = failure.file else {
            return nil
        }
        return (file, failure.error)
    }

    /// What is remembered now.
    func all(at now: Duration) -> [URL: ImageError] {
        failures.filter { $0.value.until.map { $0 > now } ?? true }.mapValues(\.error)
    }

    private mutating func dropOldest() {
        let kept = failures.sorted { $0.value.since > $1.value.since }.prefix(Self.capacity * 9 / 10)
        failures = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
