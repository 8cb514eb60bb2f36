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

    /// Whether the URL's scheme is http or https.
    public func canLoad(_ url: URL) -> Bool {
        let scheme = url.scheme?.lowercased()
        return scheme == "https" || scheme == "http"
    }

    /// Starts a load; see ``ImageLoading``.
    ///
    /// The end is one of: the whole body; `cancelled`; `invalid-url` for a URL without a host; `host-not-found`,
    /// `cannot-connect`, `tls-failed`, `connection-lost`, `timed-out`, `transfer-failed` for a transfer that breaks;
    /// `too-many-redirects`, `insecure-redirect`, `unsupported-scheme` for a redirect that is not followed;
    /// `http-status`, `header-too-large`, `body-too-large`, `empty-body` for an answer that is refused; and
    /// `out-of-memory`.
    public func load(
        _ request: LoadRequest,
        handler: @escaping @Sendable (LoadEvent) -> Void
    ) -> any LoadHandle {
        engine.load(LoadTicket(request, handler: handler))
    }
}
