internal import FoundationEssentials
public import KuvaCore

extension Downloader {
    /// The order among loads of one priority.
    public enum Order: Sendable {
        /// The one that has waited longest first.
        case firstInFirstOut
        /// The newest first: what the user has just scrolled to.
        case lastInFirstOut
    }

    /// How a downloader works. Every change takes effect for the requests that go out after it; see
    /// ``Downloader/update(_:)``.
    public struct Configuration: Sendable {
        // MARK: Turns

        /// Loads that run at once; 6 by default.
        public var maximumConcurrentLoads = 6
        /// Loads that run at once from one host (scheme, name and port); 6 by default.
        public var maximumConcurrentLoadsPerHost = 6
        /// The order among loads of one priority; first in, first out by default.
        public var order = Order.firstInFirstOut

        // MARK: Times

        /// How long finding the host and making the connection may take; 15 seconds by default.
        public var connectTimeout: Duration = .seconds(15)
        /// How long the server may take from the connection to the end of its answer's head; 15 seconds by default.
        public var firstByteTimeout: Duration = .seconds(15)
        /// How long the server may send nothing between bytes of the body; 15 seconds by default.
        public var idleTimeout: Duration = .seconds(15)
        /// How long one attempt may take, redirects included; no limit by default.
        public var totalTimeout: Duration?
        /// The least speed at which a body must come, `nil` for none; 100 bytes a second over 30 seconds by default.
        public var minimumSpeed: MinimumSpeed? = MinimumSpeed(bytesPerSecond: 100, over: .seconds(30))
        /// When a failed transfer is tried again; twice by default.
        public var retry = RetryPolicy()

        /// The part of the body, from 0 to 1, that must come between two progress events; 0 reports as bytes come. The
        /// last event, with the whole body, always comes. Bodies of unknown length report as bytes come.
        public var minimumProgressInterval = 0.0

        // MARK: Answers

        /// The longest body in bytes, content coding undone; 200 MB or a tenth of the memory that this process may use
        /// by default, whichever is less.
        public var maximumBodyByteCount: Int64 = Self.defaultMaximumBodyByteCount
        /// The longest header of an answer in bytes; 256 KiB by default.
        public var maximumHeaderByteCount = 256 << 10
        /// How many redirects a load follows; 20 by default, as browsers do. 0 makes every redirect an error.
        public var maximumRedirectCount = 20
        /// Whether a redirect may lead from https to http; `false` by default.
        public var allowsInsecureRedirects = false
        /// Statuses that bring a picture; `nil`, the default, for 200 to 299. A part of a picture (206) never does.
        public var acceptableStatuses: Set<Int>?
        /// Media types, in lower case and without parameters, that are accepted; `nil`, the default, for any.
        public var acceptableContentTypes: Set<String>?
        /// Changes, or refuses, what servers say.
        public var responseModifier: ResponseModifier?
        /// Turns bodies into the bytes of pictures.
        public var bodyTransformer: BodyTransformer?
        /// Where the beginnings of bodies are kept whose transfers broke; `nil`, the default, for memory only, from one
        /// attempt to the next.
        public var resumeStore: ResumeStore?

        // MARK: Requests

        /// Header fields of every request; by default an `Accept` that names the formats with a decoder and a
        /// `User-Agent`. Short: libcurl writes a header letter by letter.
        public var headers: HTTPFields = [
            "Accept": "image/avif,image/webp,image/png,image/jpeg,image/gif,*/*;q=0.5",
            "User-Agent": "Kuva (Linux)",
        ]
        /// Who asks, by host: `example.org`, or `example.org:8080` for one port only. Never sent elsewhere.
        public var credentials: [String: Credential] = [:]
        /// Changes every request before it goes out.
        public var requestModifier: RequestModifier?
        /// Whether `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment count; `true` by default.
        public var usesProxyFromEnvironment = true
        /// Whether HTTP/2 is spoken with servers that offer it; `true` by default.
        public var allowsHTTP2 = true
        /// A PEM file of certificate authorities that are trusted besides the system's.
        public var certificateAuthorityFile: String?
        /// Hosts, as in ``credentials``, whose certificates are taken unchecked. Anyone on the way can then read and
        /// change what they send: for test servers only.
        public var hostsWithUncheckedCertificates: Set<String> = []

