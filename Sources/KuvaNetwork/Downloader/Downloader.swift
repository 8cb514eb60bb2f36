public import FoundationEssentials
public import KuvaCore

/// Loads bodies over http and https, on one thread of its own.
///
/// A load is whole or an error: a body that ends early is never delivered. Redirects are followed within limits,
/// compressed bodies are undone, HTTP/2 is spoken where the server offers it, and connections are used again. When the
/// last reference to a downloader goes, the loads that it has go on to their end.
///
/// Any thread may call every method. Handlers are called on the downloader's thread, which all loads share: they must
/// return soon.
public final class Downloader: ImageLoading {
    private let engine: NetworkEngine

    /// Makes a downloader with the default configuration.
    public init() { engine = NetworkEngine(Configuration(), time: .system) }

    /// Makes a downloader.
    ///
    /// - Parameter time: where deadlines and response times are taken from.
    /// - Throws: ``ImageError`` with the code `invalid-configuration`, as ``Configuration/validate()``.
    public init(configuration: Configuration, time: TimeSource = .system) throws(ImageError) {
        try configuration.validate()
        engine = NetworkEngine(configuration, time: time)
    }

    deinit { engine.close() }

    /// Loads that wait or run.
    public var currentLoadCount: Int { engine.openLoadCount }

    /// How much has been done so far.
    public var counters: DownloadCounters { engine.currentCounters }

    /// How the downloader works now.
    public var configuration: Configuration { engine.configuration }

    /// Changes how the downloader works, for all requests that go out from now on.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration`, as ``Configuration/validate()``; nothing is
    ///   changed then.
    public func update(_ change: (inout Configuration) -> Void) throws(ImageError) {
        var configuration = engine.configuration
        change(&configuration)
        try configuration.validate()
        engine.update(configuration)
    }

    /// Whether loads wait that could start; those that run go on. `false` at first.
    public var isSuspended: Bool {
        get { engine.isSuspended }
        set { engine.suspend(newValue) }
    }

    /// Ends all loads that wait or run now as cancelled.
    public func cancelAll() { engine.send(.cancelAll) }

    /// Whether the URL's scheme is http or https.
    public func canLoad(_ url: URL) -> Bool {
        let scheme = url.scheme?.lowercased()
        return scheme == "https" || scheme == "http"
    }

    /// Starts a load; see ``ImageLoading``.
    ///
    /// The end is one of: the whole body; `cancelled`; `invalid-url` for a URL without a host; `host-not-found`,
    /// `cannot-connect`, `tls-failed`, `connection-lost`, `timed-out`, `transfer-failed` for a transfer that breaks;
    /// `too-slow`, `network-cancelled` likewise; `too-many-redirects`, `insecure-redirect`, `unsupported-scheme` for a
    /// redirect that is not followed; `http-status`, `content-type`, `header-too-large`, `body-too-large`,
    /// `empty-body`, `response-refused` for an answer that is refused; `request-modifier-failed`,
    /// `body-transform-failed`; `not-in-cache` for a request that allows no server to be asked; and `out-of-memory`.
    ///
    /// Loads of one address share a transfer, unless they differ in method, body, credentials, cookies, known answer,
    /// modifiers or a header field that the answer's `Vary` names.
    public func load(
        _ request: LoadRequest,
        handler: @escaping @Sendable (LoadEvent) -> Void
    ) -> any LoadHandle {
        engine.load(request, handler: handler)
    }
}
