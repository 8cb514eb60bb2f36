internal import FoundationEssentials
internal import KuvaCore

/// The URLs that failed, and until when that counts. A value that decides and never acts.
struct FailedURLs: Sendable {
    private struct Failure: Sendable {
        let error: ImageError
        let since: Duration
        let until: Duration?
    }

    /// At most so many are remembered; the oldest go first.
    static let capacity = 10_000

    private var failures: [URL: Failure] = [:]

    /// Whether none is remembered.
    var isEmpty: Bool { failures.isEmpty }

    /// A load of `url` failed. O(1); O(n) each time the capacity is reached, which drops a tenth.
    mutating func failed(_ url: URL, _ error: ImageError, memory: FailurePolicy.Memory, at now: Duration) {
        switch memory {
        case .none: return
        case .limited(let duration): failures[url] = Failure(error: error, since: now, until: now + duration)
        case .unlimited: failures[url] = Failure(error: error, since: now, until: nil)
        }
        if failures.count > Self.capacity { dropOldest(at: now) }
    }

    /// A load of `url` succeeded, or someone wants the failure forgotten. Returns whether there was one.
    @discardableResult
    mutating func remove(_ url: URL) -> Bool { failures.removeValue(forKey: url) != nil }

    /// Forgets everything.
    mutating func removeAll() { failures = [:] }

    /// The error to give for `url` without trying; `nil` if it may be tried.
    mutating func remembered(_ url: URL, at now: Duration) -> ImageError? {
        guard let failure = failures[url] else { return nil }
        if let until = failure.until, until <= now {
            failures[url] = nil
            return nil
        }
        return failure.error
    }

    /// What is remembered now.
    func all(at now: Duration) -> [URL: ImageError] {
        failures.filter { $0.value.until.map { $0 > now } ?? true }.mapValues(\.error)
    }

    private mutating func dropOldest(at now: Duration) {
        let kept = failures.sorted { $0.value.since > $1.value.since }.prefix(Self.capacity * 9 / 10)
        failures = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
