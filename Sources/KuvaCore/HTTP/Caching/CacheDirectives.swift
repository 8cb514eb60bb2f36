/// The directives of a `Cache-Control` field (RFC 9111 §5.2), as far as they concern a private cache.
public struct CacheDirectives: Hashable, Sendable {
    /// Directives with their arguments, names in lower case; of several of one name the first counts (§4.2.1).
    private var arguments: [String: String?] = [:]

    /// Reads the value of a `Cache-Control` field; `nil` reads as none.
    public init(_ value: String?) {
        guard let value else { return }
        for (name, argument) in Self.parse(value) where arguments[name] == nil {
            arguments.updateValue(argument, forKey: name)
        }
    }

    /// Whether a directive is there, with or without an argument.
    public func contains(_ name: String) -> Bool { arguments[name] != nil }

    /// Not to be kept (§5.2.2.5).
    public var noStore: Bool { contains("no-store") }
    /// Not to be used without asking (§5.2.2.4). With field names as argument only those are meant; treating it as
    /// though it had none is allowed and safe.
    public var noCache: Bool { contains("no-cache") }
    /// Never to be used once stale without asking (§5.2.2.2).
    public var mustRevalidate: Bool { contains("must-revalidate") }
    /// Not to be kept unless the status is understood, in which case `no-store` beside it does not count (§5.2.2.3).
    public var mustUnderstand: Bool { contains("must-understand") }
    /// May be kept whatever else would speak against it (§5.2.2.9).
    public var isPublic: Bool { contains("public") }
    /// Meant for one user (§5.2.2.7), which a private cache serves.
    public var isPrivate: Bool { contains("private") }
    /// Will not change while it is fresh (RFC 8246 §2).
    public var isImmutable: Bool { contains("immutable") }
    /// Only a cache may answer (§5.2.1.7).
    public var onlyIfCached: Bool { contains("only-if-cached") }

    /// Seconds of freshness (§5.2.2.1), or the age that a client accepts (§5.2.1.1). What is no number counts as 0, as
    /// stale (§4.2.1).
    public var maxAge: Double? { seconds("max-age") }
    /// How long a client wants it to stay fresh (§5.2.1.3).
    public var minFresh: Double? { seconds("min-fresh") }
    /// How long past its freshness a client accepts it (§5.2.1.2); infinite without an argument.
    public var maxStale: Double? {
        guard let argument = arguments["max-stale"] else { return nil }
        return argument == nil ? .infinity : seconds("max-stale")
    }
    /// How long past its freshness it may be used while a new one is asked for (RFC 5861 §3).
    public var staleWhileRevalidate: Double? { seconds("stale-while-revalidate") }
    /// How long past its freshness it may be used when asking fails (RFC 5861 §4).
    public var staleIfError: Double? { seconds("stale-if-error") }

    /// A number of seconds (§1.2.2): what is too large counts as 2³¹.
    private func seconds(_ name: String) -> Double? {
        guard let argument = arguments[name] else { return nil }
        guard let digits = argument, !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return 0
        }
        return min(Int64(digits).map(Double.init) ?? .infinity, 2_147_483_648)
    }

    /// Splits a list of names with optional arguments, which may be quoted (RFC 9110 §5.6.1, §5.6.4).
    private static func parse(_ value: String) -> [(String, String?)] {
        var result: [(String, String?)] = []
        var name = ""
        var argument: String?
        var isQuoted = false
        var isEscaped = false
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
        func end() {
            let trimmed = name.drop(while: isSpace).lowercased()
            if !trimmed.isEmpty {
                result.append((trimmed.split(whereSeparator: isSpace).joined(separator: " "), argument))
            }
            name = ""
            argument = nil
        }
        for character in value {
            if isEscaped {
                argument?.append(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"", argument != nil {
                isQuoted.toggle()
            } else if isQuoted {
                argument?.append(character)
            } else if character == "," {
                end()
            } else if character == "=", argument == nil {
                argument = ""
            } else if argument == nil {
                name.append(character)
            } else if !isSpace(character) {
                argument?.append(character)
            }
        }
        end()
        return result
    }
}
