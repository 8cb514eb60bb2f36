public import KuvaCore

/// The memory of a cache with levels, for who knows decoded pictures only.
private struct MemoryPort: ImageCaching {
    let cache: any TieredImageCaching

    func image(for key: CacheKey) -> Image? { cache.imageInMemory(for: key) }
    func store(_ image: Image, for key: CacheKey) { try? cache.store(image, data: nil, for: key, in: .memory) }
    func removeImage(for key: CacheKey) { try? cache.remove(.key(key), from: .memory) }
    func removeImages(ofOriginal original: String) { try? cache.remove(.original(original), from: .memory) }
    func removeImages(withPrefix prefix: String) { try? cache.remove(.prefix(prefix), from: .memory) }
    func removeAll() { try? cache.clear(.memory) }
}

/// The files of a cache with levels.
private struct DiskPort: DataCaching {
    let cache: any TieredImageCaching

    func data(for key: CacheKey) throws(ImageError) -> CachedData? {
        var options = CacheQueryOptions()
        options.tiers = .disk
        options.wantsImage = false
        options.wantsData = true
        return try cache.query(key, options)?.data
    }

    func store(_ entry: CachedData, for key: CacheKey) throws(ImageError) {
        try cache.store(nil, data: entry, for: key, in: .disk)
    }

    func contains(_ key: CacheKey) throws(ImageError) -> Bool { try cache.contains(key, in: .disk).contains(.disk) }
    func removeData(for key: CacheKey) throws(ImageError) { try cache.remove(.key(key), from: .disk) }
    func removeData(ofOriginal original: String) throws(ImageError) {
        try cache.remove(.original(original), from: .disk)
    }
    func removeData(withPrefix prefix: String) throws(ImageError) { try cache.remove(.prefix(prefix), from: .disk) }
    func removeAll() throws(ImageError) { try cache.clear(.disk) }
}

extension TieredImageCaching {
    /// The level in memory, as a manager takes it.
    public var memoryCache: any ImageCaching { MemoryPort(cache: self) }

    /// The level on disk, as a manager takes it. Blocks as every ``DataCaching`` does.
    public var diskCache: any DataCaching { DiskPort(cache: self) }
}

extension RequestParts {
    /// Makes parts with a cache with levels, ``ImageCaches`` say; what is not given is the manager's.
    public convenience init(
        cache: any TieredImageCaching,
        loaders: [any ImageLoading] = [],
        decoders: (any ImageDecoderProvider)? = nil
    ) {
        self.init(memoryCache: cache.memoryCache, diskCache: cache.diskCache, loaders: loaders, decoders: decoders)
    }
}