        // MARK: Surroundings

        /// What holds the program open for loads that are to outlive what the user sees.
        public var backgroundHold: (any BackgroundHold)?
        /// Told of what the downloader does, on its thread: must return soon.
        public var onEvent: (@Sendable (DownloadEvent) -> Void)?

        /// The defaults.
        public init() {}

        private static let defaultMaximumBodyByteCount =
            min(200_000_000, Int64(SystemMemory.availableByteCount()) / 10)

        var limits: DownloadQueue.Limits {
            DownloadQueue.Limits(total: maximumConcurrentLoads, perHost: maximumConcurrentLoadsPerHost)
        }

        var idleConnectionCount: Int { min(512, maximumConcurrentLoads) * 2 }
    }
}

extension Downloader.Order {
    var queueOrder: PriorityQueue<LoadID>.Order { self == .firstInFirstOut ? .firstInFirstOut : .lastInFirstOut }
}

extension Downloader.Configuration {
    /// Checks that the configuration can work.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration`, which names the property.
    public func validate() throws(ImageError) {
        try Self.require(maximumConcurrentLoads > 0, "maximumConcurrentLoads", maximumConcurrentLoads, "at least 1")
        try Self.require(
            maximumConcurrentLoadsPerHost > 0,
            "maximumConcurrentLoadsPerHost",
            maximumConcurrentLoadsPerHost,
            "at least 1"
        )
        try Self.require(connectTimeout > .zero, "connectTimeout", connectTimeout, "longer than zero")
        try Self.require(firstByteTimeout > .zero, "firstByteTimeout", firstByteTimeout, "longer than zero")
        try Self.require(idleTimeout > .zero, "idleTimeout", idleTimeout, "longer than zero")
        if let totalTimeout {
            try Self.require(
                totalTimeout > .zero,
                "totalTimeout",
                totalTimeout,
                "longer than zero, or nil for no limit"
            )
        }
        try Self.require(
            (0...1).contains(minimumProgressInterval),
            "minimumProgressInterval",
            minimumProgressInterval,
            "from 0 to 1"
        )
        try Self.require(maximumBodyByteCount > 0, "maximumBodyByteCount", maximumBodyByteCount, "at least 1")
        try Self.require(maximumHeaderByteCount > 0, "maximumHeaderByteCount", maximumHeaderByteCount, "at least 1")
        try Self.require(maximumRedirectCount >= 0, "maximumRedirectCount", maximumRedirectCount, "at least 0")
        if let minimumSpeed {
            let isPossible = minimumSpeed.bytesPerSecond > 0 && minimumSpeed.window > .zero
            try Self.require(isPossible, "minimumSpeed", minimumSpeed, "at least 1 byte over a time longer than zero")
        }
        let isRetryPossible =
            retry.maximumCount >= 0 && retry.firstDelay >= .zero && retry.maximumDelay >= .zero && retry.growth >= 1
            && (0...1).contains(retry.jitter) && retry.maximumRetryAfter >= .zero
        try Self.require(isRetryPossible, "retry", retry, "without negative numbers, with a jitter from 0 to 1")
        let problem = headers.problem
        try Self.require(problem == nil, "headers", problem ?? "", "made of what RFC 9110 §5 allows")
    }

    private static func require(
        _ condition: Bool,
        _ property: String,
        _ value: some Any,
        _ wanted: String
    ) throws(ImageError) {
        guard !condition else { return }
        throw ImageError(
            .invalidConfiguration,
            "\(property) is \(value)",
            advice: "\(property) must be \(wanted)",
            stage: .request
        )
    }
}

extension HTTPFields {
    /// What cannot be sent of these fields, in words (RFC 9110 §5.1, §5.5); `nil` if all can.
    var problem: String? {
        for field in fields {
            if !field.name.isToken { return "the header name “\(field.name)”" }
            let isValue = field.value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
            if !isValue { return "the value of the header \(field.name)" }
        }
        return nil
    }
}

extension String {
    /// Whether the text is a token (RFC 9110 §5.6.2).
    var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
