internal import CKuvaCurl
internal import FoundationEssentials

/// Hears what a transfer tells, on the thread that drives it.
protocol TransferListener: AnyObject {
    /// The connection stands and the request goes out.
    func transferConnected()
    /// One header line with its end. Returns `false` to stop the transfer.
    func transferReceived(headerLine: UnsafeRawBufferPointer) -> Bool
    /// Bytes of the body. Returns `false` to stop the transfer.
    func transferReceived(body: UnsafeRawBufferPointer) -> Bool
}

/// Owns a curl easy handle. One thread.
final class EasyHandle {
    let pointer: OpaquePointer

    /// Who hears the callbacks; curl knows the handle only.
    @exclusivity(unchecked) private var listener: (any TransferListener)?

    /// What curl points to while the request runs.
    private var headers: HeaderLines?
    private var body: UnsafeMutableRawBufferPointer?
    /// Stays until the handle is gone: curl lets go of it only then, or when it is prepared again.
    private var jar: CookieJar?
    /// What curl has been told and keeps from one request to the next; `nil` if the next must begin anew.
    private var manner: Manner?

    /// `nil` if there is no memory.
    init?() {
        guard let pointer = kuva_curl_easy_new() else { return nil }
        self.pointer = pointer
    }

    deinit {
        // Before what it points to.
        kuva_curl_easy_free(pointer)
        body?.deallocate()
    }

    /// The content codings that curl undoes, as `Accept-Encoding` names them (RFC 9110 §12.5.3).
    static let codings = String(cString: kuva_curl_codings())

    /// What went wrong last, in curl's words.
    var errorText: String { String(cString: kuva_curl_easy_error(pointer)) }

    /// Name and password.
    struct Login {
        enum Scheme { case any, basic, digest }
        var scheme: Scheme
        var user: String
        var password: String
    }

    /// How requests are made, as far as most are made alike.
    struct Manner: Equatable {
        var isSecure: Bool
        var usesProxy: Bool
        var allowsHTTP2 = true
        var trustsAnyone = false
        /// A file with certificate authorities to trust besides the system's.
        var authorities: String?
    }

    /// What one request needs besides.
    struct Setup {
        var url: String
        var headers: HeaderLines
        var manner: Manner
        /// `nil` for a GET without a body.
        var method: String?
        var body: Data?
        var login: Login?
        var jar: CookieJar?

        /// Whether nothing of it outlasts the request but its manner.
        fileprivate var isPlain: Bool { method == nil && login == nil && jar == nil }
    }

    /// Prepares for one request.
    func prepare(_ setup: Setup, listener: any TransferListener) throws(CurlFailure) {
        finish()
        self.listener = listener
        // Most requests differ from the last one in their address only.
        if manner != setup.manner || !setup.isPlain { try prepareManner(setup.manner) }
        try check(kuva_curl_easy_set_request(pointer, setup.url, setup.headers.pointer))
        headers = setup.headers
        if let method = setup.method { try prepareMethod(method, setup.body) }
        if let login = setup.login { try prepareLogin(login) }
        if let jar = setup.jar {
            try check(kuva_curl_easy_set_jar(pointer, jar.pointer))
            self.jar = jar
        }
        manner = setup.isPlain ? setup.manner : nil
    }

    private func prepareManner(_ manner: Manner) throws(CurlFailure) {
        self.manner = nil
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(kuva_curl_easy_prepare(pointer, Self.onConnected, Self.onHeader, Self.onBody, context))
        jar = nil
        // Only TLS can offer HTTP/2 (ALPN); elsewhere waiting would only make the first requests queue up.
        try check(kuva_curl_easy_set_waits_to_multiplex(pointer, manner.isSecure && manner.allowsHTTP2 ? 1 : 0))
        if !manner.usesProxy { try check(kuva_curl_easy_disable_proxy(pointer)) }
        if !manner.allowsHTTP2 { try check(kuva_curl_easy_disable_http2(pointer)) }
        if let authorities = manner.authorities { try check(kuva_curl_easy_set_authorities(pointer, authorities)) }
        if manner.trustsAnyone { try check(kuva_curl_easy_trust_anyone(pointer)) }
    }

    private func prepareMethod(_ method: String, _ data: Data?) throws(CurlFailure) {
        guard let data else { return try check(kuva_curl_easy_set_method(pointer, method, nil, 0)) }
        // Its own memory, which does not move while curl reads from it; one byte more, so that it is never empty.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count + 1, alignment: 1)
        data.withUnsafeBytes { memory.copyMemory(from: $0) }
        body = memory
        try check(kuva_curl_easy_set_method(pointer, method, memory.baseAddress, data.count))
    }

    private func prepareLogin(_ login: Login) throws(CurlFailure) {
        let scheme =
            switch login.scheme {
            case .any: KUVA_CURL_LOGIN_ANY
            case .basic: KUVA_CURL_LOGIN_BASIC
            case .digest: KUVA_CURL_LOGIN_DIGEST
            }
        try check(kuva_curl_easy_set_login(pointer, scheme, login.user, login.password))
    }

    /// Lets go of the listener and of what the request needed; the handle, which must be in no multi handle, is ready
    /// to be prepared again.
    func finish() {
        listener = nil
        headers = nil
        body?.deallocate()
        body = nil
    }

    /// The listener of the handle that a context pointer from curl stands for; `nil` once it has finished.
    static func listener(at context: UnsafeMutableRawPointer?) -> (any TransferListener)? {
        guard let context else { return nil }
        // Whoever drives the handle holds it.
        return Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue().listener
    }

    private func check(_ status: Int32) throws(CurlFailure) {
        if let failure = CurlFailure(status: status) { throw failure }
    }

    private static let onConnected: kuva_curl_on_connected = { context in
        EasyHandle.listener(at: context)?.transferConnected()
    }

    private static let onHeader: kuva_curl_on_header = { line, count, context in
        let bytes = UnsafeRawBufferPointer(start: line, count: count)
        return EasyHandle.listener(at: context)?.transferReceived(headerLine: bytes) == true ? 1 : 0
    }

    private static let onBody: kuva_curl_on_body = { bytes, count, context in
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        return EasyHandle.listener(at: context)?.transferReceived(body: bytes) == true ? 1 : 0
    }
}
