internal import FoundationEssentials
internal import KuvaCore

/// What makes two pictures one: the same file, got the same way, decoded and changed the same way under the same
/// limits.
struct PictureJobKey: Hashable, Sendable {
    let fetch: FetchJobKey
    let picture: CacheKey
    let limits: DecodeLimits
    let readsMemory: Bool
    let wantsPreviews: Bool

    init(_ request: ImageRequest) {
        readsMemory = request.mayBeServedFromMemory
        wantsPreviews = request.wantsPreviews
        fetch = FetchJobKey(request)
        picture = request.cacheKey
        limits = request.limits
    }

    /// Only the picture's key: keys that differ in the rest alone are rare, and hashing a URL costs as much as a load's
    /// whole bookkeeping.
    func hash(into hasher: inout Hasher) { hasher.combine(picture) }
}

/// What makes two fetches one: the same source and name, and the same leave to use disk and source.
struct FetchJobKey: Hashable, Sendable {
    let url: URL
    let original: CacheKey
    var policy: CachePolicy
    let parts: RequestParts?
    let transfer: TransferKey?

    init(_ request: ImageRequest) {
        url = request.url
        original = request.originalKey
        policy = request.effectiveCachePolicy.intersection([.readDisk, .writeDisk, .load])
        parts = request.parts
        transfer = request.transfer.map { TransferKey($0) }
    }

    static func == (lhs: FetchJobKey, rhs: FetchJobKey) -> Bool {
        lhs.original == rhs.original && lhs.policy == rhs.policy && lhs.parts === rhs.parts
            && lhs.transfer == rhs.transfer && lhs.url == rhs.url
    }

    /// Only the original's key; see ``PictureJobKey``.
    func hash(into hasher: inout Hasher) { hasher.combine(original) }
}

/// Who waits for a picture.
enum PictureSubscriber: Sendable {
    /// A caller.
    case task(ImageTask)
    /// The job for the same picture with one more transformer.
    case step(JobID)
}

/// What the engine keeps with the job for a picture.
struct PictureJob: Sendable {
    /// What a job waits for.
    enum Source: Sendable {
        case nothing
        case fetch(JobTicket)
        case picture(JobTicket)
        case thread(WorkPool.Ticket)
    }

    let request: ImageRequest
    let start: Duration
    let cancellation = CancellationFlag()
    /// The picture of the entry that the server is asked about, once it is decoded.
    var known: MadePicture?
    /// Makes previews; `nil` if nobody wants them.
    let previews: PreviewMaker?
    /// What the job waits for now.
    var source = Source.nothing {
        didSet { sourceChanges += 1 }
    }
    /// How often that has changed, for who sets it late.
    private(set) var sourceChanges = 0
}

/// What the engine keeps with a fetch.
struct FetchJob: Sendable {
    let key: FetchJobKey
    /// How the source is asked.
    let transfer: LoadRequest
    let start: Duration
    /// What the disk cache has, while the server is asked whether it is still good.
    var entry: CachedData?
    var diskTicket: WorkPool.Ticket?
    var load: (any LoadHandle)?
    /// The bytes that have come, for pictures that join later; `nil` if nobody wants previews.
    var pieces: [Data]?
    var warnings: [ImageError] = []
}

/// A picture that a job has made, before each caller gets an answer of its own.
struct MadePicture: Sendable {
    let image: Image
    /// The file it came from; `nil` if it, or what it was made from, was in memory.
    let file: FetchedFile?
    var timings: ImageResponse.Timings

    /// The same picture, come from another copy of its file.
    func from(_ file: FetchedFile) -> MadePicture { MadePicture(image: image, file: file, timings: timings) }
}

extension ImageRequest {
    /// Whether decoded pixels in memory are all that the request wants, if they are not too old for it.
    var mayBeServedFromMemory: Bool {
        cachePolicy.contains(.readMemory) && !wantsData && httpCachePolicy != .refresh && httpCachePolicy != .reload
    }

    /// Which caches may be used, the HTTP policy included.
    var effectiveCachePolicy: CachePolicy {
        switch httpCachePolicy {
        case .cached, .useProtocol, .refresh: cachePolicy
        case .onlyIfCached: cachePolicy.subtracting(.load)
        case .reload: cachePolicy.subtracting([.readMemory, .readDisk])
        }
    }

    /// The same request without its last transformer; `nil` if it has none.
    var beforeLastTransformer: ImageRequest? {
        guard !transformers.isEmpty else { return nil }
        var request = self
        request.transformers.removeLast()
        return request
    }
}
