internal import FoundationEssentials
internal import KuvaCore

/// The parts of a web address that a load goes by, read once from its text.
struct WebAddress: Hashable, Sendable {
    /// The whole address without its fragment, which is never sent.
    let text: String
    /// Scheme, host and port in lower case: what credentials belong to (RFC 9110 §4.3.1).
    let origin: String
    /// Whether the scheme is https.
    let isSecure: Bool

    /// `nil` if the address names no host.
    init?(_ url: URL) {
        var whole = url.absoluteString
        guard let parts = whole.withUTF8({ Parts(UnsafeRawBufferPointer($0)) }) else { return nil }
        text = parts.end == whole.utf8.count ? whole : String(decoding: whole.utf8.prefix(parts.end), as: UTF8.self)
        isSecure = parts.isSecure
        let port = parts.hasPort ? "" : parts.isSecure ? ":443" : ":80"
        let count = parts.prefix.count + parts.authority.count + port.utf8.count
        let (bytes, authority) = (parts.prefix, parts.authority)
        origin = whole.withUTF8 { whole in
            String(unsafeUninitializedCapacity: count) { buffer in
                var end = 0
                func append(_ byte: UInt8) {
                    buffer[end] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
                    end += 1
                }
                for index in bytes { append(whole[index]) }
                for index in authority { append(whole[index]) }
                for byte in port.utf8 { append(byte) }
                return end
            }
        }
    }

    /// Where the parts of an address stand.
    private struct Parts {
        /// Where the fragment begins, or the end.
        var end: Int
        /// The scheme and what parts it from the rest.
        var prefix: Range<Int>
        /// Host and port, without who asks.
        var authority: Range<Int>
        var hasPort: Bool
        var isSecure: Bool

        init?(_ bytes: UnsafeRawBufferPointer) {
            func first(_ byte: UInt8, from start: Int, to end: Int) -> Int {
                HTTPFields.firstIndex(of: byte, in: UnsafeRawBufferPointer(rebasing: bytes[..<end]), from: start) ?? end
            }
            end = first(0x23, from: 0, to: bytes.count)
            let colon = first(0x3A, from: 0, to: end)
            guard colon + 2 < end, bytes[colon + 1] == 0x2F, bytes[colon + 2] == 0x2F else { return nil }
            prefix = 0..<(colon + 3)
            isSecure = colon == 5 && zip(bytes.prefix(5), "https".utf8).allSatisfy { $0 | 0x20 == $1 }
            var start = colon + 3
            var stop = start
            var lastColon: Int?
            while stop < end, bytes[stop] != 0x2F, bytes[stop] != 0x3F {
                switch bytes[stop] {
                case 0x40: (start, lastColon) = (stop + 1, nil)
                // The colons of an IPv6 address stand inside brackets.
                case 0x5D: lastColon = nil
                case 0x3A: lastColon = stop
                default: break
                }
                stop += 1
            }
            guard start < stop, bytes[start] != 0x3A else { return nil }
            authority = start..<stop
            hasPort = lastColon != nil
        }
    }

    /// The host with its port, and the host alone.
    var hostNames: [String] {
        let authority = origin.drop { $0 != "/" }.dropFirst(2)
        let host = authority.lastIndex(of: ":").map { authority[..<$0] } ?? authority
        let bare = host.hasPrefix("[") ? host.dropFirst().dropLast() : host
        return [String(authority), String(host), String(bare)]
    }
}
