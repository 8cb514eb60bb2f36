internal import FoundationEssentials
internal import KuvaCore

/// What a picture is made by, and what makes two pictures one: the same file, got the same way, decoded and changed the
/// same way under the same limits. One object a load, so that tables hold a reference and hash it once.
final class PictureSpec: Sendable {
    let request: ImageRequest
    /// What the picture is known by in the caches.
    let key: CacheKey
    let transfer: TransferKey?
    private let policy: CachePolicy
    private let hash: Int

    init(_ request: ImageRequest, key: CacheKey) {
        self.request = request
        self.key = key
        transfer = request.boxedTransfer.map { TransferKey($0.value) }
        policy = request.effectiveCachePolicy.intersection([.readDisk, .writeDisk, .load])
        hash = key.hashValue
    }
}

extension PictureSpec: Hashable {
    static func == (lhs: PictureSpec, rhs: PictureSpec) -> Bool {
        lhs === rhs
            || lhs.hash == rhs.hash && lhs.key == rhs.key && lhs.policy == rhs.policy
                && lhs.request.isLike(rhs.request) && lhs.transfer == rhs.transfer
    }

    /// Only the picture's key: keys that differ in the rest alone are rare.
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// What is fetched and how, and what makes two fetches one: the same source and name, and the same leave to use disk
/// and source.
final class FetchSpec: Sendable {
    let url: URL
    let original: CacheKey
    let policy: CachePolicy
    let parts: RequestParts?
    /// Whether what is known of earlier failures counts for nothing.
    let retriesFailed: Bool
    private let transferKey: TransferKey?
    private let boxedTransfer: Boxed<LoadRequest>?
    private let hash: Int

    init(_ spec: PictureSpec, policy allowed: CachePolicy) {
        // Each by its name: a copy of the request would cost more than all of them.
        url = spec.request.url
        original = spec.key.originalKey
        policy = allowed.intersection([.readDisk, .writeDisk, .load])
        parts = spec.request.parts
        retriesFailed = spec.request.retriesFailed
        transferKey = spec.transfer
        boxedTransfer = spec.request.boxedTransfer
        hash = original.hashValue
    }

    /// How the source is asked.
    var transfer: LoadRequest { boxedTransfer?.value ?? LoadRequest(url: url) }

    /// What earlier failures of its URL must have in common with it.
    var circumstances: FailedURLs.Circumstances { FailedURLs.Circumstances(parts: parts, transfer: transferKey) }

    /// Whether the request says itself how the source is asked.
    var isPlain: Bool { boxedTransfer == nil }
}

extension FetchSpec: Hashable {
    static func == (lhs: FetchSpec, rhs: FetchSpec) -> Bool {
        lhs === rhs
            || lhs.hash == rhs.hash && lhs.original == rhs.original && lhs.policy == rhs.policy
                && lhs.parts === rhs.parts && lhs.transferKey == rhs.transferKey && lhs.url == rhs.url
    }

    /// Only the original's key; see ``PictureSpec``.
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
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
        case disk(WorkPool.Ticket)
    }

    let start: Duration
    /// Raised when nobody wants the picture any more; `nil` while nothing is decoded.
    private(set) var cancellation: CancellationFlag?
    /// The picture of the entry that the server is asked about, once it is decoded.
    var known: Boxed<MadePicture>?
    /// Makes previews; `nil` if nobody wants them.
    let previews: PreviewMaker?
    /// What the job waits for now.
    var source = Source.nothing {
        didSet { sourceChanges += 1 }
    }
    /// How often that has changed, for who sets it late.
    private(set) var sourceChanges = 0

    init(start: Duration, previews: PreviewMaker?) {
        self.start = start
        self.previews = previews
    }

    /// The flag for work that is about to begin.
    mutating func flag() -> CancellationFlag {
        let flag = cancellation ?? CancellationFlag()
        cancellation = flag
        return flag
    }
}

/// What the engine keeps with a fetch.
struct FetchJob: Sendable {
    let start: Duration
    /// What the disk cache has, while the server is asked whether it is still good.
    var entry: Boxed<CachedData>?
    var diskTicket: WorkPool.Ticket?
    var load: (any LoadHandle)?
    /// The bytes that have come, for pictures that join later; `nil` if nobody wants previews.
    var pieces: [Data]?
    var warnings: [ImageError] = []

    init(start: Duration) { self.start = start }
}

/// A picture that a job has made, before each caller gets an answer of its own.
struct MadePicture: Sendable {
    let image: Image
    /// The file it came from; `nil` if it, or what it was made from, was in memory.
    let file: FetchedFile?
    var timings: ImageResponse.Timings
    /// Whether it came from a file of its own.
    var isKept = false

    /// The same picture, come from another copy of its file.
    func from(_ file: FetchedFile) -> MadePicture { MadePicture(image: image, file: file, timings: timings) }
}

extension ImageRequest {
    /// Whether decoded pixels in memory are all that the request wants, if they are not too old for it.
    var mayBeServedFromMemory: Bool {
        guard cachePolicy.contains(.readMemory), !wantsData else { return false }
        let policy = httpCachePolicy
        return policy != .refresh && policy != .reload
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

    /// Whether a request with the same cache key gets the same picture, and at the same times.
    fileprivate func isLike(_ other: ImageRequest) -> Bool {
        url == other.url && parts === other.parts && limits == other.limits && wantsPreviews == other.wantsPreviews
            && mayBeServedFromMemory == other.mayBeServedFromMemory
    }
}
