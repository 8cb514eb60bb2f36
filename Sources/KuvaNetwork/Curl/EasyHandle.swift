internal import CKuvaCurl

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

    /// Who hears the callbacks; curl holds no reference, this does.
    private var listener: ListenerBox?

    fileprivate final class ListenerBox {
        let listener: any TransferListener
        init(_ listener: any TransferListener) { self.listener = listener }
    }

    /// `nil` if there is no memory.
    init?() {
        guard let pointer = kuva_curl_easy_new() else { return nil }
        self.pointer = pointer
    }

    deinit { kuva_curl_easy_free(pointer) }

    /// What went wrong last, in curl's words.
    var errorText: String { String(cString: kuva_curl_easy_error(pointer)) }

    /// Prepares for one request.
    func prepare(
        url: String,
        headers: HeaderLines,
        isSecure: Bool,
        usesProxy: Bool,
        listener: any TransferListener
    ) throws(CurlFailure) {
        let box = ListenerBox(listener)
        self.listener = box
        try check(
            kuva_curl_easy_prepare(
                pointer,
                Self.onConnected,
                Self.onHeader,
                Self.onBody,
                Unmanaged.passUnretained(box).toOpaque()
            )
        )
        try check(kuva_curl_easy_set_url(pointer, url))
        try check(kuva_curl_easy_set_headers(pointer, headers.pointer))
        // Only TLS can offer HTTP/2 (ALPN); elsewhere waiting would only make the first requests queue up.
        try check(kuva_curl_easy_set_waits_to_multiplex(pointer, isSecure ? 1 : 0))
        if !usesProxy { try check(kuva_curl_easy_disable_proxy(pointer)) }
    }

    /// Lets go of the listener; the handle is ready to be prepared again.
    func finish() { listener = nil }

    /// The listener that a context pointer from curl stands for.
    static func listener(at context: UnsafeMutableRawPointer) -> any TransferListener {
        Unmanaged<ListenerBox>.fromOpaque(context).takeUnretainedValue().listener
    }

    private func check(_ status: Int32) throws(CurlFailure) {
        if let failure = CurlFailure(status: status) { throw failure }
    }

    private static let onConnected: kuva_curl_on_connected = { context in
        guard let context else { return }
        EasyHandle.listener(at: context).transferConnected()
    }

    private static let onHeader: kuva_curl_on_header = { line, count, context in
        guard let context else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: line, count: count)
        return EasyHandle.listener(at: context).transferReceived(headerLine: bytes) ? 1 : 0
    }

    private static let onBody: kuva_curl_on_body = { bytes, count, context in
        guard let context else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        return EasyHandle.listener(at: context).transferReceived(body: bytes) ? 1 : 0
    }
}
