internal import Glibc
public import KuvaCore

extension Downloader {
    /// The order among loads of one priority.
    public enum Order: Sendable {
        /// The one that has waited longest first.
        case firstInFirstOut
        /// The newest first: what the user has just scrolled to.
        case lastInFirstOut
    }

    /// How a downloader works.
    public struct Configuration: Sendable {
        /// Loads that run at once; 6 by default.
        public var maximumConcurrentLoads = 6
        /// Loads that run at once from one host (scheme, name and port); 6 by default.
        public var maximumConcurrentLoadsPerHost = 6
        /// The order among loads of one priority; first in, first out by default.
        public var order = Order.firstInFirstOut

        /// How long finding the host and making the connection may take; 15 seconds by default.
        public var connectTimeout: Duration = .seconds(15)
        /// How long the server may send nothing, before the first byte and between bytes; 15 seconds by default.
        public var idleTimeout: Duration = .seconds(15)
        /// How long one load may run, redirects included; no limit by default.
        public var totalTimeout: Duration?

        /// The part of the body, from 0 to 1, that must come between two progress events; 0 reports as bytes come. The
        /// last event, with the whole body, always comes. Bodies of unknown length report as bytes come.
        public var minimumProgressInterval = 0.0

        /// The longest body in bytes, content coding undone; 200 MB or a tenth of the machine's memory by default,
        /// whichever is less.
        public var maximumBodyByteCount: Int64 = Self.defaultMaximumBodyByteCount
        /// The longest header of an answer in bytes; 256 KiB by default.
        public var maximumHeaderByteCount = 256 << 10
        /// How many redirects a load follows; 20 by default, as browsers do. 0 makes every redirect an error.
        public var maximumRedirectCount = 20

        /// Header fields of every request; by default an `Accept` that names the formats with a decoder and a
        /// `User-Agent`.
        public var headers: HTTPFields = [
            "Accept": "image/webp,image/png,image/jpeg,image/gif,image/*;q=0.8,*/*;q=0.5",
            "User-Agent": "Kuva (Linux)",
        ]
        /// Whether `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment count; `true` by default.
        public var usesProxyFromEnvironment = true

        /// The defaults.
        public init() {}

        private static var defaultMaximumBodyByteCount: Int64 {
            let memory = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
            return memory > 0 ? min(200_000_000, memory / 10) : 200_000_000
        }
    }
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
        for field in headers.fields {
            let isName = !field.name.isEmpty && field.name.utf8.allSatisfy(Self.isTokenByte)
            try Self.require(isName, "headers", "“\(field.name)”", "made of field names (RFC 9110 §5.1)")
            let isValue = field.value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
            try Self.require(isValue, "headers", "\(field.name)", "without line breaks in values (RFC 9110 §5.5)")
        }
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

    /// `tchar` of RFC 9110 §5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
