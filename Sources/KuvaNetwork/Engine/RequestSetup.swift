internal import FoundationEssentials
internal import KuvaCore

/// Works out what goes over the wire for a job: header fields, who asks, and how far the other side is trusted.
///
/// Never changes; a class, because it is large and used for every request.
final class RequestSetup {
    let configuration: Downloader.Configuration
    /// The header fields of every request.
    private let commonFields: HTTPFields
    /// The header fields of a request that adds none of its own.
    private let plainHeaders: Result<HeaderLines, CurlFailure>

    init(_ configuration: Downloader.Configuration) {
        self.configuration = configuration
        var fields = configuration.headers
        // Said here and not by curl, which would write it letter by letter twice.
        fields["Accept-Encoding"] = fields["Accept-Encoding"] ?? EasyHandle.codings
        commonFields = fields
        plainHeaders = Result { () throws(CurlFailure) in try HeaderLines(fields) }
    }

    /// Prepares a handle for the request that a transfer is at.
    func prepare(_ transfer: Transfer, jar: () -> CookieJar?) throws(CurlFailure) {
        let job = transfer.job
        guard let address = transfer.exchange.redirectCount == 0 ? job.address : WebAddress(transfer.exchange.url)
        else { throw CurlFailure(.badURL) }
        let isHome = address.origin == job.homeOrigin
        let names =
            configuration.credentials.isEmpty && configuration.hostsWithUncheckedCertificates.isEmpty
            ? [] : address.hostNames
        let credential =
            (isHome ? job.request.credential : nil)
            ?? names.lazy.compactMap { self.configuration.credentials[$0] }.first
        let method = transfer.exchange.method
        let manner = EasyHandle.Manner(
            isSecure: address.isSecure,
            usesProxy: configuration.usesProxyFromEnvironment,
            allowsHTTP2: configuration.allowsHTTP2,
            trustsAnyone: address.isSecure
                && names.contains { self.configuration.hostsWithUncheckedCertificates.contains($0) },
            authorities: address.isSecure ? configuration.certificateAuthorityFile : nil
        )
        let setup = EasyHandle.Setup(
            url: address.text,
            headers: try headers(job, isHome: isHome, credential: credential),
            manner: manner,
            method: method == "GET" && job.request.body == nil ? nil : method,
            body: method == job.request.method ? job.request.body : nil,
            login: credential.flatMap(Self.login),
            jar: job.request.handlesCookies ? jar() : nil
        )
        try transfer.easy.prepare(setup, listener: transfer)
    }

    private func headers(
        _ job: LoadJob,
        isHome: Bool,
        credential: Credential?
    ) throws(CurlFailure) -> HeaderLines {
        let request = job.request
        var token: String?
        if case .bearer(let text) = credential { token = text }
        let known = job.ignoresKnown ? nil : request.known
        if request.headers.isEmpty, known == nil, job.partial == nil, token == nil, request.cachePolicy != .reload {
            return try plainHeaders.get()
        }
        var fields = commonFields
        for field in request.headers.fields where isHome || !Self.isSecret(field.name) {
            fields[field.name] = field.value
        }
        if let token, fields["Authorization"] == nil { fields["Authorization"] = "Bearer \(token)" }
        if let known {
            for field in known.conditions.fields { fields[field.name] = field.value }
        }
        if let partial = job.partial {
            for field in partial.conditions.fields { fields[field.name] = field.value }
            // Parts of a compressed body would not fit what is there.
            fields["Accept-Encoding"] = "identity"
        }
        if request.cachePolicy == .reload {
            fields["Cache-Control"] = fields["Cache-Control"] ?? "no-cache"
            fields["Pragma"] = "no-cache"
        }
        return try HeaderLines(fields)
    }

    private static func isSecret(_ name: String) -> Bool {
        ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
    }

    private static func login(_ credential: Credential) -> EasyHandle.Login? {
        switch credential {
        case .password(let user, let password): .init(scheme: .any, user: user, password: password)
        case .basic(let user, let password): .init(scheme: .basic, user: user, password: password)
        case .digest(let user, let password): .init(scheme: .digest, user: user, password: password)
        case .bearer: nil
        }
    }
}
