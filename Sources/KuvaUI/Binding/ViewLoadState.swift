public import FoundationEssentials
public import KuvaCore
public import KuvaPipeline

/// How far a slot of a view is with its newest load.
public struct ViewLoadState: Sendable {
    /// A step in the life of a load.
    public enum Phase: Sendable {
        /// Nothing has been asked for.
        case idle
        /// The picture is on its way, or the view must be laid out first.
        case loading
        /// The picture is there.
        case loaded(ImageResponse.Origin)
        /// The picture will not come.
        case failed(ImageError)
    }

    /// Where the picture is; `nil` before the first load and for a load without a URL.
    public var url: URL?

    /// How much of it has come. A picture that came without any report of its bytes counts as one of one.
    public var progress: LoadProgress

    /// How far the load is.
    public var phase: Phase

    init(url: URL? = nil, progress: LoadProgress = .none, phase: Phase = .idle) {
        self.url = url
        self.progress = progress
        self.phase = phase
    }

    /// Whether the picture is on its way.
    public var isLoading: Bool { if case .loading = phase { true } else { false } }
}

extension LoadProgress {
    static let none = LoadProgress(receivedByteCount: 0, expectedByteCount: 0)
}
