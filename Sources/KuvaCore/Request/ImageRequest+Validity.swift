extension ImageRequest {
    /// Checks that the request does not contradict itself; the manager does so for every request.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration`, whose message names the two properties.
    public func validate() throws(ImageError) {
        // What nearly all requests are like.
        if cachePolicy == .standard, httpCachePolicy == .cached, !acceptsLarger { return }
        let reads: CachePolicy = [.readMemory, .readDisk]
        switch httpCachePolicy {
        case .cached, .useProtocol:
            guard cachePolicy.isDisjoint(with: [.readMemory, .readDisk, .load]) else { break }
            throw contradiction("cachePolicy allows neither a cache nor the source", "add .load or .readDisk to it")
        case .onlyIfCached:
            guard cachePolicy.isDisjoint(with: reads) else { break }
            throw contradiction("httpCachePolicy is onlyIfCached and cachePolicy reads no cache", "use .cacheOnly")
        case .reload, .refresh:
            guard !cachePolicy.contains(.load) else { break }
            throw contradiction(
                "httpCachePolicy asks the server and cachePolicy forbids it",
                "add .load to cachePolicy"
            )
        }
        if wantsData, cachePolicy.isDisjoint(with: [.readDisk, .load]) {
            throw contradiction("wantsData is set and cachePolicy reads pixels only", "add .readDisk or .load to it")
        }
        if waitsForStore, !cachePolicy.contains(.writeDisk) {
            throw contradiction("waitsForStore is set and cachePolicy stores nothing on disk", "add .writeDisk to it")
        }
        if acceptsLarger, targetSize == nil {
            throw contradiction("acceptsLarger is set without a targetSize to be larger than", "set targetSize")
        }
        if acceptsLarger, !cachePolicy.contains(.readMemory) {
            throw contradiction("acceptsLarger is set and cachePolicy does not read memory", "add .readMemory to it")
        }
    }

    private func contradiction(_ message: String, _ advice: String) -> ImageError {
        ImageError(
            .invalidConfiguration,
            "the request contradicts itself: \(message)",
            advice: advice,
            stage: .request,
            url: url
        )
    }
}
