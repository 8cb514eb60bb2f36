internal import KuvaCore
internal import KuvaPipeline

/// What a binding remembers about one slot of its view.
struct SlotRecord {
    /// A whole picture that a load has put into the view.
    struct Shown {
        let request: ImageRequest
        let options: ViewLoadOptions
        /// What was asked of the manager for it.
        let wanted: ImageRequest
        let image: Image
        /// The size that the view chose for it; `nil` if it did not choose, or another size cannot be had.
        var chosenSize: TargetSize?
    }

    /// The newest load that was asked for.
    var newest: UInt64 = 0
    /// The newest load of which something is shown. Older ones can show nothing any more.
    var shownBy: UInt64 = 0
    /// The load whose transition runs; 0 if none does whose end anyone wants to know.
    var transition: UInt64 = 0
    /// What is shown, if it is a whole picture that a load has put there.
    var shown: Shown?
    /// What was told to the view.
    var isShownAsLoading = false
    var state = ViewLoadState()
}

extension ImageRequest {
    /// The key of the same picture in the size that it has.
    var keyWithoutSize: CacheKey {
        var request = self
        request.targetSize = nil
        request.scale = 1
        return request.cacheKey
    }
}
