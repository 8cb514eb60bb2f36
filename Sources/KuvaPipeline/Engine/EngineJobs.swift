internal import FoundationEssentials
internal import KuvaCore

/// What makes two decodes one: the same picture, got the same way, under the same limits.
struct ImageJobKey: Hashable, Sendable {
    let fetch: FetchJobKey
    let picture: CacheKey
    let targetSize: TargetSize?
    let limits: DecodeLimits
    let writesMemory: Bool
    let waitsForStore: Bool
    let wantsData: Bool

    init(_ request: ImageRequest) {
        fetch = FetchJobKey(request)
        picture = request.cacheKey
        targetSize = request.targetSize
        limits = request.limits
        writesMemory = request.cachePolicy.contains(.writeMemory)
        waitsForStore = request.waitsForStore
        wantsData = request.wantsData
    }
}

extension ImageRequest {
    /// Whether decoded pixels in memory are all that the request wants.
    var mayBeServedFromMemory: Bool { cachePolicy.contains(.readMemory) && !wantsData }
}

/// What makes two fetches one: the same source and name, and the same leave to use disk and source.
struct FetchJobKey: Hashable, Sendable {
    let url: URL
    let original: CacheKey
    var policy: CachePolicy

    init(_ request: ImageRequest) {
        url = request.url
        original = request.originalKey
        policy = request.cachePolicy.intersection([.readDisk, .writeDisk, .load])
    }
}

/// What the engine keeps with a decode.
struct ImageJob: Sendable {
    let request: ImageRequest
    let start: Duration
    let cancellation = CancellationFlag()
    var fetch: LoadEngine.FetchJobs.Ticket?
    var decodeTicket: WorkPool.Ticket?
}

/// What the engine keeps with a fetch.
struct FetchJob: Sendable {
    let key: FetchJobKey
    let start: Duration
    var diskTicket: WorkPool.Ticket?
    var load: (any LoadHandle)?
    var warnings: [ImageError] = []
}

/// The store of one file that several picture jobs share: the first that decodes it starts the store, all that want to
/// hear of its end do.
struct StoreOnce: Sendable {
    typealias Waiter = @Sendable (ImageError?) -> Void

    private enum Phase: Sendable {
        case idle
        case running([Waiter])
        case ended(ImageError?)
    }

    /// What a picture job does after it has asked for the store.
    enum Request {
        /// Start the store; the waiter is kept.
        case start
        /// Nothing: the waiter is kept and will be called.
        case wait
        /// Call the waiter: the store has ended.
        case ended(ImageError?)
    }

    private var phase = Phase.idle

    /// A picture job wants the file stored.
    mutating func requested(_ waiter: @escaping Waiter) -> Request {
        switch phase {
        case .idle:
            phase = .running([waiter])
            return .start
        case .running(let waiters):
            phase = .running(waiters + [waiter])
            return .wait
        case .ended(let error):
            return .ended(error)
        }
    }

    /// The store ended. Returns who waits for that.
    mutating func finished(_ error: ImageError?) -> [Waiter] {
        defer { phase = .ended(error) }
        if case .running(let waiters) = phase { return waiters }
        return []
    }
}
