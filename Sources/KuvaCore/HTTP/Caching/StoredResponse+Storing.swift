internal import FoundationEssentials

/// Whether an answer may be kept, and for which requests (RFC 9111 §3, §4.1).
extension StoredResponse {
    /// Whether a private cache may keep the answer to a request (§3).
    ///
    /// - Parameters:
    ///   - method: that of the request; only GET is kept.
    ///   - request: the header fields of the request.
    public func mayBeStored(method: String = "GET", request: HTTPFields = HTTPFields()) -> Bool {
        guard method == "GET", status >= 200, status != 206, status != 304 else { return false }
        if CacheDirectives(request["Cache-Control"]).noStore { return false }
        let directives = directives
        let isUnderstood = Self.heuristicallyCacheable.contains(status)
        if directives.mustUnderstand {
            guard isUnderstood else { return false }
        } else if directives.noStore {
            return false
        }
        return directives.isPublic || directives.isPrivate || explicitLifetime != nil || isUnderstood
    }

    /// The names that `Vary` lists, in lower case (RFC 9110 §12.5.5).
    public var varyNames: Set<String> {
        Set((fields["Vary"] ?? "").split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.lowercased() })
    }

    /// Whether the answer may serve a request with these header fields (§4.1): all fields that `Vary` names are as they
    /// were. `Vary: *` never matches.
    public func matches(request: HTTPFields) -> Bool {
        let names = varyNames
        guard !names.contains("*") else { return false }
        return names.allSatisfy { Self.normalized(request[$0]) == Self.normalized(selectingFields[$0]) }
    }

    /// The fields of a request that the answer's `Vary` names, for ``selectingFields``.
    public func selected(from request: HTTPFields) -> HTTPFields {
        HTTPFields(varyNames.sorted().compactMap { name in request[name].map { .init(name: name, value: $0) } })
    }

    /// Lists are the same whatever the white space between their members.
    private static func normalized(_ value: String?) -> [String]? {
        value?.split(separator: ",").map { $0.split { $0 == " " || $0 == "\t" }.joined(separator: " ") }
    }
}
