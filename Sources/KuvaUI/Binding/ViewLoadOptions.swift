public import KuvaCore

/// How a view loads a picture.
public struct ViewLoadOptions: Sendable {
    /// What the view shows until the picture comes.
    public enum WhileLoading: Sendable {
        /// The placeholder, or nothing if there is none. The default.
        case placeholder
        /// What it shows now, so that nothing flickers.
        case currentImage
    }

    /// What is shown until the picture comes.
    public var whileLoading: WhileLoading

    /// Whether the placeholder is shown when a load fails and the view showed something else; `true` by default.
    public var showsPlaceholderOnFailure: Bool

    /// Whether the view shows the picture by itself; if `false`, only the completion gets it.
    public var setsImage: Bool

    /// How soon the picture is wanted; ``Priority/high`` by default, since someone looks at it.
    public var priority: Priority

    /// Which caches may be used.
    public var cachePolicy: CachePolicy

    /// The size in which the picture is wanted, in pixels; `nil` lets the view choose the size in which it shows it.
    public var targetSize: TargetSize?

    /// Whether what has come of a picture is shown while the rest is still coming; `false` by default.
    public var showsPreviews: Bool

    /// Makes options; everything has a default.
    public init(
        whileLoading: WhileLoading = .placeholder,
        showsPlaceholderOnFailure: Bool = true,
        setsImage: Bool = true,
        priority: Priority = .high,
        cachePolicy: CachePolicy = .standard,
        targetSize: TargetSize? = nil,
        showsPreviews: Bool = false
    ) {
        self.whileLoading = whileLoading
        self.showsPlaceholderOnFailure = showsPlaceholderOnFailure
        self.setsImage = setsImage
        self.priority = priority
        self.cachePolicy = cachePolicy
        self.targetSize = targetSize
        self.showsPreviews = showsPreviews
    }
}
