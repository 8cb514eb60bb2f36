internal import KuvaCore

/// The transforms of the profiles seen last: pictures of one source mostly share one profile, and making a transform
/// costs as much as converting a small picture. Any thread may call.
final class ColourTransformCache: Sendable {
    static let shared = ColourTransformCache()

    private struct Entry: Sendable {
        let description: ColourDescription
        let outcome: ColourTransform.Outcome
    }

    private let capacity: Int
    /// The one used last comes last.
    private let entries = Lock([Entry]())
    private let counter = Lock(0)

    init(capacity: Int = 16) { self.capacity = capacity }

    /// How many transforms have been made.
    var madeCount: Int { counter.withLock { $0 } }

    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    func outcome(for description: ColourDescription) throws(ImageError) -> ColourTransform.Outcome {
        if case .sRGB = description { return .isSRGB }
        if let found = entries.withLock({ Self.use(description, in: &$0) }) { return found }
        counter.withLock { $0 += 1 }
        let made = try ColourTransform.make(description)
        entries.withLock { entries in
            // Another thread may have made the same meanwhile.
            guard Self.use(description, in: &entries) == nil else { return }
            entries.append(Entry(description: description, outcome: made))
            while entries.count > capacity || Self.byteCount(entries) > Self.maximumByteCount {
                entries.removeFirst()
            }
        }
        return made
    }

    private static let maximumByteCount = 16 << 20

    private static func byteCount(_ entries: [Entry]) -> Int {
        entries.reduce(0) { sum, entry in
            if case .profile(let bytes, _) = entry.description { sum + bytes.count } else { sum }
        }
    }

    private static func use(_ description: ColourDescription, in entries: inout [Entry]) -> ColourTransform.Outcome? {
        guard let index = entries.lastIndex(where: { $0.description == description }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.outcome
    }
}
