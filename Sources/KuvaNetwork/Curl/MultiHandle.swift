internal import CKuvaCurl

/// Owns a curl multi handle: a set of transfers, their connections and a wake-up call.
final class MultiHandle: @unchecked Sendable {
    // Unchecked: one thread drives the handle; others call only `wake`, which curl makes for that, and each of them
    // holds a reference while it does.
    private let pointer: OpaquePointer

    /// Whether the library started; decided once.
    private static let isStarted = kuva_curl_start() == 0

    /// - Parameter connections: how many idle connections are kept at most.
    /// - Returns: `nil` if there is no memory or the library cannot start.
    init?(connections: Int) {
        guard Self.isStarted, let pointer = kuva_curl_multi_new(connections) else { return nil }
        self.pointer = pointer
    }

    deinit { kuva_curl_multi_free(pointer) }

    /// A transfer that has ended.
    struct Done {
        var listener: any TransferListener
        /// `nil` for success; without curl's words, which its easy handle has.
        var failure: CurlFailure?
    }

    func add(_ easy: EasyHandle) throws(CurlFailure) {
        if let failure = CurlFailure(status: kuva_curl_multi_add(pointer, easy.pointer)) { throw failure }
    }

    /// How many idle connections are kept at most from now on. The driving thread.
    func setConnections(_ count: Int) { kuva_curl_multi_set_connections(pointer, count) }

    /// Takes a transfer out, in whatever state it is.
    func remove(_ easy: EasyHandle) { _ = kuva_curl_multi_remove(pointer, easy.pointer) }

    /// Sets going what was added, without waiting; calls listeners.
    func perform() throws(CurlFailure) {
        if let failure = CurlFailure(status: kuva_curl_multi_perform(pointer)) { throw failure }
    }

    /// The next transfer that has ended; it must be removed before the next call.
    func nextDone() -> Done? {
        var context: UnsafeMutableRawPointer?
        var status: Int32 = 0
        var code: Int32 = 0
        while kuva_curl_multi_next_done(pointer, &context, &status, &code) != 0 {
            guard let listener = EasyHandle.listener(at: context) else { continue }
            return Done(listener: listener, failure: CurlFailure(status: status, code: code))
        }
        return nil
    }

    /// Waits until a socket or one of curl's timers is due, the time is over or `wake` is called, and does what can be
    /// done then; calls listeners.
    func poll(_ timeout: Duration) throws(CurlFailure) {
        let milliseconds = timeout / .milliseconds(1)
        // Rounded up: waking just before a deadline would only make another turn.
        let bounded = Int32(max(0, min(milliseconds.rounded(.up), Double(Int32.max))))
        if let failure = CurlFailure(status: kuva_curl_multi_poll(pointer, bounded)) { throw failure }
    }

    /// Ends the current or the next wait. Any thread.
    func wake() { _ = kuva_curl_multi_wakeup(pointer) }
}
