public import FoundationEssentials
public import KuvaCore

/// A picture and where it came from.
public struct ImageResponse: Sendable {
    /// Where a picture was found.
    public enum Origin: String, Sendable {
        /// Decoded already, in the memory cache.
        case memory
        /// In the disk cache.
        case disk
        /// Fetched from a server.
        case network
        /// A file on this machine, or bytes that the URL itself carries.
        case local
    }

    /// How long the steps took; zero for steps that were not needed.
    public struct Timings: Sendable, Hashable {
        /// From the call to the end.
        public var total: Duration = .zero
        /// Reading from disk or fetching, waiting for a turn included.
        public var fetch: Duration = .zero
        /// Decoding, waiting for a thread included.
        public var decode: Duration = .zero
        /// Transforming, waiting for a thread included.
        public var transform: Duration = .zero
    }

    /// The picture, whole.
    public let image: Image
    /// Where it was found.
    public let origin: Origin
    /// Bytes of the file; `nil` for a picture from memory.
    public let encodedByteCount: Int?
    /// The file as its source sent it, if the request asked for it.
    public let data: Data?
    /// What the server said, if the file came from one, now or when it was stored.
    public var httpResponse: StoredResponse? { answer?.value.response }
    /// Where the time and the bytes of the transfer went, if there was one.
    public var transferMetrics: TransferMetrics? { answer?.value.metrics }
    /// How long it took.
    public internal(set) var timings: Timings
    /// What went wrong on the way without harm to the picture: a cache that cannot be read or written.
    public let warnings: [ImageError]

    /// What is known of the file beside its bytes; large, and rarely looked at.
    struct Answer: Sendable {
        let response: StoredResponse?
        let metrics: TransferMetrics?
    }

    let answer: Boxed<Answer>?
}

extension ImageResponse {
    /// The answer for a picture that was in memory.
    package init(memoryHit image: Image, total: Duration) {
        self.init(
            image: image,
            origin: .memory,
            encodedByteCount: nil,
            data: nil,
            timings: Timings(total: total),
            warnings: [],
            answer: nil
        )
    }
}
