internal import FoundationEssentials
public import KuvaCore

/// Pictures in memory over their files on disk.
///
/// What is found on disk is decoded and kept in memory; what is stored goes to both. Only values and protocols are
/// shared, so that a program can put a memory or a disk cache of its own below.
public final class ImageCache: TieredImageCaching {
    /// Decoded pictures.
    public let memory: any ImageCaching
    /// Files; `nil` for a cache in memory only.
    public let disk: (any DataCaching)?

    private let decoders: any ImageDecoderProvider
    private let encoders: (any ImageEncoderProvider)?
    private let time: TimeSource

    /// Makes a cache of two.
    ///
    /// - Parameters:
    ///   - decoders: turn files into pictures.
    ///   - encoders: turn pictures that are stored without their file into one; without them such a store keeps the
    ///     picture in memory and throws `unsupported-format` for the disk.
    public init(
        memory: any ImageCaching = MemoryCache(),
        disk: (any DataCaching)? = DiskCache(),
        decoders: any ImageDecoderProvider,
        encoders: (any ImageEncoderProvider)? = nil,
        time: TimeSource = .system
    ) {
        self.memory = memory
        self.disk = disk
        self.decoders = decoders
        self.encoders = encoders
        self.time = time
    }

    /// See ``TieredImageCaching``.
    public func imageInMemory(for key: CacheKey) -> Image? { memory.image(for: key) }

    /// See ``TieredImageCaching``. In memory a picture of a size is known by ``CacheKey/sized(_:)``; on disk that file is
    /// taken if there is one, else the whole picture's.
    public func query(_ key: CacheKey, _ options: CacheQueryOptions) throws(ImageError) -> CacheHit? {
        try prepare(key, options).finish()
    }

    /// See ``TieredImageCaching``. A picture without its file is written in its own format if the encoders can, else as
    /// GIF if it moves, as PNG if it has alpha, and as JPEG. An animation from a file is written as that file; another
    /// one only by encoders that write all frames.
    public func store(
        _ image: Image?,
        data: CachedData?,
        for key: CacheKey,
        in tiers: CacheTiers
    ) throws(ImageError) {
        if tiers.contains(.memory), let image { memory.store(image, for: key) }
        guard tiers.contains(.disk), let disk else { return }
        if let data {
            try disk.store(data, for: key)
        } else if let image {
            let bytes = try encode(image)
            try disk.store(CachedData(bytes: bytes, storedAt: time.wall), for: key)
        }
    }

    /// See ``TieredImageCaching``.
    public func remove(_ removal: CacheRemoval, from tiers: CacheTiers) throws(ImageError) {
        if tiers.contains(.memory) {
            switch removal {
            case .key(let key): memory.removeImage(for: key)
            case .original(let original): memory.removeImages(ofOriginal: original)
            case .prefix(let prefix): memory.removeImages(withPrefix: prefix)
            }
        }
        guard tiers.contains(.disk), let disk else { return }
        switch removal {
        case .key(let key): try disk.removeData(for: key)
        case .original(let original): try disk.removeData(ofOriginal: original)
        case .prefix(let prefix): try disk.removeData(withPrefix: prefix)
        }
    }

    /// See ``TieredImageCaching``.
    public func contains(_ key: CacheKey, in tiers: CacheTiers) throws(ImageError) -> CacheTiers {
        var found: CacheTiers = []
        if tiers.contains(.memory), memory.image(for: key) != nil { found.insert(.memory) }
        if tiers.contains(.disk), let disk, try disk.contains(key) { found.insert(.disk) }
        return found
    }

    /// See ``TieredImageCaching``.
    public func clear(_ tiers: CacheTiers) throws(ImageError) {
        if tiers.contains(.memory) { memory.removeAll() }
        if tiers.contains(.disk) { try disk?.removeAll() }
    }
}

extension ImageCache: CachePreparing {
    func prepare(_ key: CacheKey, _ options: CacheQueryOptions) throws(ImageError) -> PreparedQuery {
        switch try lookUp(key, options) {
        case .done(let hit): .done(hit)
        case .decode(let file): .decode { () throws(ImageError) in try self.decode(file, key, options) }
        }
    }
}

extension ImageCache {
    private enum Outcome: Sendable {
        case done(CacheHit?)
        case decode(CachedData)
    }

    private func lookUp(_ key: CacheKey, _ options: CacheQueryOptions) throws(ImageError) -> Outcome {
        let shownKey = options.targetSize.map(key.sized) ?? key
        if options.tiers.contains(.memory), options.wantsImage,
            let image = memory.image(for: shownKey).flatMap({ fitting($0, options) })
        {
            let data = try options.wantsData && options.tiers.contains(.disk) ? disk?.data(for: key) : nil
            return .done(CacheHit(image: image, data: data, tier: .memory))
        }
        try options.cancellation?.check()
        guard options.tiers.contains(.disk), let disk else { return .done(nil) }
        var file: CachedData?
        if shownKey != key, options.wantsImage, !options.wantsData { file = try disk.data(for: shownKey) }
        if file == nil { file = try disk.data(for: key) }
        guard let file else { return .done(nil) }
        return options.wantsImage ? .decode(file) : .done(CacheHit(image: nil, data: file, tier: .disk))
    }

    private func decode(
        _ file: CachedData,
        _ key: CacheKey,
        _ options: CacheQueryOptions
    ) throws(ImageError) -> CacheHit? {
        try options.cancellation?.check()
        let shownKey = options.targetSize.map(key.sized) ?? key
        // Another query may have decoded it meanwhile.
        if options.tiers.contains(.memory), let image = memory.image(for: shownKey).flatMap({ fitting($0, options) }) {
            return CacheHit(image: image, data: options.wantsData ? file : nil, tier: .memory)
        }
        let decoding = DecodeOptions(
            targetSize: options.targetSize,
            limits: options.limits,
            cancellation: options.cancellation
        )
        let image = try decoders.decodePicture(
            file.bytes,
            options: decoding,
            scale: options.scale,
            mediaType: file.response?.mediaType
        )
        if options.promotes, options.tiers.contains(.memory) { memory.store(image, for: shownKey) }
        guard let image = fitting(image, options) else { return nil }
        return CacheHit(image: image, data: options.wantsData ? file : nil, tier: .disk)
    }

    private func fitting(_ image: Image, _ options: CacheQueryOptions) -> Image? {
        guard image.frameCount > 1 else { return options.animatedOnly ? nil : image }
        return options.firstFrameOnly ? Image(pixels: image.pixels, scale: image.scale, format: image.format) : image
    }

    /// An animation is its own file, where that is known.
    private func encode(_ image: Image) throws(ImageError) -> Data {
        if let bytes = image.animation?.provider.encodedBytes { return bytes }
        let formats = EncodeRule.formats(
            own: image.format,
            frameCount: image.frameCount,
            hasAlpha: image.pixels.layout.alpha != .opaque
        )
        let isMoving = image.animation != nil
        guard let encoders,
            let format = formats.first(where: isMoving ? encoders.canEncodeAnimations : encoders.canEncode)
        else {
            let names = formats.map(\.name).joined(separator: " or ")
            throw ImageError(
                .unsupportedFormat,
                "no encoder writes \(isMoving ? "an animation" : "a picture") as \(names)",
                advice: "store the file itself, or give the cache encoders",
                stage: .cacheWrite
            )
        }
        return try encoders.encode(image, as: format)
    }
}
