/// Asking whether an answer still holds, and what a 304 changes (RFC 9111 §4.3).
extension StoredResponse {
    /// The fields that make a request conditional (§4.3.1): `If-None-Match` and `If-Modified-Since`, as far as the
    /// answer had validators; empty if it had none.
    public var conditions: HTTPFields {
        var conditions = HTTPFields()
        if let tag = fields["ETag"], !tag.isEmpty { conditions["If-None-Match"] = tag }
        if let modified = fields["Last-Modified"], !modified.isEmpty { conditions["If-Modified-Since"] = modified }
        return conditions
    }

    /// Whether a 304 is about this answer (§4.3.4): its entity tag, if it has one, is ours.
    public func isConfirmed(by notModified: StoredResponse) -> Bool {
        guard let tag = notModified.fields["ETag"], let ours = fields["ETag"] else { return true }
        return Self.opaque(tag) == Self.opaque(ours)
    }

    /// The answer brought up to date by a 304 (§3.2): its fields replace ours, but for those that say how the body that
    /// we have was transferred; ages count from it.
    public func updated(by notModified: StoredResponse) -> StoredResponse {
        var updated = self
        updated.requestTime = notModified.requestTime
        updated.responseTime = notModified.responseTime
        let exempt = Self.aboutTransfer.union(notModified.connectionNames)
        var seen: Set<String> = []
        for field in notModified.fields.fields {
            let name = field.name.lowercased()
            guard !exempt.contains(name) else { continue }
            if seen.insert(name).inserted { updated.fields[name] = nil }
            updated.fields.append(name: field.name, value: field.value)
        }
        // An `Age` of the old answer would be counted again.
        if !seen.contains("age") { updated.fields["Age"] = nil }
        return updated
    }

    /// The same answer without the fields that are never kept (§3.1).
    public var storable: StoredResponse {
        var storable = self
        storable.fields.remove(Self.neverKept)
        for name in connectionNames where !Self.aboutConnection.contains(name) { storable.fields[name] = nil }
        return storable
    }

    /// Fields named by `Connection`, which concern one hop only (RFC 9110 §7.6.1).
    private var connectionNames: Set<String> {
        Set((fields["Connection"] ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() })
    }

    /// Whether ``storable`` removes a field of this name whatever the rest of the answer says.
    package static func isAboutConnection(_ name: UnsafeRawBufferPointer) -> Bool { neverKept.contains(name) }

    private static let neverKept = FieldNames([
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "transfer-encoding", "upgrade",
    ])

    private static let aboutConnection = Set(neverKept.names.map(\.description) + ["close"])

    private static let aboutTransfer = aboutConnection.union([
        "content-length", "content-encoding", "content-range", "trailer",
    ])

    /// An entity tag without its weakness, which does not matter here (RFC 9110 §8.8.3.2).
    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
