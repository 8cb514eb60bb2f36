internal import Glibc
internal import Kuva

/// What commands work with.
struct CommandContext: Sendable {
    let console: Console
    /// Threads for files that the user names.
    let files = WorkPool(name: "kuva-files", threads: 4)
    /// Who reads pictures.
    let decoders = CodecRegistry.builtIn
    /// The cache that all programs with Kuva's default configuration share.
    let cache = DiskCache()

    /// Loads through the disk cache; pixels are not kept, since no command wants them twice.
    ///
    /// - Parameter trace: what writes down the steps of the loads.
    func manager(jobs: Int = 1, trace: TraceRecorder? = nil) throws(ImageError) -> ImageManager {
        var downloads = Downloader.Configuration()
        downloads.maximumConcurrentLoads = jobs
        downloads.maximumConcurrentLoadsPerHost = jobs
        var configuration = ImageManager.Configuration.standard(diskCache: cache)
        configuration.memoryCache = nil
        configuration.decoders = decoders
        if let trace { configuration.onStageEnd = { trace.record($0) } }
        configuration.loaders = [FileLoader(), try Downloader(configuration: downloads)]
        return ImageManager(configuration: configuration)
    }

    /// The value of a variable of the environment.
    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Bars if somebody looks at stderr, plain lines otherwise.
    func reporter() -> any GetReporter {
        guard console.errors.isTerminal else { return PlainReporter(console: console) }
        return BoardReporter(console: console, style: ProgressLine.Style(environment: Self.environment))
    }
}

extension ImageRequest {
    /// A request for the bytes behind a URL. They are decoded all the same, since only that shows whether the picture
    /// is whole, but to few pixels where nobody wants more.
    static func bytes(of text: String, size: PixelSize? = nil) throws(ImageError) -> ImageRequest {
        var request = try ImageRequest(
            string: text,
            targetSize: TargetSize(size ?? PixelSize(width: 64, height: 64))
        )
        request.wantsData = true
        // So that a cache that cannot be written to is heard of.
        request.waitsForStore = true
        request.cachePolicy.remove(.writeMemory)
        return request
    }
}

extension Console {
    /// The error in one line that starts with what it is about, as the user wrote it.
    static func line(_ error: ImageError, about source: String) -> String {
        var text = "\(source): "
        if let stage = error.stage { text += "\(stage): " }
        text += error.message
        return error.advice.isEmpty ? text : "\(text); \(error.advice)"
    }
}
