/// How soon work should be done, compared with other waiting work.
public enum Priority: Int, Comparable, Sendable, CaseIterable {
    /// After everything else.
    case veryLow = 0
    /// Prefetching and other work that nobody waits for yet.
    case low = 1
    /// The default.
    case normal = 2
    /// What the user looks at now.
    case high = 3
    /// Before everything else.
    case veryHigh = 4

    /// Lower raw values come later.
    public static func < (lhs: Priority, rhs: Priority) -> Bool { lhs.rawValue < rhs.rawValue }
}
