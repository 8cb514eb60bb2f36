internal import CKuvaCurl
internal import KuvaCore

/// Owns the header lines of requests in curl's form. Never changes once made, so transfers share it.
final class HeaderLines {
    let pointer: OpaquePointer?

    /// - Throws: `CurlFailure` if there is no memory.
    init(_ fields: HTTPFields) throws(CurlFailure) {
        var lines: OpaquePointer?
        for field in fields.fields {
            // A semicolon in place of the colon is curl's way to send a field without a value.
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            guard let longer = kuva_curl_lines_append(lines, line) else {
                kuva_curl_lines_free(lines)
                throw CurlFailure(.outOfMemory)
            }
            lines = longer
        }
        pointer = lines
    }

    deinit { kuva_curl_lines_free(pointer) }
}
