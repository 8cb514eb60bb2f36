public import KuvaCore

extension ImageManager {
    /// The parts of a manager. It knows them by their contracts only.
    public struct Configuration: Sendable {
        /// Where decoded pictures are kept; `nil` for nowhere.
        public var memoryCache: (any ImageCaching)?

        /// Where files are kept; `nil` for nowhere.
        public var diskCache: (any DataCaching)?

        /// Who fetches; the last that can load a URL is asked, so that a program can add its own in front.
        public var loaders: [any ImageLoading]

        /// Who decodes.
        public var decoders: any ImageDecoderProvider

        /// Who writes pictures for ``DiskContent/result``; `nil`, the default, for nobody: keeping results fails then.
        public var encoders: (any ImageEncoderProvider)?

        /// Sees every request before anything else does, and may change or refuse it: sets defaults, takes a signature out
        /// of ``ImageRequest/cacheName``, sends another host. `nil` by default. Called on the caller's thread, which may be
        /// the main thread, so it must be quick.
        public var prepareRequest: (@Sendable (ImageRequest) throws(ImageError) -> ImageRequest)?

        /// Asked before a loader is, with what it would be asked for; a load that it refuses fails with the code
        /// `not-in-cache`. `nil`, the default, lets everything pass. Called on any thread, so it must be quick.
        public var mayLoad: (@Sendable (LoadRequest) -> Bool)?

        /// Sees every file before it is stored under its key, and may change it, or keep it from being stored by
        /// returning `nil`. `nil`, the default, stores files as they came. Called on a disk thread.
        public var prepareEntry: (@Sendable (CachedData, CacheKey) throws(ImageError) -> CachedData?)?

        /// Threads for decoding; as many as there are processors by default.
        public var decodePool: WorkPool

        /// Threads for the disk cache; 4 by default.
        public var diskPool: WorkPool

        /// Where the memory of pixels comes from.
        public var pixelPool: PixelBufferPool

        /// The shortest time from one preview of a picture to its next; a quarter of a second by default.
        public var minimumPreviewInterval: Duration

        /// How long failures are remembered.
        public var failurePolicy: FailurePolicy

        /// The clocks.
        public var time: TimeSource

        /// Told of each step of each load as it ends; `nil` by default, which costs nothing. Called on the thread that did
        /// the step, which it must not block.
        public var onStageEnd: (@Sendable (StageRecord) -> Void)?

        /// Told of what goes wrong behind a load's back: a picture that could not be stored on disk, say. Called on a
        /// thread of Kuva's that it must not block.
        public var onBackgroundError: (@Sendable (ImageError) -> Void)?

        /// Makes a configuration; caches are off unless given.
        public init(
            memoryCache: (any ImageCaching)? = nil,
            diskCache: (any DataCaching)? = nil,
            loaders: [any ImageLoading],
            decoders: any ImageDecoderProvider,
            encoders: (any ImageEncoderProvider)? = nil,
            prepareRequest: (@Sendable (ImageRequest) throws(ImageError) -> ImageRequest)? = nil,
            mayLoad: (@Sendable (LoadRequest) -> Bool)? = nil,
            prepareEntry: (@Sendable (CachedData, CacheKey) throws(ImageError) -> CachedData?)? = nil,
            decodePool: WorkPool = WorkPool(name: "kuva-decode", threads: WorkPool.processorCount),
            diskPool: WorkPool = WorkPool(name: "kuva-disk", threads: 4),
            pixelPool: PixelBufferPool = .shared,
            minimumPreviewInterval: Duration = .milliseconds(250),
            failurePolicy: FailurePolicy = .standard,
            time: TimeSource = .system,
            onStageEnd: (@Sendable (StageRecord) -> Void)? = nil,
            onBackgroundError: (@Sendable (ImageError) -> Void)? = nil
        ) {
            self.memoryCache = memoryCache
            self.diskCache = diskCache
            self.loaders = loaders
            self.decoders = decoders
            self.encoders = encoders
            self.prepareRequest = prepareRequest
            self.mayLoad = mayLoad
            self.prepareEntry = prepareEntry
            self.decodePool = decodePool
            self.diskPool = diskPool
            self.pixelPool = pixelPool
            self.minimumPreviewInterval = minimumPreviewInterval
            self.failurePolicy = failurePolicy
            self.time = time
            self.onStageEnd = onStageEnd
            self.onBackgroundError = onBackgroundError
        }
    }
}
