internal import FoundationEssentials
internal import KuvaCore

/// Works out what goes over the wire for a job: header fields, who asks, and how far the other side is trusted.
struct RequestSetup {
    let configuration: Downloader.Configuration
    /// The header fields of a request that adds none of its own.
    private let plainHeaders: Result<HeaderLines, CurlFailure>

    init(_ configuration: Downloader.Configuration) {
        self.configuration = configuration
        let fields = configuration.headers
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
            (isHome ? job.request.credential : nil) ?? names.lazy.compactMap { configuration.credentials[$0] }.first
        let method = transfer.exchange.method
        let setup = EasyHandle.Setup(
            url: address.text,
            headers: try headers(job, isHome: isHome, credential: credential),
            isSecure: address.isSecure,
            usesProxy: configuration.usesProxyFromEnvironment,
            method: method == "GET" && job.request.body == nil ? nil : method,
            body: method == job.request.method ? job.request.body : nil,
            login: credential.flatMap(Self.login),
            authorities: address.isSecure ? configuration.certificateAuthorityFile : nil,
            trustsAnyone: address.isSecure
                && names.contains { configuration.hostsWithUncheckedCertificates.contains($0) },
            allowsHTTP2: configuration.allowsHTTP2,
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
        var fields = configuration.headers
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
