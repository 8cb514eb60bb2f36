public import KuvaCore

/// How a view loads a picture.
public struct ViewLoadOptions: Sendable {
    /// What the view shows until the picture comes.
    public enum WhileLoading: Sendable {
        /// The placeholder, or nothing if there is none. The default.
        case placeholder
        /// What it shows now, so that nothing flickers; the placeholder only if that is nothing.
        case currentImage
        /// What it shows now, whatever that is. The placeholder comes if the load ends without a picture.
        case delayedPlaceholder
    }

    /// What is shown until the picture comes.
    public var whileLoading: WhileLoading

    /// What is shown if the load fails, cancelling apart; `nil` by default, which leaves what is shown meanwhile.
    public var errorImage: Image?

    /// Whether the view shows the picture by itself, the default; if `false`, only the completion gets it. Without a
    /// completion the view shows it all the same.
    public var setsImage: Bool

    /// Whether loads of the same slot that still run go on beside this one; `false` by default. Their pictures are
    /// shown until one of a later load is; each completion is called.
    public var keepsEarlierLoads: Bool

    /// How the picture appears; `nil`, the default, for at once. Pictures from memory never get a transition unless
    /// it is forced.
    public var transition: ImageTransition?

    /// Whether the completion is called when the transition is over, not when it begins; `false` by default.
    public var waitsForTransition: Bool

    /// How soon the picture is wanted; `nil`, the default, for what the request says.
    public var priority: Priority?

    /// Which caches may be used; `nil`, the default, for what the request says.
    public var cachePolicy: CachePolicy?

    /// The size in which the picture is wanted, in pixels; `nil`, the default, for what the request says, or else the
    /// size in which the view shows it.
    public var targetSize: TargetSize?

    /// Whether what has come of a picture is shown while the rest is still coming; `nil`, the default, for what the
    /// request says.
    public var showsPreviews: Bool?

    /// Makes options; everything has a default.
    public init(
        whileLoading: WhileLoading = .placeholder,
        errorImage: Image? = nil,
        setsImage: Bool = true,
        keepsEarlierLoads: Bool = false,
        transition: ImageTransition? = nil,
        waitsForTransition: Bool = false,
        priority: Priority? = nil,
        cachePolicy: CachePolicy? = nil,
        targetSize: TargetSize? = nil,
        showsPreviews: Bool? = nil
    ) {
        self.whileLoading = whileLoading
        self.errorImage = errorImage
        self.setsImage = setsImage
        self.keepsEarlierLoads = keepsEarlierLoads
        self.transition = transition
        self.waitsForTransition = waitsForTransition
        self.priority = priority
        self.cachePolicy = cachePolicy
        self.targetSize = targetSize
        self.showsPreviews = showsPreviews
    }
}

extension ImageRequest {
    /// The request with what the options set.
    func adjusted(by options: ViewLoadOptions) -> ImageRequest {
        var request = self
        if let priority = options.priority { request.priority = priority }
        if let policy = options.cachePolicy { request.cachePolicy = policy }
        if let size = options.targetSize { request.targetSize = size }
        if let showsPreviews = options.showsPreviews { request.wantsPreviews = showsPreviews }
        return request
    }
}
