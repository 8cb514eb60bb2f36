internal import FoundationEssentials

/// A file as far as it has come. One piece is kept without a copy.
struct InputBytes {
    private(set) var data = Data()
    /// Whether no more will come.
    private(set) var isComplete = false

    /// Adds the next bytes; nothing after the last ones.
    mutating func append(_ bytes: Data, isLast: Bool) {
        guard !isComplete else { return }
        if data.isEmpty { data = bytes } else { data.append(bytes) }
        isComplete = isLast
    }
}
