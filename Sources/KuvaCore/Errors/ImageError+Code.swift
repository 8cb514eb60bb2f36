extension ImageError {
    /// The kind of a failure. An open set: later versions add codes without breaking programs.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A short, stable, machine-readable name such as `http-status`; good for counters and logs.
        public let description: String

        /// Makes a code of your own, for errors from a custom loader or decoder.
        public init(_ name: String) { description = name }

        // MARK: Requests

        /// The text is not a URL, or the URL lacks what its scheme needs.
        public static let invalidURL = Code("invalid-url")
        /// No loader is registered for the URL's scheme.
        public static let unsupportedScheme = Code("unsupported-scheme")
        /// A configuration or an argument cannot work, such as a limit of zero downloads.
        public static let invalidConfiguration = Code("invalid-configuration")
        /// The caller, or the last of its kind, cancelled the work.
        public static let cancelled = Code("cancelled")
        /// A view asked for another picture before this one came.
        public static let replaced = Code("replaced")
        /// The request allowed only caches, and none of them had the picture.
        public static let notInCache = Code("not-in-cache")

        /// The same URL failed a short while ago and is not tried again yet; the cause is that failure.
        public static let failedBefore = Code("failed-before")

        // MARK: Transfers

        /// The host name does not resolve.
        public static let hostNotFound = Code("host-not-found")
        /// The host refused the connection or cannot be reached.
        public static let cannotConnect = Code("cannot-connect")
        /// The connection broke before the whole body had come.
        public static let connectionLost = Code("connection-lost")
        /// A time limit passed.
        public static let timedOut = Code("timed-out")
        /// The secure connection could not be made or verified.
        public static let tlsFailed = Code("tls-failed")
        /// More redirects than allowed, or redirects in a circle.
        public static let tooManyRedirects = Code("too-many-redirects")
        /// A redirect leads from https to http.
        public static let insecureRedirect = Code("insecure-redirect")
        /// The server answered with a status that means failure; see ``ImageError/httpStatus``.
        public static let httpStatus = Code("http-status")
        /// The header of the answer is longer than the limit.
        public static let headerTooLarge = Code("header-too-large")
        /// The body is longer than the limit.
        public static let bodyTooLarge = Code("body-too-large")
        /// The body has no bytes at all.
        public static let emptyBody = Code("empty-body")
        /// The body came more slowly than the least speed allowed.
        public static let tooSlow = Code("too-slow")
        /// The other side, or the end of the program's time, ended a transfer that its caller still wanted.
        public static let networkCancelled = Code("network-cancelled")
        /// The answer is of a kind that the configuration does not accept.
        public static let contentType = Code("content-type")
        /// A request modifier failed, or made a request that cannot be sent.
        public static let requestModifierFailed = Code("request-modifier-failed")
        /// A response modifier refused the answer.
        public static let responseRefused = Code("response-refused")
        /// The body could not be turned into the picture's bytes.
        public static let bodyTransformFailed = Code("body-transform-failed")
        /// The transfer failed in a way that has no code of its own; see the cause.
        public static let transferFailed = Code("transfer-failed")

        // MARK: Files

        /// There is no file at the path.
        public static let fileNotFound = Code("file-not-found")
        /// The user may not read or write the file or folder.
        public static let permissionDenied = Code("permission-denied")
        /// The disk, or the user's quota, is full.
        public static let diskFull = Code("disk-full")
        /// The file system failed in a way that has no code of its own.
        public static let ioFailed = Code("io-failed")
        /// The cache folder cannot be used at all.
        public static let cacheUnavailable = Code("cache-unavailable")

        // MARK: Pictures

        /// The bytes are recognisably something else, such as an HTML page.
        public static let notAnImage = Code("not-an-image")
        /// The bytes are, or may be, a picture, but no decoder for it is registered.
        public static let unsupportedFormat = Code("unsupported-format")
        /// The file breaks its format's rules so that nothing can be shown.
        public static let corruptImage = Code("corrupt-image")
        /// The file ends before its picture does.
        public static let truncatedImage = Code("truncated-image")
        /// A ``DecodeLimits`` limit stopped the work before any memory was taken for it.
        public static let limitExceeded = Code("limit-exceeded")
        /// The system did not give the memory.
        public static let outOfMemory = Code("out-of-memory")
    }

    /// A step of the way from a URL to a view.
    public struct Stage: Hashable, Sendable, CustomStringConvertible {
        /// A short, stable name such as `download`.
        public let description: String

        /// Makes a stage of your own.
        public init(_ name: String) { description = name }

        /// Checking the request itself.
        public static let request = Stage("request")
        /// Reading from a cache.
        public static let cacheRead = Stage("cache read")
        /// Fetching the bytes.
        public static let download = Stage("download")
        /// Turning bytes into pixels.
        public static let decode = Stage("decode")
        /// Changing the pixels.
        public static let transform = Stage("transform")
        /// Writing to a cache.
        public static let cacheWrite = Stage("cache write")
        /// Handing the picture to a view.
        public static let display = Stage("display")
    }

    /// Whether the work ended because someone no longer wanted it, not because something broke.
    public var isCancellation: Bool { code == .cancelled || code == .replaced }
}
