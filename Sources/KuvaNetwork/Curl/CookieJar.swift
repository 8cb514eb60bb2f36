internal import CKuvaCurl

/// Cookies that the transfers of one thread share; in memory only.
final class CookieJar {
    let pointer: OpaquePointer

    /// `nil` if there is no memory.
    init?() {
        guard let pointer = kuva_curl_jar_new() else { return nil }
        self.pointer = pointer
    }

    // Every handle that uses it holds it.
    deinit { kuva_curl_jar_free(pointer) }
}
