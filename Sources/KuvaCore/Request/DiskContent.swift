/// What a load keeps on disk.
public enum DiskContent: String, Hashable, Sendable, CaseIterable {
    /// The file as its source sent it; every size and change is made from it anew. The default.
    case original
    /// The picture as the request gives it, in a file of its own, so that it need not be made again: for changes that
    /// cost more than reading a file. The original is kept for requests that want it as it is.
    case result
    /// Both.
    case both
}

extension ImageRequest {
    /// Whether the file as its source sent it is kept.
    package func keepsOriginal(as key: CacheKey) -> Bool { diskContent != .result || key.variant.isEmpty }

    /// Whether the picture that the request gives is kept in a file of its own, and looked for in it first.
    package func keepsResult(as key: CacheKey) -> Bool {
        diskContent != .original && !key.variant.isEmpty && !wantsAnimation && !wantsData
    }
}
